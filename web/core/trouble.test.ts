/** What goes wrong around the core is told by what it is, not by what the machine calls it. */
import { expect, test } from 'vitest';
import { troubleOf } from '../words/trouble.ts';
import { Engine } from './engine.ts';
import { Model } from './model.ts';
import { engineOnDisk, modelFilesOnDisk, modelOnDisk, paperFilesOnDisk, runOf } from './on-disk.ts';
import { isTrap, trapOf, TROUBLES } from './trouble.ts';

const unread = () => undefined;

/** A file that cannot be read behind this text, as it has changed; a folder not at all. */
function broken(text: string): Blob {
  const chunks = text === '' ? [] : [new TextEncoder().encode(text)];
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.error(new TypeError('network error'));
        else controller.enqueue(chunk);
      },
    });
  return { size: 1000, stream } as Blob;
}

const EVENT = '  <idle>-0  [000] ..s1.  1.000001: netif_receive_skb: dev=eth0 skbaddr=a1 len=92\n';

test.each(['', '# tracer: nop\n'])('a file that breaks off behind %j', async (text) => {
  const outcome = await engineOnDisk().open([{ name: 'a folder', data: broken(text) }], unread);
  expect(outcome).toEqual({ kind: 'failed', message: TROUBLES.file });
});

test('what came of a file before it broke off is opened, and so is another beside it', async () => {
  const whole = new Blob([EVENT]);
  const codes = async (...files: readonly Blob[]) => {
    const inputs = files.map((data) => ({ name: 'a file', data }));
    const opened = runOf(await engineOnDisk().open(inputs, unread));
    expect(opened.events).toBe(1);
    return opened.ledger.warnings.map(({ code }) => code);
  };
  expect(await codes(broken(EVENT))).toEqual(['import.unreadable']);
  expect(await codes(whole, broken(''))).toEqual(['import.file_left_out']);
  expect(await codes(new Blob(['no trace']), whole)).toEqual(['import.file_left_out']);
});

test('a module that could not be fetched is fetched again when it is asked for again', async () => {
  let isThere = false;
  const fetched = () =>
    isThere ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'));
  const model = async () => {
    await fetched();
    return modelOnDisk();
  };
  const engine = new Engine({ reader: fetched, model });
  await expect(engine.version()).rejects.toThrow(TROUBLES.fetch);
  await expect(engine.catalogue()).rejects.toThrow(TROUBLES.fetch);
  isThere = true;
  await expect(engine.version()).resolves.toMatch(/^\d/);
  expect((await engine.catalogue()).machines.length).toBeGreaterThan(5);
});

test('papers that could not be fetched are fetched again when they are asked for again', async () => {
  await engineOnDisk().catalogue();
  let isThere = false;
  const model = new Model(modelFilesOnDisk(), () =>
    isThere
      ? Promise.resolve(paperFilesOnDisk())
      : Promise.reject(new TypeError('Failed to fetch')),
  );
  await expect(model.published()).rejects.toThrow(TROUBLES.fetch);
  isThere = true;
  expect((await model.published()).length).toBeGreaterThan(4);
});

test('a data file that did not come is named', async () => {
  await engineOnDisk().catalogue();
  const files = modelFilesOnDisk();
  const isThere = ([path]: [string, string]) => path !== 'kernels/6.1.json';
  const rest = Object.fromEntries(Object.entries(files).filter(isThere));
  const model = new Model(rest, () => Promise.resolve({}));
  expect(() => model.catalogue([])).toThrow('data/kernels/6.1.json: it was not loaded');
  const whole = new Model(files, () => Promise.resolve({}));
  await expect(whole.published()).rejects.toThrow('data/papers/published.json: it was not loaded');
});

test('frames of a recording whose link nobody captured are refused by a code of their own', async () => {
  const engine = engineOnDisk();
  runOf(await engine.open([{ name: 'a file', data: new Blob([EVENT]) }], unread));
  const refusal = { code: 'export.no_frames', values: {}, isInferred: false };
  expect(await engine.saved('pcapng')).toEqual({
    kind: 'failed',
    message: refusal.code,
    refusal,
  });
  const saved = await engine.saved('ftrace');
  expect(saved.kind === 'ok' && saved.value.byteLength).toBeGreaterThan(50);
});

test('a trap is told by the words that the core noted, and without any as memory', () => {
  expect([trapOf('index out of bounds'), trapOf(undefined)].map(isTrap)).toEqual([true, true]);
  expect(troubleOf(trapOf('index out of bounds'))).toContain('index out of bounds');
  expect(troubleOf(trapOf(undefined))).toContain('memory');
});

test('every code has words, and what is said already stays as it is', () => {
  const words = Object.values(TROUBLES).map(troubleOf);
  expect(new Set(words).size).toBe(words.length);
  for (const text of words) expect(text).toMatch(/^[A-Z].*\.$/);
  expect(troubleOf('x.trace: line 7 is no line')).toBe('x.trace: line 7 is no line');
});

test.each([
  ['Chromium', new TypeError('Failed to fetch dynamically imported module: /assets/Palette.js')],
  ['Firefox', new TypeError('error loading dynamically imported module: /assets/Palette.js')],
  ['Safari', new TypeError('Importing a module script failed.')],
  ['vite', new Error('Unable to preload CSS for /assets/Palette.css')],
])('a part of the page that did not come is told alike, whatever %s calls it', (_, error) => {
  expect(troubleOf(error)).toBe(troubleOf(TROUBLES.fetch));
});

test('an error of a file is not taken for the network', () => {
  expect(troubleOf(new Error('x.trace: no import is written so'))).toContain('x.trace');
});
