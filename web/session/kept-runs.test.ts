/** Figures that outlive the page: whose they are, which of too many stay, and a browser that keeps nothing. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Figures } from '../core/figures.ts';
import { KeptRuns } from './kept-runs.ts';

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));

const figures = (value: number): Figures => ({
  ...{ nanos: 1e9, stretches: [] },
  all: [
    {
      ...{ quantity: 'throughput', kind: 'run', name: '', unit: 'bit/s', value },
      ...{ packet: undefined, time: undefined },
    },
  ],
  told: ['throughput'],
});

test('what was kept is there on the next visit, and each once', async () => {
  const before = new KeptRuns('a');
  await before.keep('one', figures(1));
  await before.keep('two', figures(2));
  await before.keep('one', figures(1));
  const found = await new KeptRuns('a').read(['one', 'two', 'three']);
  expect([...found]).toEqual([
    ['one', figures(1)],
    ['two', figures(2)],
  ]);
});

test('another build of the model does not take them for its own, and one without a name keeps none', async () => {
  await new KeptRuns('a').keep('one', figures(1));
  expect(await new KeptRuns('b').read(['one'])).toEqual(new Map());
  const unnamed = new KeptRuns(undefined);
  await unnamed.keep('one', figures(1));
  expect(await unnamed.read(['one'])).toEqual(new Map());
});

test('of too many the oldest go', async () => {
  const runs = new KeptRuns('a', 2);
  for (const name of ['one', 'two', 'three']) await runs.keep(name, figures(1));
  expect([...(await runs.read(['one', 'two', 'three'])).keys()]).toEqual(['two', 'three']);
});

test('a browser that refuses to keep anything is no trouble', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new Error('blocked');
    },
  });
  const runs = new KeptRuns('a');
  await runs.keep('one', figures(1));
  expect(await runs.read(['one'])).toEqual(new Map());
});
