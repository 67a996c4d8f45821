/** What goes wrong around the core is told by what it is, not by what the machine calls it. */
import { expect, test } from 'vitest';
import { wordsOf } from '../words/trouble.ts';
import { Engine } from './engine.ts';
import { engineOnDisk } from './on-disk.ts';
import { isTrap, trapOf, TROUBLES } from './trouble.ts';

const unread = () => undefined;

/** A file that cannot be read to its end, as a folder cannot. */
const broken = {
  size: 1000,
  stream: () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('# tracer: nop\n')),
      pull: (controller) => controller.error(new TypeError('network error')),
    }),
} as Blob;

test('a file that breaks off while it is read', async () => {
  const outcome = await engineOnDisk().open([{ name: 'a folder', data: broken }], unread);
  expect(outcome).toEqual({ kind: 'failed', message: TROUBLES.file });
});

test('a module that could not be fetched is fetched again when it is asked for again', async () => {
  let isThere = false;
  const engine = new Engine(() =>
    isThere ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch')),
  );
  await expect(engine.version()).rejects.toThrow(TROUBLES.fetch);
  isThere = true;
  await expect(engine.version()).resolves.toMatch(/^\d/);
});

test('a trap is told by the words that the core noted, and without any as memory', () => {
  expect([trapOf('index out of bounds'), trapOf(undefined)].map(isTrap)).toEqual([true, true]);
  expect(wordsOf(trapOf('index out of bounds').message)).toContain('index out of bounds');
  expect(wordsOf(trapOf(undefined).message)).toContain('memory');
});

test('every code has words, and what is said already stays as it is', () => {
  const words = Object.values(TROUBLES).map(wordsOf);
  expect(new Set(words).size).toBe(words.length);
  for (const text of words) expect(text).toMatch(/^[A-Z].*\.$/);
  expect(wordsOf('x.trace: line 7 is no line')).toBe('x.trace: line 7 is no line');
});
