/** What the Lab tries out: what runs, in which order, what is kept and what is told. */
import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import type { Outcome } from '../core/core.ts';
import { fakeCore, NO_FIGURES } from '../core/fake-core.ts';
import type { Figures, SoFar } from '../core/figures.ts';
import { Experiment } from './experiment.svelte.ts';
import { overSeeds, SEEDS, TriedOut, withSeed } from './tried-out.ts';

const one = '{"machine":"quick","seed":1}';
const other = '{"machine":"slow","seed":1}';

/** An experiment whose runs end when the test says so. */
function scene(refuse?: string) {
  const asked: {
    scenario: string;
    end: () => Promise<void>;
    signal: AbortSignal;
    tell: ((soFar: SoFar) => void) | undefined;
  }[] = [];
  const core = fakeCore({
    tryOut: (scenario, signal, _machines, tell) =>
      new Promise<Outcome<Figures>>((resolve) => {
        const outcome: Outcome<Figures> =
          refuse !== undefined && scenario.includes(refuse)
            ? { kind: 'failed', message: 'machine: nothing is called so' }
            : { kind: 'ok', value: { ...NO_FIGURES } };
        const end = () => {
          resolve(outcome);
          return settled();
        };
        asked.push({ scenario, signal, end, tell });
      }),
  });
  const experiment = new Experiment(core, new TriedOut(core, () => []));
  return { experiment, asked };
}

/** All that follows from what has happened has happened. */
async function settled() {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  flushSync();
}

test('a scenario by itself runs with its own seed first, and both sides of its figures are its runs', async () => {
  const { experiment, asked } = scene();
  const done = experiment.try(one, one);
  expect(asked.map(({ scenario }) => scenario)).toEqual(
    Array.from({ length: SEEDS }, (_, seed) => withSeed(one, seed)),
  );
  expect([experiment.before, experiment.isSettled]).toEqual([undefined, false]);
  for (const { end } of asked) await end();
  await done;
  expect([experiment.after?.runs.length, experiment.isSettled]).toEqual([SEEDS, true]);
  expect([experiment.before, experiment.comparison?.runs]).toEqual([undefined, [SEEDS, SEEDS]]);
});

test('what was changed runs before what it is compared with, turn by turn', async () => {
  const { experiment, asked } = scene();
  const done = experiment.try(other, one);
  const first = asked.slice(0, 4).map(({ scenario }) => scenario);
  expect(first).toEqual([
    withSeed(other, 0),
    withSeed(one, 0),
    withSeed(other, 1),
    withSeed(one, 1),
  ]);
  await asked[0]!.end();
  expect(experiment.comparison).toBeUndefined();
  await asked[1]!.end();
  expect(experiment.comparison?.runs).toEqual([1, 1]);
  for (const { end } of asked.slice(2)) await end();
  await done;
  expect(experiment.comparison?.runs).toEqual([SEEDS, SEEDS]);
});

test('of the first run that was asked for it is told what has come so far, until it is there', async () => {
  const { experiment, asked } = scene();
  const soFar: SoFar = { figures: NO_FIGURES, simulated: 10_000, duration: 40_000 };
  void experiment.try(other, one);
  expect(asked.filter(({ tell }) => tell !== undefined)).toEqual([asked[0]]);
  asked[0]!.tell?.(soFar);
  expect(experiment.soFar).toEqual(soFar);
  await asked[0]!.end();
  expect(experiment.soFar).toBeUndefined();
  // What is told of a run that is not wanted any more is not heard.
  const third = '{"machine":"third","seed":1}';
  void experiment.try(third, one);
  asked[0]!.tell?.(soFar);
  expect(experiment.soFar).toBeUndefined();
});

test('the same scenario in another order of its fields is no change', () => {
  const { experiment, asked } = scene();
  void experiment.try('{"seed":1,"machine":"quick"}', one);
  expect(asked).toHaveLength(SEEDS);
  expect(experiment.before).toBeUndefined();
});

test('what has run is not run again, whatever it is compared with next', async () => {
  const { experiment, asked } = scene();
  const first = experiment.try(one, one);
  for (const { end } of asked) await end();
  await first;
  void experiment.try(other, one);
  expect(asked.slice(SEEDS).every(({ scenario }) => scenario.includes('slow'))).toBe(true);
  expect(experiment.before?.runs).toHaveLength(SEEDS);
  for (const { end } of asked.slice(SEEDS)) await end();
  const back = experiment.try(one, other);
  await back;
  expect(asked).toHaveLength(2 * SEEDS);
  expect(experiment.comparison?.runs).toEqual([SEEDS, SEEDS]);
});

test('a change ends what is under way, and what still comes of it is not taken', async () => {
  const { experiment, asked } = scene();
  void experiment.try(one, one);
  void experiment.try(other, other);
  expect(asked.slice(0, SEEDS).every(({ signal }) => signal.aborted)).toBe(true);
  await asked[0]!.end();
  expect(experiment.after).toMatchObject({ scenario: other, runs: [] });
});

test('what the core refuses is told of the side that it is of', async () => {
  const { experiment, asked } = scene('slow');
  const done = experiment.try(other, one);
  for (const { end } of asked) await end();
  await done;
  expect(experiment.after?.refused?.message).toBe('machine: nothing is called so');
  expect(experiment.before?.refused).toBeUndefined();
  expect(experiment.comparison).toBeUndefined();
});

test('what came so far of a run that was refused in the end is not told: the whole does not follow', async () => {
  const { experiment, asked } = scene('slow');
  void experiment.try(other, one);
  asked[0]!.tell?.({ figures: NO_FIGURES, simulated: 10_000, duration: 40_000 });
  await asked[0]!.end();
  expect(experiment.after?.refused).toBeDefined();
  expect(experiment.soFar).toBeUndefined();
});

test('after the largest seed comes the first: each is one that the core takes', () => {
  const last = `{"machine":"quick","seed":${String(Number.MAX_SAFE_INTEGER)}}`;
  const seeds = overSeeds(last).map((text) => (JSON.parse(text) as { seed: number }).seed);
  expect(seeds).toEqual([Number.MAX_SAFE_INTEGER, 0, 1, 2, 3, 4]);
});

test('where the core has no words or no comparison, that is said, and it is settled', async () => {
  for (const broken of ['glossary', 'compare'] as const) {
    const core = fakeCore({ [broken]: () => Promise.reject(new Error('core.fetch')) });
    const experiment = new Experiment(core, new TriedOut(core, () => []));
    await experiment.try(other, one);
    expect(experiment.after?.refused?.message, broken).toBe('core.fetch');
    expect(experiment.isSettled, broken).toBe(true);
  }
});
