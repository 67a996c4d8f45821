/** Points lie on a law's line exactly if the measurement equals the law's value. */
import { expect, test } from 'vitest';
import { pictureOf } from './points.ts';

const SIZE = { width: 112, height: 112 };
const point = (x: number, y: number, law = y, series = '') => ({ x, y, law, isHeld: true, series });

test('on a logarithmic scale each factor is as far, and what is not above zero has no place', () => {
  const picture = pictureOf([point(1, 1), point(10, 10), point(100, 100), point(0, 5)], true, SIZE);
  expect(picture.dots.map(({ x }) => Math.round(x))).toEqual([6, 56, 106]);
  expect(picture.dots.map(({ y }) => Math.round(y))).toEqual([106, 56, 6]);
  expect(picture.lines).toHaveLength(1);
});

test('a point that is above the law is above its line', () => {
  const { dots, lines } = pictureOf([point(1, 4, 2), point(2, 3, 3)], false, SIZE);
  const [, lineY] = /^M[\d.]+ ([\d.]+)/.exec(lines[0] ?? '') ?? [];
  expect(dots[0]!.y).toBeLessThan(Number(lineY));
});

test('each series has a line of its own, in the order along the axis', () => {
  const points = [point(2, 1, 1, 'a'), point(1, 2, 2, 'a'), point(1, 3, 3, 'b')];
  const { lines } = pictureOf(points, false, SIZE);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^M6 .*L106 /);
});
