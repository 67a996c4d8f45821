/** The table of keys: no key twice, every key found again, the browser's own left alone. */
import { expect, test } from 'vitest';
import { bindingFor, isCharacter, KEYMAP, partsOf, type Press } from './keymap.ts';

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const does = (key: string, held: Partial<Press> = {}) => bindingFor(press(key, held))?.description;

test('no key means two things', () => {
  const keys = KEYMAP.flatMap((binding) => binding.keys);
  expect(keys).toHaveLength(new Set(keys).size);
});

test('every key of the table is found by the press that makes it', () => {
  for (const binding of KEYMAP) {
    for (const key of binding.keys) {
      const shiftKey = key.startsWith('Shift+');
      const bare = shiftKey ? key.slice('Shift+'.length) : key;
      expect(bindingFor(press(bare, { shiftKey })), key).toBe(binding);
    }
  }
});

test('signs that need Shift on some keyboards are themselves', () => {
  expect(does('?', { shiftKey: true })).toBe('These keys');
  expect(does('+', { shiftKey: true })).toBe('Faster');
  expect(does('X', { shiftKey: true })).toBe('Previous drop');
  expect(does('K')).toBe('Play or pause');
});

test('combinations belong to the browser', () => {
  expect(does('c', { ctrlKey: true })).toBeUndefined();
  expect(does('ArrowLeft', { altKey: true })).toBeUndefined();
  expect(does('l', { metaKey: true })).toBeUndefined();
});

test('characters can be told from keys that nobody types by accident', () => {
  expect(isCharacter(press('x'))).toBe(true);
  expect(isCharacter(press('ArrowLeft'))).toBe(false);
  expect(isCharacter(press(' '))).toBe(false);
});

test('keys are shown as they are printed', () => {
  expect(partsOf('Shift+ArrowRight')).toEqual(['⇧', '→']);
  expect(partsOf(' ')).toEqual(['Space']);
  expect(partsOf('k')).toEqual(['K']);
});
