/**
 * Flags on the time line: none covers another, no words cover anything, and none is missing.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeFlags, type Flag } from './flags.ts';

const measure = (text: string) => text.length * 7;
const flag = (sign: string, time: number, words = 'the longest wait'): Flag => ({
  key: sign,
  time,
  sign,
  words,
});

test('words stand where there is room, and flags that would cover each other are one', () => {
  const view = { from: 0, to: 1000, width: 1000 };
  const placed = placeFlags(
    [flag('1', 100), flag('2', 105), flag('3', 200), flag('4', 990)],
    view,
    measure,
  );
  expect(
    placed.map(({ flag: { sign }, joined, x, room }) => [
      sign,
      joined.map((one) => one.sign),
      x,
      room,
    ]),
  ).toEqual([
    ['1', ['2'], 100, 78],
    ['3', [], 200, 120],
    ['4', [], 982, undefined],
  ]);
});

test('a flag out of view is not there', () => {
  const view = { from: 500, to: 600, width: 1000 };
  expect(placeFlags([flag('1', 100), flag('2', 550)], view, measure)).toHaveLength(1);
});

test('nothing covers anything, and every flag in view is there once', () => {
  const flags = fc.array(
    fc.record({ time: fc.integer({ min: 0, max: 2000 }), words: fc.string({ maxLength: 60 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(flags, fc.integer({ min: 40, max: 2000 }), (given, width) => {
      const view = { from: 200, to: 1500, width };
      const all = given.map(({ time, words }, at) => flag(String(at + 1), time, words));
      const placed = placeFlags(all, view, measure);
      const spans = placed.flatMap(({ x, width: head, room }) => [
        [x, x + head] as const,
        ...(room === undefined ? [] : [[x + head, x + head + room] as const]),
      ]);
      for (const [from, to] of spans) {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(width + 1e-9);
      }
      spans.sort(([a], [b]) => a - b);
      spans
        .slice(1)
        .forEach(([from], at) => expect(from).toBeGreaterThanOrEqual(spans[at]![1] - 1e-9));
      const shown = placed.flatMap((one) => [one.flag.key, ...one.joined.map(({ key }) => key)]);
      const inView = all.filter(({ time }) => 200 <= time && time <= 1500).map(({ key }) => key);
      expect(shown.toSorted()).toEqual(inView.toSorted());
    }),
  );
});
