/** Callers and callees in constructed profiles. */
import { expect, test } from 'vitest';
import type { ProfileStack } from '../../core/profile.ts';
import { aroundOf } from './calls.ts';

const SPINNING = 5;

const stack = (cpu: number, context: number, way: string, nanos: number, calls: number) =>
  ({ cpu, context, within: way.split('/'), nanos, calls, lines: 0 }) satisfies ProfileStack;

const stacks = [
  stack(0, 2, 'recv/kfree', 300, 3),
  stack(1, 2, 'recv/kfree', 100, 4),
  stack(0, 3, 'rx/kfree', 200, 20),
  stack(0, 2, 'recv/copy', 900, 5),
  stack(0, 2, 'copy/copy', 50, 1),
  stack(0, SPINNING, 'slock/recv/kfree', 80, 2),
];

test('a function is called by the paths of each context, over all CPUs', () => {
  expect(aroundOf(stacks, 'kfree', SPINNING)).toEqual({
    ...{ name: 'kfree', isPath: false, nanos: 600, calls: 27, callees: [] },
    callers: [
      { name: 'rx', context: 3, nanos: 200, calls: 20 },
      { name: 'recv', context: 2, nanos: 400, calls: 7 },
    ],
  });
});

test('a path is run in contexts and calls functions', () => {
  expect(aroundOf(stacks, 'recv', SPINNING)).toEqual({
    ...{ name: 'recv', isPath: true, nanos: 1300, calls: 12 },
    callers: [{ name: '', context: 2, nanos: 1300, calls: 12 }],
    callees: [
      { name: 'kfree', context: 2, nanos: 400, calls: 7 },
      { name: 'copy', context: 2, nanos: 900, calls: 5 },
    ],
  });
});

test('a function that has the name of its path is meant by it, a lock is nobody who is called', () => {
  expect(aroundOf(stacks, 'copy', SPINNING)).toMatchObject({ isPath: false, calls: 6 });
  expect(aroundOf(stacks, 'slock', SPINNING)).toBe(undefined);
});
