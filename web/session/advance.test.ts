/** The playhead's steps: true-time and event pacing, both directions, ends and loops. */
import { expect, test } from 'vitest';
import { advance, gapAt, scaleAt, type Film } from './advance.ts';
import { film } from './testing.ts';

const byEvent = (changes: Partial<Film> = {}) => film({ pacing: 'event', ...changes });

const after = (time: number, elapsedMs: number, how: Film) => advance(time, elapsedMs, how).time;

test('true time: a second of film passes `speed` nanoseconds', () => {
  expect(after(0, 1000, film())).toBe(1000);
  expect(after(500, 16, film())).toBe(516);
  expect(after(5000, 1000, film({ isReversed: true }))).toBe(4000);
});

test('the run ends where it ends, in both directions', () => {
  expect(advance(9500, 1000, film())).toEqual({ time: 10_000, isOver: true });
  expect(advance(500, 1000, film({ isReversed: true }))).toEqual({ time: 0, isOver: true });
  expect(advance(500, 100, film()).isOver).toBe(false);
});

test('a loop goes around, from outside begins at its start, and is never over', () => {
  const loop = { from: 2000, to: 3000 };
  expect(after(2800, 500, film({ loop }))).toBe(2300);
  expect(after(8000, 100, film({ loop }))).toBe(2100);
  expect(after(2200, 500, film({ loop, isReversed: true }))).toBe(2700);
  expect(after(9000, 100, film({ loop, isReversed: true }))).toBe(2900);
  expect(advance(9990, 1000, film({ loop: { from: 0, to: 10_000 } })).isOver).toBe(false);
});

test('event pacing: every gap takes the same film, short or long', () => {
  // Two gaps a second: 500 ms each, whether they are 100 ns or 1000 ns long.
  expect(after(0, 500, byEvent())).toBe(100);
  expect(after(100, 500, byEvent())).toBe(1100);
  expect(after(0, 250, byEvent())).toBe(50);
  expect(after(0, 1250, byEvent())).toBe(1105);
  expect(after(1110, 500, byEvent({ isReversed: true }))).toBe(1100);
  expect(after(1105, 500, byEvent({ isReversed: true }))).toBe(600);
});

test('event pacing waits at the last moment it knows, and reaches the end of the run', () => {
  expect(after(0, 1000, byEvent({ moments: Float64Array.of(0, 100) }))).toBe(100);
  expect(after(0, 1000, byEvent({ moments: new Float64Array() }))).toBe(0);
  expect(advance(9500, 1000, byEvent())).toEqual({ time: 10_000, isOver: true });
});

test('small steps come to the same place as one big step', () => {
  for (const how of [
    film(),
    byEvent(),
    film({ isReversed: true }),
    byEvent({ isReversed: true }),
  ]) {
    let time = 5000;
    for (let step = 0; step < 100; step += 1) time = after(time, 7, how);
    expect(time).toBeCloseTo(after(5000, 700, how), 6);
  }
});

test('the scale is told whatever the pacing', () => {
  expect(scaleAt(0, film())).toBe(1000);
  expect(scaleAt(50, byEvent())).toBe(200);
  expect(scaleAt(100, byEvent())).toBe(2000);
  expect(scaleAt(100, byEvent({ isReversed: true }))).toBe(200);
  expect(scaleAt(50, byEvent({ moments: new Float64Array() }))).toBe(1000);
});

test('exactly on an event, the gap is the one about to be entered', () => {
  const moments = Float64Array.of(0, 10, 30);
  expect(gapAt(10, moments, false)).toEqual({ from: 10, to: 30 });
  expect(gapAt(10, moments, true)).toEqual({ from: 0, to: 10 });
  expect(gapAt(30, moments, false)).toBeUndefined();
  expect(gapAt(0, moments, true)).toBeUndefined();
});
