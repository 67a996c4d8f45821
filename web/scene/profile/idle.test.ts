/** Idle time in constructed profiles. */
import { expect, test } from 'vitest';
import type { Profile } from '../../core/profile.ts';
import { barsOf, rowsOf, treeOf } from './flame.ts';
import { withIdle } from './idle.ts';

const IDLE = 1;
const stack = (cpu: number, context: number, nanos: number) =>
  ({ cpu, context, within: [], nanos, calls: undefined, lines: undefined }) as const;
const profile: Profile = {
  source: 'recorded',
  elapsed: 1000,
  cpus: 2,
  stacks: [stack(0, 0, 500), stack(2, 3, 10)],
  locks: [],
  rest: 0,
};

test('what a profile does not tell of the time of its CPUs is idle, so bars are parts of all of it', () => {
  const whole = withIdle(profile, [0, 2], IDLE);
  expect(rowsOf(treeOf(whole, false), '').map(({ context, nanos }) => [context, nanos])).toEqual([
    [IDLE, 1490],
    [0, 500],
    [3, 10],
  ]);
  const unknown = barsOf(treeOf(whole, false), '', 0).find(({ place }) => place.name === '0');
  expect(unknown!.to - unknown!.from).toBeCloseTo(0.25);
  // Each CPU has the same width.
  const cpus = barsOf(treeOf(whole, true), '', 0).filter(({ place }) => place.kind === 'cpu');
  expect(cpus.map(({ weight }) => weight)).toEqual([1000, 1000]);
});

test('stacks that are not handed out are not idle, and a CPU that was busy throughout has none', () => {
  const busy = { ...profile, cpus: 1, stacks: [stack(0, 3, 900)], rest: 100 };
  expect(withIdle(busy, [0], IDLE).stacks).toEqual(busy.stacks);
});

test('where nothing is told of the CPUs nothing is idle', () => {
  expect(withIdle({ ...profile, stacks: [] }, [0, 2], IDLE).stacks).toEqual([]);
});
