/**
 * Zoom and pan as arithmetic: out is the inverse of in, and nothing is shown beyond the run.
 */
import { expect, test } from 'vitest';
import { SHORTEST } from '../scene/timeline/things.ts';
import { panned, zoomed } from './zoom.ts';

const DURATIONS = [1e3, 87_654_321, 3e9, 6e11];
const SHARES = [1, 0.37, 1e-3, 1e-6];
const PLACES = [0, 0.5, 1];

/** Stretches of every length in runs of every length. */
const cases = DURATIONS.flatMap((duration) =>
  SHARES.flatMap((share) =>
    PLACES.map((place) => {
      const length = Math.max(2 * SHORTEST, duration * share);
      const from = (duration - length) * place;
      return { duration, from, to: from + length };
    }),
  ),
);

test('zooming in and out again shows the same', () => {
  for (const { duration, from, to } of cases) {
    const center = from + (to - from) / 4;
    const inner = zoomed({ from, to }, duration, 2, center);
    const outer = zoomed(inner, duration, 1 / 2, center) ?? { from: 0, to: duration };
    expect(Math.abs(outer.from - from)).toBeLessThanOrEqual(duration * 1e-12 + 1e-6);
    expect(Math.abs(outer.to - to)).toBeLessThanOrEqual(duration * 1e-12 + 1e-6);
  }
});

test('no zoom and no pan leads out of the run', () => {
  for (const { duration, from, to } of cases) {
    const moves = [
      zoomed({ from, to }, duration, 1 / 3, from),
      panned({ from, to }, duration, -0.8),
      panned({ from, to }, duration, 0.8),
    ];
    for (const moved of moves) {
      const shown = moved ?? { from: 0, to: duration };
      expect(shown.from).toBeGreaterThanOrEqual(0);
      expect(shown.to).toBeLessThanOrEqual(duration * (1 + 1e-12));
    }
  }
});

test('the whole run is no zoom, and the shortest stretch is not made shorter', () => {
  expect(zoomed({ from: 10, to: 60 }, 100, 1 / 2, 30)).toBeUndefined();
  const shortest = zoomed({ from: 0, to: SHORTEST }, 1000, 2, 5);
  expect(shortest).toEqual({ from: 0, to: SHORTEST });
});
