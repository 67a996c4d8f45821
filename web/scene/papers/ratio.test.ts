/** The scale of ratios: symmetric, and with nothing outside of its box. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ratioMark } from './ratio.ts';

test('a ratio of 1 is in the middle, in the middle of its band', () => {
  const mark = ratioMark(1, 0, 0.1);
  expect(mark.at).toBeCloseTo(0.5);
  expect(mark.bandFrom).toBeLessThan(0.5);
  expect(mark.bandTo).toBeGreaterThan(0.5);
  expect([mark.from, mark.to, mark.beyond]).toEqual([mark.at, mark.at, undefined]);
});

test('so much more and so much less are as far from the middle', () => {
  expect(ratioMark(1.5, 0, 0.1).at - 0.5).toBeCloseTo(0.5 - ratioMark(1 / 1.5, 0, 0.1).at);
});

test('what is off the scale stands at its edge and is told', () => {
  expect(ratioMark(7, 0, 0.1)).toMatchObject({ at: 1, beyond: 'right' });
  expect(ratioMark(0, 0, 0.1)).toMatchObject({ at: 0, beyond: 'left' });
});

test('every part of every mark is in the box, in its order', () => {
  const positive = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(
      positive,
      positive,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ratio, half, by) => {
        const { at, from, to, bandFrom, bandTo } = ratioMark(ratio, half, by);
        expect([from, at, to, 1]).toEqual([from, at, to, 1].sort((a, b) => a - b));
        expect(from).toBeGreaterThanOrEqual(0);
        expect(bandFrom).toBeLessThanOrEqual(bandTo);
      },
    ),
  );
});
