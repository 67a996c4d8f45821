/**
 * One packet at one place, and the curve of its hop to the next: out to its rail, along it, and off it
 * again. It reaches another CPU over the bridge of the lane in which it arrives. The curve turns only at
 * rails, where there are no labels.
 */
import type { PacketId } from '../core/core.ts';
import { between, clamp01 } from './motion.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import type { TrailShape } from './place-shapes.ts';
import type { Emphasis, Rect, View } from './shapes.ts';

export interface Place {
  readonly entry: Entry;
  readonly rect: Rect;
}

type Point = readonly [x: number, y: number];

/** The packet that a view about one packet shows. */
export function pinnedOf({ followed, selected, actor }: View): PacketId | undefined {
  return followed ?? selected ?? actor;
}

export function emphasis(packet: number, view: View): Emphasis {
  const { selected, followed, actor } = view;
  if (packet === selected || packet === followed || packet === actor) return 'chosen';
  return packet === view.hovered ? 'pointed' : 'none';
}

/** The position of a packet between its place and its next one. */
export function onTheWay(entry: Entry, rest: Rect, goal: Rect | undefined): Rect {
  const end = goal ?? (entry.exit === undefined ? undefined : centred(entry.exit, rest));
  if (entry.hopped === 0 || end === undefined) return rest;
  const share = entry.hopped;
  const { railX, railWidth, railGap } = entry.slot;
  const way = wayBetween(rest, entry.slot, end, entry.nextSlot);
  const [x, y] = along(way, share, Math.min(TURN, railGap / 2));
  // No wider than the rail while it is on it, where names stand beside it. One that turns reaches over the
  // rail's edge by twice its distance from the rail's middle, and rises already.
  const natural = between(rest.width, end.width, share);
  const width = Math.min(natural, railWidth + 2 * Math.abs(x - railX));
  const height = between(rest.height, end.height, share);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The corners of a hop, from centre to centre. */
export function wayBetween(
  rest: Rect,
  slot: Slot,
  goal: Rect,
  nextSlot: Slot | undefined,
): readonly Point[] {
  const from = middle(rest);
  const to = middle(goal);
  if (nextSlot === undefined) return [from, to];
  const { railX } = slot;
  // A vessel beside it is reached without the rail.
  const isBeside = nextSlot.lane === slot.lane && nextSlot.column === slot.column;
  if (isBeside && slot.kind === 'work') return [from, [from[0], to[1]], to];
  return [from, [railX, from[1]], [railX, to[1]], to];
}

/** The trail of a packet that moves to another CPU: its previous place, and the way from there. */
export function trailOf(entry: Entry, rest: Rect, now: Rect): TrailShape | undefined {
  const { slot, nextSlot } = entry;
  if (nextSlot === undefined || nextSlot.column === slot.column) return undefined;
  return trailAlong(wayBetween(rest, slot, now, nextSlot), rest);
}

export function trailAlong(way: readonly Point[], ghost: Rect): TrailShape {
  const xs = way.map(([x]) => x);
  const ys = way.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const rect = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  return { kind: 'trail', rect, way, ghost };
}

/** Distance in pixels from a corner at which the curve begins, at most. */
const TURN = 16;

/** The point at a fraction of the length of a way whose corners are rounded from `turn` pixels before them. */
function along(way: readonly Point[], share: number, turn: number): Point {
  const lengths = way.slice(1).map((point, at) => distance(way[at] ?? point, point));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  let rest = clamp01(share) * whole;
  let at = 0;
  while (at < lengths.length - 1 && rest > (lengths[at] ?? 0)) {
    rest -= lengths[at] ?? 0;
    at += 1;
  }
  const length = lengths[at] ?? 0;
  const here = on(way, at, length === 0 ? 0 : rest / length);
  // Near a corner the quadratic cuts it short: half of it lies on each side.
  const before = lengths[at - 1] ?? 0;
  const after = lengths[at + 1] ?? 0;
  const reach = (one: number, other: number) => Math.min(turn, one * 0.4, other * 0.4);
  const coming = reach(before, length);
  const going = reach(length, after);
  const corner = way[at];
  const next = way[at + 1];
  if (at > 0 && corner !== undefined && rest < coming) {
    return rounded(way, at, (rest + coming) / (2 * coming), before - coming, coming);
  }
  if (at < lengths.length - 1 && next !== undefined && length - rest < going) {
    return rounded(way, at + 1, (rest - (length - going)) / (2 * going), length - going, going);
  }
  return here;
}

/** A point on the quadratic around corner `at`, from `start` on the segment before to `reach` on the one after. */
function rounded(
  way: readonly Point[],
  at: number,
  share: number,
  start: number,
  reach: number,
): Point {
  const before = distance(way[at - 1] ?? [0, 0], way[at] ?? [0, 0]);
  const after = distance(way[at] ?? [0, 0], way[at + 1] ?? [0, 0]);
  const from = on(way, at - 1, before === 0 ? 1 : start / before);
  const corner = way[at] ?? from;
  const to = on(way, at, after === 0 ? 0 : reach / after);
  const rest = 1 - share;
  const mix = (a: number, b: number, c: number) =>
    rest * rest * a + 2 * rest * share * b + share * share * c;
  return [mix(from[0], corner[0], to[0]), mix(from[1], corner[1], to[1])];
}

function on(way: readonly Point[], at: number, share: number): Point {
  const from = way[at] ?? [0, 0];
  const to = way[at + 1] ?? from;
  return [between(from[0], to[0], share), between(from[1], to[1], share)];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function middle({ x, y, width, height }: Rect): Point {
  return [x + width / 2, y + height / 2];
}

/** Whether the centre of one rectangle lies within another. */
export function hasMiddle(outer: Rect, inner: Rect): boolean {
  const [x, y] = middle(inner);
  return outer.x <= x && x <= outer.x + outer.width && outer.y <= y && y <= outer.y + outer.height;
}

function centred(outer: Rect, inner: Rect): Rect {
  const width = Math.min(inner.width, outer.width * 0.6);
  const height = Math.min(inner.height, outer.height * 0.6);
  const [x, y] = middle(outer);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

export function blend(from: Rect, to: Rect, share: number): Rect {
  return {
    x: between(from.x, to.x, share),
    y: between(from.y, to.y, share),
    width: between(from.width, to.width, share),
    height: between(from.height, to.height, share),
  };
}
