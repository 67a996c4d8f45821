/** Curves are distinguishable: labels do not overlap, and each has a different shape. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, LOOKS, outline, spread } from './curves.ts';

test('labels stay in their order, apart and within the bounds, and where there is room where they belong', () => {
  const places = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(places, (wanted) => {
      const got = spread(wanted, 15, [0, 300]);
      const sorted = [...got].sort((a, b) => a - b);
      sorted.slice(1).forEach((at, before) => {
        expect(at - (sorted[before] ?? 0)).toBeGreaterThanOrEqual(15 - 1e-9);
      });
      expect(Math.min(...got)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...got)).toBeLessThanOrEqual(300);
    }),
  );
  expect(spread([100, 40, 200], 15, [0, 300])).toEqual([100, 40, 200]);
  expect(spread([100, 100], 15, [0, 300])).toEqual([100, 115]);
});

test('each curve has a colour and a shape of its own', () => {
  const shapes = [...LOOKS.map(({ shape }) => shape), 'star' as const];
  expect(new Set(shapes.map((shape) => outline(shape, 0, 0, 4))).size).toBe(7);
  expect(new Set(LOOKS.map(({ ink }) => ink)).size).toBe(6);
  expect(outline('square', 10, 20, 4)).toBe('M6.6 16.6L13.4 16.6L13.4 23.4L6.6 23.4Z');
});

test('a text is broken between its pieces, and a piece that is too long stands alone', () => {
  expect(linesOf(['Time', 'on', 'the', 'way'], ' ', 7)).toEqual(['Time on', 'the way']);
  expect(linesOf(['interrupts', 'a'], ' · ', 4)).toEqual(['interrupts', 'a']);
  expect(linesOf([], ' ', 4)).toEqual([]);
});
