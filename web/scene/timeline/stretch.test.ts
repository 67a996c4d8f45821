/**
 * Time and pixels, requests to the core, how the view follows the playhead, and the axis: by example, and
 * as invariants for many views.
 */
import { expect, test } from 'vitest';
import { extended, followed, laneQuestion, timeUnder, xAt, type Viewport } from './stretch.ts';
import { axisOf } from './ticks.ts';

const WIDTHS = [275, 1096, 1416];

/** Views of every size within runs of every size. */
const views: readonly (Viewport & { readonly duration: number })[] = WIDTHS.flatMap((width) =>
  [1e3, 87_654_321, 3e9, 6e11].flatMap((duration) =>
    [1, 0.37, 1e-3, 1e-6].flatMap((share) =>
      [0, 0.5, 1].map((place) => {
        const length = Math.max(20, duration * share);
        const from = (duration - length) * place;
        return { from, to: from + length, width, duration };
      }),
    ),
  ),
);

test('the time at a place and the place of a time are inverse', () => {
  for (const view of views) {
    for (const x of [0, 1, view.width / 3, view.width]) {
      expect(xAt(view, timeUnder(view, x))).toBeCloseTo(x, 1);
    }
  }
});

test('a question covers the view, keeps within the run and has a step for each pixel', () => {
  for (const view of views) {
    const { from, to, columns } = laneQuestion(view, view.duration);
    expect(from).toBeGreaterThanOrEqual(0);
    expect(from).toBeLessThanOrEqual(view.from);
    expect(to).toBeLessThanOrEqual(view.duration);
    expect(to).toBeGreaterThanOrEqual(Math.min(view.to, view.duration));
    const step = (to - from) / columns;
    const pixel = (view.to - view.from) / view.width;
    expect(step).toBeLessThanOrEqual(Math.max(pixel, 1) * 1.0001);
    expect(columns).toBeLessThan(8192);
  }
});

test('a pan of some pixels asks nothing new', () => {
  const view = { from: 1_000_000, to: 2_000_000, width: 1000 };
  const moved = { ...view, from: view.from + 5_000, to: view.to + 5_000 };
  expect(laneQuestion(moved, 9e9)).toEqual(laneQuestion(view, 9e9));
});

test('the view follows a playhead that leaves it, and no other', () => {
  const view = { from: 100, to: 200 };
  expect(followed(view, 150, 160, 1000)).toBe(view);
  expect(followed(view, 195, 205, 1000)).toEqual({ from: 195, to: 295 });
  expect(followed(view, 105, 95, 1000)).toEqual({ from: 5, to: 105 });
  expect(followed(view, 150, 998, 1000)).toEqual({ from: 900, to: 1000 });
  expect(followed(view, 500, 510, 1000)).toBe(view);
  expect(followed(undefined, 0, 510, 1000)).toBeUndefined();
});

test('a range grows from the playhead, shrinks back to nothing and grows on the other side', () => {
  const one = extended(undefined, 50, 10, 100);
  expect(one).toEqual({ from: 50, to: 60 });
  expect(extended(one, 50, 10, 100)).toEqual({ from: 50, to: 70 });
  expect(extended(one, 50, -10, 100)).toBeUndefined();
  expect(extended(one, 50, -30, 100)).toEqual({ from: 30, to: 50 });
  expect(extended(one, 50, 900, 100)).toEqual({ from: 50, to: 100 });
  expect(extended(one, 20, 10, 100)).toEqual({ from: 20, to: 30 });
});

function checkAxis(view: Viewport, base: string, labels: readonly string[]): void {
  const axis = axisOf(view);
  const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ');
  const told = axis.ticks.map(({ label, isAnchor }) => (isAnchor ? `${label}|` : label));
  expect({ base: plain(axis.base), labels: told.map(plain) }).toEqual({ base, labels });
}

test('a whole run has moments in full', () => {
  checkAxis({ from: 0, to: 3.2e9, width: 640 }, '', [
    '0',
    '0.5 s',
    '1.0 s',
    '1.5 s',
    '2.0 s',
    '2.5 s',
    '3.0 s',
  ]);
  // One whose label would be cut at the end is left out.
  checkAxis({ from: 0, to: 80e6, width: 480 }, '', ['0', '20 ms', '40 ms', '60 ms']);
  checkAxis({ from: 0, to: 400, width: 480 }, '', ['0', '100 ns', '200 ns', '300 ns']);
});

test('deep within a run moments count from a round one', () => {
  checkAxis({ from: 1_234_520_000, to: 1_235_250_000, width: 480 }, '1.234 s', [
    '+600 µs',
    '+800 µs',
    '1.235 s|',
  ]);
  checkAxis({ from: 1_234_567_890, to: 1_234_567_930, width: 300 }, '1.234 567 s', [
    '+900 ns',
    '+920 ns',
  ]);
});

test('labels never run into each other and never repeat', () => {
  for (const view of views) {
    const { ticks } = axisOf(view);
    const gaps = ticks.slice(1).map(({ x }, at) => x - ticks[at]!.x);
    expect(Math.min(...gaps, 92)).toBeGreaterThan(91.9);
    const anchored = ticks.filter(({ label }) => !label.startsWith('+')).map(({ label }) => label);
    expect(new Set(anchored).size).toBe(anchored.length);
  }
});
