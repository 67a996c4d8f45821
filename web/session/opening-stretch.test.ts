/** The time line opens on what is told of the run, and on all of it where that is nearly all. */
import { expect, test } from 'vitest';
import { openingStretch } from './opening-stretch.ts';
import { NOTHING_TOLD } from './told.ts';

const told = (...times: readonly number[]) => ({
  beats: { ...NOTHING_TOLD.beats, time: Float64Array.from(times) },
});

test('it opens on what is told, with a little around it', () => {
  expect(openingStretch(told(2000, 2500, 3000), 10_000)).toEqual({ from: 1960, to: 3040 });
  expect(openingStretch(told(0, 1000), 10_000)).toEqual({ from: 0, to: 1040 });
});

test('nearly all of a run is all of it', () => {
  expect(openingStretch(told(100, 9_000), 10_000)).toBeUndefined();
});

test('of a run in which nothing is told, all is shown', () => {
  expect(openingStretch(told(), 10_000)).toBeUndefined();
  expect(openingStretch(told(5), 10_000)).toBeUndefined();
});
