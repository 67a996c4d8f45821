/**
 * d3's picture of a stretch and back: the same stretch, at every scale, never beyond the whole.
 */
import { expect, test } from 'vitest';
import { stretchOf, transformOf } from './zoom.ts';

const WIDTH = 1000;

test('a stretch survives the way through d3', () => {
  for (const whole of [1e3, 8e7, 1e10]) {
    for (const length of [20, whole / 7, whole]) {
      for (const place of [0, 0.3, 1]) {
        const from = (whole - length) * place;
        const there = { from, to: from + length, whole, width: WIDTH, shortest: 20 };
        const back = stretchOf(transformOf(there), WIDTH, whole);
        expect(Math.abs(back.from - there.from)).toBeLessThan(length / WIDTH / 10);
        expect(Math.abs(back.to - there.to)).toBeLessThan(length / WIDTH / 10);
      }
    }
  }
});

test('a transform beyond the edges shows the edge', () => {
  expect(stretchOf({ k: 2, x: 500 }, WIDTH, 100)).toEqual({ from: 0, to: 50 });
  expect(stretchOf({ k: 2, x: -5000 }, WIDTH, 100)).toEqual({ from: 50, to: 100 });
});
