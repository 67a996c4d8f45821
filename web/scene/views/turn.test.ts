/** Transitions between views: what is in both keeps its identity, and the ends equal the views. */
import { expect, test } from 'vitest';
import { marksOf } from '../marks.ts';
import type { Mark } from '../marks.ts';
import type { Shape } from '../shapes.ts';
import { turnMarks } from './turn.ts';

const panel = (x: number, y: number, cpu?: number): Shape => ({
  kind: 'panel',
  rect: { x, y, width: 10, height: 10 },
  fill: 'panel',
  line: undefined,
  radius: 0,
  isDashed: false,
  ...(cpu === undefined ? {} : { thing: { kind: 'cpu', cpu } }),
});

const before = { shapes: [panel(0, 0, 1), panel(50, 50)], scale: 1 };
const after = { shapes: [panel(100, 40, 1), panel(70, 70)], scale: 1 };
const places = (marks: readonly Mark[]) =>
  marks.flatMap((mark) => (mark.kind === 'box' ? [[mark.rect.x, mark.rect.y, mark.alpha]] : []));

test('what is in both goes from its old place to its new one, the rest fades', () => {
  expect(places(turnMarks(before, after, 0, false))).toEqual([
    [50, 50, 1],
    [0, 0, 1],
  ]);
  expect(places(turnMarks(before, after, 0.5, false))).toEqual([[50, 20, 1]]);
  expect(places(turnMarks(before, after, 1, false))).toEqual([
    [70, 70, 1],
    [100, 40, 1],
  ]);
});

test('where nothing may move the new view is there at once, with a trace of the old places', () => {
  const marks = turnMarks(before, after, 0.1, true);
  const whole = after.shapes.flatMap((shape) => marksOf(shape, 1));
  expect(marks.slice(0, whole.length)).toEqual(whole);
  expect(places(marks.slice(whole.length))).toEqual([[0, 0, undefined]]);
});
