/** The pinned board is read whole: every published number has its line, with the name it has in the study. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import { heldOutOf, pinnedRows, readBoard, type Printed } from './pinned.ts';

const folder = join(import.meta.dirname, '../../wasm-core/tests/board');

test('a line is read with its interval, its ratio and its note', () => {
  const board = readBoard(`Somebody (2006): Something

  ba.x  Table I: what
    within bound      3.400-7.800            3.363        2.6: SMP, HT on (range)
    missed fitted            2800     3600 ±31.8  1.29  2.4 starts failing above
                                                            The largest of 2000
                                                            with none refused.
           if             not met      54.6 ±0.210  1.36  the cores are half as slow again, so that a frame takes
                                                            longer
    chance bound     no significant gain     0.784 ±0.001        2.2.14
           if                 met            3.400        nothing is lost
    missed predicted         21.0      56.2 ±0.150  2.68  2.6 UNI
           if              chosen      21.7 ±0.007  1.03  the cores are quicker
    within given            800.0            800.0  1.00  processes
`);
  const same = { interval: 0, ratio: undefined, note: '', counterfactual: undefined };
  expect(board.get('ba.x')).toEqual([
    { ...same, verdict: 'within', kind: 'bound', modelled: 3.363, item: '2.6: SMP, HT on (range)' },
    {
      ...{ verdict: 'missed', kind: 'fitted', modelled: 3600, interval: 31.8, ratio: 1.29 },
      item: '2.4 starts failing above',
      note: 'The largest of 2000 with none refused.',
      counterfactual: {
        ...{ met: 'not met', modelled: 54.6, interval: 0.21, ratio: 1.36 },
        what: 'the cores are half as slow again, so that a frame takes longer',
      },
    },
    {
      ...same,
      ...{ verdict: 'chance', kind: 'bound', modelled: 0.784, interval: 0.001, item: '2.2.14' },
      counterfactual: {
        ...{ met: 'met', modelled: 3.4, interval: 0, ratio: undefined },
        what: 'nothing is lost',
      },
    },
    {
      ...same,
      ...{ verdict: 'missed', kind: 'predicted', modelled: 56.2, interval: 0.15, ratio: 2.68 },
      item: '2.6 UNI',
      counterfactual: {
        ...{ met: 'chosen', modelled: 21.7, interval: 0.007, ratio: 1.03 },
        what: 'the cores are quicker',
      },
    },
    { ...same, verdict: 'within', kind: 'given', modelled: 800, ratio: 1, item: 'processes' },
  ]);
});

test.each(readdirSync(folder))('every line of %s is read: its own sums hold', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const lines = [...readBoard(text).values()].flat();
  const sums = [
    ...text.matchAll(/^ {2}(predicted|fitted|fudged|bound|given) +(\d+) +(\d+) +(\d+)/gm),
  ];
  expect(sums).toHaveLength(5);
  for (const [, kind, ...counts] of sums) {
    const own = lines.filter((line) => line.kind === kind);
    const of = (verdict: Printed['verdict']) =>
      own.filter((line) => line.verdict === verdict).length;
    expect([kind, of('within'), of('missed'), of('chance')]).toEqual([kind, ...counts.map(Number)]);
  }
});

test('how many predictions rest on no fit to their own study is read beneath the boards', () => {
  const line = (count: number) =>
    `\n${count} of the predicted numbers are of runs in which nothing was fitted to their study, 1 of them within\n`;
  expect(heldOutOf([line(3), 'none of these is predicted', line(0), line(12)])).toBe(15);
});

test('every published number has its pinned one, in the same order', async () => {
  const studies = await engineOnDisk().published();
  const pinned = pinnedRows(studies);
  for (const { id, items } of studies.flatMap(({ entries }) => entries))
    expect(pinned.get(id)?.map(({ item }) => item)).toEqual(items.map(({ item }) => item));
});
