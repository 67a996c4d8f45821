/** What the browser keeps, and a browser that refuses to. */
import { afterEach, expect, test, vi } from 'vitest';
import { keep, kept, whenNotKept } from './kept.ts';

afterEach(() => vi.unstubAllGlobals());

test('what was kept is read again', () => {
  const store = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
  expect(kept('a')).toBeUndefined();
  keep('a', 'text');
  expect(kept('a')).toBe('text');
});

test('a storage that refuses keeps nothing, and nothing breaks', () => {
  const refuse = () => {
    throw new Error('full');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  expect(() => keep('a', 'text')).not.toThrow();
  expect(kept('a')).toBeUndefined();
});

test('that nothing is kept is told once', () => {
  const refuse = () => {
    throw new Error('full');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  let times = 0;
  whenNotKept(() => (times += 1));
  expect([keep('a', 'text'), keep('b', 'text'), times]).toEqual([false, false, 1]);
});

test('where storage is blocked there is none at all', () => {
  vi.stubGlobal('localStorage', undefined);
  keep('a', 'text');
  expect(kept('a')).toBeUndefined();
});
