/** The board: entries run one at a time, results are kept, and stopping aborts the run at once. */
import { expect, test } from 'vitest';
import type { Outcome } from '../core/core.ts';
import type { Reproduced, Study } from '../core/simulation.ts';
import { Board } from './board.svelte.ts';

const entry = (id: string) => ({
  ...{ id, where: '', what: id, unit: 'us', conditions: '', items: [] },
});
const studies: readonly Study[] = [
  {
    ...{ name: 's', title: 'S', authors: 'A', year: 2006, machine: 'M' },
    entries: [entry('a'), entry('b'), entry('c')],
  },
];
const row = (within: boolean | 'chance', kind: Reproduced['kind'], ratio = 1): Reproduced => ({
  ...{ entry: 'a', item: 'x', unit: 'us', published: 1, modelled: 1, interval: 0, ratio },
  ...{ kind, tolerance: 0.1, scenario: '', note: '' },
  verdict: within === 'chance' ? within : within ? 'within' : 'missed',
});

/** A board whose experiments the test ends by hand. */
function scene() {
  const asked: string[] = [];
  let finish: (outcome: Outcome<readonly Reproduced[]>) => void = () => undefined;
  const board = new Board(
    {
      reproduce: (id) => {
        asked.push(id);
        return new Promise((resolve) => (finish = resolve));
      },
      stopReproducing: () => finish({ kind: 'cancelled' }),
    },
    studies,
    new Map([['b', [row(false, 'fitted')]]]),
  );
  const answer = async (outcome: Outcome<readonly Reproduced[]>) => {
    finish(outcome);
    await settled();
  };
  return { board, asked, answer };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const ok = (...value: readonly Reproduced[]) => ({ kind: 'ok', value }) as const;

test('entries run one after the other and what is done is counted', async () => {
  const { board, asked, answer } = scene();
  board.run(board.entries);
  expect([asked, board.running, board.isWaiting('b')]).toEqual([['a'], 'a', true]);
  await answer(ok(row(true, 'fitted'), row(false, 'predicted')));
  expect([asked, board.running, board.finished, board.asked]).toEqual([['a', 'b'], 'b', 1, 3]);
  await answer({ kind: 'failed', message: 'not modelled' });
  await answer(ok(row(true, 'predicted')));
  expect(board.running).toBeUndefined();
  expect(board.totals).toEqual({
    ...{
      numbers: 4,
      predicted: 1,
      allPredicted: 2,
      ofOthers: { all: 2, met: 1 },
      fitted: 1,
      fudged: 0,
      bound: 0,
      given: 0,
      missed: 2,
      chance: 0,
      factors: { half: 1, most: 1 },
      entriesDone: 2,
      entries: 3,
    },
  });
  expect([board.resultOf('b'), board.left]).toEqual([
    { kind: 'failed', message: 'not modelled' },
    [],
  ]);
});

test('what is given counts as missed no more than as met', async () => {
  const { board, answer } = scene();
  board.run(['a']);
  await answer(ok(row(false, 'given'), row(true, 'given'), row(false, 'bound')));
  expect(board.totals).toMatchObject({ numbers: 4, given: 1, missed: 2 });
});

test('what chance decides is neither met nor missed', async () => {
  const { board, answer } = scene();
  board.run(['a']);
  await answer(ok(row('chance', 'predicted'), row('chance', 'given')));
  expect(board.totals).toMatchObject({ predicted: 0, allPredicted: 1, missed: 1, chance: 1 });
});

test('half of the predicted numbers and nine in ten are no fewer, whichever way they are off', async () => {
  const { board, answer } = scene();
  board.run(['a']);
  const ratios = [1, 0.5, 3, 0.25, 5, 6, 7];
  await answer(
    ok(...ratios.map((ratio) => row(true, 'predicted', ratio)), {
      ...row(true, 'predicted'),
      ratio: undefined,
    }),
  );
  // 4 of 7 are half of them or more, and 7 of 7 are nine in ten or more: 6 would be 86 %.
  expect(board.totals.factors).toEqual({ half: 4, most: 7 });
});

test('ours are told from those of others', async () => {
  const { board, answer } = scene();
  board.run(['a', 'b']);
  await answer(ok(row(true, 'predicted'), row(true, 'predicted')));
  await answer(ok(row(true, 'predicted'), row(true, 'fitted')));
  expect(board.totals).toMatchObject({ predicted: 3, ofOthers: { all: 3, met: 3 } });
  const own = new Board(
    { reproduce: () => Promise.resolve({ kind: 'cancelled' }), stopReproducing: () => undefined },
    studies.map((study) => ({ ...study, name: 'own-host' })),
    new Map([['b', [row(true, 'predicted')]]]),
  );
  expect(own.totals).toMatchObject({ predicted: 1, ofOthers: { all: 0, met: 0 } });
});

test('what was not run here is as it was pinned', async () => {
  const { board, answer } = scene();
  expect(board.totals).toMatchObject({ numbers: 1, missed: 1, entriesDone: 0 });
  expect(board.rowsOf('a')).toEqual([]);
  expect(board.rowsOf('b')).toHaveLength(1);
  board.run(['b']);
  await answer(ok(row(true, 'fitted'), row(true, 'fitted')));
  expect(board.totals).toMatchObject({ numbers: 2, missed: 0, fitted: 2, entriesDone: 1 });
});

test('an entry that runs or waits is not asked for twice; one that is done can be run again', async () => {
  const { board, asked, answer } = scene();
  board.run(['a']);
  board.run(['a', 'b', 'b']);
  expect(board.asked).toBe(2);
  await answer(ok());
  await answer(ok());
  board.run(['a']);
  expect([asked, board.asked, board.finished]).toEqual([['a', 'b', 'a'], 1, 0]);
});

test('stopping keeps what is done and forgets what waits', async () => {
  const { board, asked, answer } = scene();
  board.run(board.entries);
  await answer(ok(row(true, 'fitted')));
  board.stop();
  await settled();
  expect([asked, board.running, board.resultOf('b'), board.left]).toEqual([
    ['a', 'b'],
    undefined,
    undefined,
    ['b', 'c'],
  ]);
  expect(board.resultOf('a')?.kind).toBe('done');
});
