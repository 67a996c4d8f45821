/** The pinned board is read whole: every published number has its line, with the name it has in the study. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import { pinnedRows, readBoard } from './pinned.ts';

const folder = join(import.meta.dirname, '../../wasm-core/tests/board');

test('a line is read with its interval, its ratio and its note', () => {
  const board = readBoard(`Somebody (2006): Something

  ba.x  Table I: what
    within predicted  3.400-7.800            3.363        2.6: SMP, HT on (range)
    missed fitted            2800     3600 ±31.8  1.29  2.4 starts failing above
                                                            The largest of 2000
                                                            with none refused.
    within predicted no significant gain     0.784 ±0.001        2.2.14
`);
  const same = { interval: 0, ratio: undefined, note: '' };
  expect(board.get('ba.x')).toEqual([
    { ...same, within: true, kind: 'predicted', modelled: 3.363, item: '2.6: SMP, HT on (range)' },
    {
      ...{ within: false, kind: 'fitted', modelled: 3600, interval: 31.8, ratio: 1.29 },
      item: '2.4 starts failing above',
      note: 'The largest of 2000 with none refused.',
    },
    { ...same, within: true, kind: 'predicted', modelled: 0.784, interval: 0.001, item: '2.2.14' },
  ]);
});

test.each(readdirSync(folder))('every line of %s is read: its own sums hold', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const lines = [...readBoard(text).values()].flat();
  const [, within, missed] = /^ {2}all +(\d+) +(\d+)$/m.exec(text) ?? [];
  expect(lines.filter((line) => line.within).length).toBe(Number(within));
  expect(lines.filter((line) => !line.within).length).toBe(Number(missed));
});

test('every published number has its pinned one, in the same order', async () => {
  const studies = await engineOnDisk().published();
  const pinned = pinnedRows(studies);
  for (const { id, items } of studies.flatMap(({ entries }) => entries))
    expect(pinned.get(id)?.map(({ item }) => item)).toEqual(items.map(({ item }) => item));
});
