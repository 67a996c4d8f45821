/** The table of keys: no key twice, every key found again, the browser's own left alone. */
import { expect, test } from 'vitest';
import { COMMANDS } from './command-list.ts';
import { commandFor, isCharacter, partsOf, type Press } from './keymap.ts';

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const does = (key: string, held: Partial<Press> = {}) => commandFor(press(key, held))?.id;

test('no key means two things', () => {
  for (const takes of [true, false]) {
    const some = COMMANDS.filter(({ takesKeys = false }) => takesKeys === takes);
    const keys = some.flatMap((command) => command.keys);
    expect(keys).toHaveLength(new Set(keys).size);
  }
});

test('in a lesson a clicker turns its steps, and with the stage alone it blanks the screen', () => {
  const inLesson = ({ id }: { readonly id: string }) => id.startsWith('lesson.');
  expect(commandFor(press('PageDown'))?.id).toBe('step.packet.next');
  expect(commandFor(press('PageDown'), inLesson)?.id).toBe('lesson.next');
  expect(commandFor(press('PageUp'), inLesson)?.id).toBe('lesson.previous');
  const isAlone = ({ id }: { readonly id: string }) => id === 'stage.blank';
  expect(commandFor(press('.'), isAlone)?.id).toBe('stage.blank');
  expect(commandFor(press('b'), isAlone)?.id).toBe('stage.blank');
  expect(commandFor(press('.'))?.id).toBe('step.event.next');
});

test('every key of the list is found by the press that makes it', () => {
  for (const command of COMMANDS) {
    for (const key of command.keys) {
      const parts = key.length === 1 ? [key] : key.split('+');
      const shiftKey = parts.includes('Shift');
      const ctrlKey = parts.includes('Ctrl');
      const made = press(parts.at(-1) ?? '', { shiftKey, ctrlKey });
      expect(
        commandFor(made, (one) => one === command),
        key,
      ).toBe(command);
    }
  }
});

test('no command has the id of another', () => {
  const ids = COMMANDS.map(({ id }) => id);
  expect(ids).toHaveLength(new Set(ids).size);
});

test('signs that need Shift on some keyboards are themselves', () => {
  expect(does('?', { shiftKey: true })).toBe('page.keys');
  expect(does('+', { shiftKey: true })).toBe('play.faster');
  expect(does('X', { shiftKey: true })).toBe('step.drop.previous');
  expect(does('K')).toBe('play.toggle');
});

test('signs are found however a keyboard makes one type them', () => {
  const ways = { Linux: {}, Windows: { ctrlKey: true, altKey: true }, macOS: { altKey: true } };
  for (const [system, held] of Object.entries(ways)) {
    expect(does('[', held), system).toBe('range.from');
    expect(does(']', held), system).toBe('range.to');
    expect(isCharacter(press('[', held)), system).toBe(true);
  }
  expect(does('1', { altKey: true }), 'a tab of the browser').toBeUndefined();
  expect(does('k', { altKey: true, ctrlKey: true })).toBeUndefined();
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
  expect(partsOf('Ctrl+k')).toEqual(['Ctrl', 'K']);
});
