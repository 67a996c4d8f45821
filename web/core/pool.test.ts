/** Scenarios that are tried out: so many at once, the rest in their order, and none after it is not wanted. */
import { expect, test } from 'vitest';
import type { Outcome } from './core.ts';
import { fakeCalls, NO_FIGURES } from './fake-core.ts';
import type { Figures } from './figures.ts';
import { Line } from './line.ts';
import { engineOnDisk, scenarioOnDisk } from './on-disk.ts';
import { openPool } from './pool.ts';

const unheard: (outcome: Outcome<Figures>) => void = () => undefined;

function scene(cores: number) {
  const seats: { running: string[]; end: (outcome: Outcome<Figures>) => void; halted: number }[] =
    [];
  const takeLine = () => {
    const seat = { running: [] as string[], end: unheard, halted: 0 };
    seats.push(seat);
    const calls = fakeCalls({
      tryOut: (scenario) => {
        seat.running.push(scenario);
        return new Promise((resolve) => (seat.end = resolve));
      },
      halt: () => {
        seat.halted += 1;
        seat.end({ kind: 'cancelled' });
        return Promise.resolve();
      },
    });
    return new Line({ calls, broken: new Promise(() => undefined), end: () => undefined });
  };
  const { tryOut } = openPool(takeLine, cores);
  return { tryOut, seats };
}

const fine: Outcome<Figures> = { kind: 'ok', value: NO_FIGURES };

test('as many run at once as there are cores, and a worker is used again', async () => {
  const { tryOut, seats } = scene(2);
  const { signal } = new AbortController();
  const all = ['a', 'b', 'c', 'd'].map((scenario) => tryOut(scenario, signal));
  expect(seats.map(({ running }) => running)).toEqual([['a'], ['b']]);
  seats[1]!.end(fine);
  await all[1];
  expect(seats.map(({ running }) => running)).toEqual([['a'], ['b', 'c']]);
  seats[1]!.end(fine);
  await all[2];
  seats[0]!.end(fine);
  await all[0];
  seats[1]!.end(fine);
  expect(await Promise.all(all)).toEqual([fine, fine, fine, fine]);
  expect(seats).toHaveLength(2);
});

test('what is not wanted any more is halted where it runs, and never begun where it waits', async () => {
  const { tryOut, seats } = scene(1);
  const abort = new AbortController();
  const first = tryOut('a', abort.signal);
  const second = tryOut('b', abort.signal);
  const other = tryOut('c', new AbortController().signal);
  abort.abort();
  expect(await Promise.all([first, second])).toEqual([
    { kind: 'cancelled' },
    { kind: 'cancelled' },
  ]);
  seats[0]!.end(fine);
  expect(await other).toEqual(fine);
  expect(seats[0]).toMatchObject({ running: ['a', 'c'], halted: 1 });
});

test('what is halted while its worker loads the model is not begun', async () => {
  const engine = engineOnDisk();
  const tried = engine.tryOut(scenarioOnDisk('today-flood-socket'));
  await engine.halt();
  expect(await tried).toEqual({ kind: 'cancelled' });
});
