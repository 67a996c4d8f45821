/**
 * The boxes around the things that a lesson's step asks the learner to look at, wherever the current view
 * draws them. Boxes that touch are joined, as a thing is often drawn in several parts.
 */
import type { PacketId } from '../core/core.ts';
import { partsOf } from './hit.ts';
import type { Rect, Shape, Thing } from './shapes.ts';

export type Ringed =
  | { readonly kind: 'cpu'; readonly cpu: number }
  | { readonly kind: 'packet'; readonly packet: PacketId }
  | { readonly kind: 'station'; readonly station: number }
  /** A lane, by its id in rows.ts, for the stations on its rails. */
  | { readonly kind: 'lane'; readonly lane: string }
  /** All queues of a kind, by their indices in the run. */
  | { readonly kind: 'queues'; readonly queues: readonly number[] };

/** Distance between a thing and its ring, in CSS pixels; boxes nearer than that are joined. */
const AROUND = 4;

export function ringsAround(shapes: readonly Shape[], ringed: readonly Ringed[]): readonly Rect[] {
  const parts = shapes.flatMap(partsOf).filter(({ rect }) => rect.width > 0);
  const things = ringed.map((wanted) =>
    parts.flatMap(({ thing, rect }) => (isMeant(thing, wanted) ? [rect] : [])),
  );
  const rings = things.flatMap((own, at) => {
    const others = things.filter((_, other) => other !== at).flat();
    const boxes = own.reduce<readonly Rect[]>((all, box) => joined(all, box, others), []);
    return boxes.map((box) => boxes.reduce(endedAbove, box)).map(grown);
  });
  return rings.map((ring, at) => {
    const others = rings.filter((_, other) => other !== at);
    return others.map((other) => keptApart(ring, other)).reduce(common, ring);
  });
}

/** A box ends where a larger one of the same thing begins below it: their rings would cross its texts. */
function endedAbove(box: Rect, other: Rect): Rect {
  const isLarger = other.width * other.height > box.width * box.height;
  const isCrossed = other.y > box.y && other.y < box.y + box.height && overlaps(box, other);
  return isLarger && isCrossed ? { ...box, height: other.y - box.y } : box;
}

/** A ring that gives way, by half, to that of a thing so near that only what is around both overlaps. */
function keptApart(ring: Rect, other: Rect): Rect {
  const { x, y, width, height } = ring;
  const acrossX = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
  const acrossY = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
  const across = Math.min(acrossX, acrossY);
  if (across <= 0 || across > 2 * AROUND) return ring;
  const half = across / 2;
  return across === acrossX
    ? { ...ring, x: x < other.x ? x : x + half, width: width - half }
    : { ...ring, y: y < other.y ? y : y + half, height: height - half };
}

function isMeant(thing: Thing, wanted: Ringed): boolean {
  switch (wanted.kind) {
    case 'cpu':
      return thing.kind === 'cpu' && thing.cpu === wanted.cpu;
    case 'packet':
      return thing.kind === 'packet' && thing.packet === wanted.packet;
    case 'station':
      return thing.kind === 'station' && thing.station === wanted.station;
    case 'lane':
      return thing.kind === 'row' && thing.lane === wanted.lane;
    case 'queues':
      return thing.kind === 'queue' && wanted.queues.includes(thing.queue);
  }
}

/**
 * The boxes with one added, joined with those that are near, unless what is around both would have another
 * thing in it that neither has.
 */
function joined(boxes: readonly Rect[], box: Rect, others: readonly Rect[]): readonly Rect[] {
  const isFree = (other: Rect) =>
    !others.some((thing) => {
      const isIn = overlaps(thing, box) || overlaps(thing, other);
      return !isIn && overlaps(thing, union(box, other));
    });
  const near = boxes.find((other) => overlaps(grown(other), grown(box)) && isFree(other));
  if (near === undefined) return [...boxes, box];
  const rest = boxes.filter((other) => other !== near);
  return joined(rest, union(near, box), others);
}

function grown({ x, y, width, height }: Rect): Rect {
  const [twice, left, top] = [2 * AROUND, x - AROUND, y - AROUND];
  return { x: left, y: top, width: width + twice, height: height + twice };
}

function overlaps(a: Rect, b: Rect): boolean {
  const isBeside = a.x > b.x + b.width || b.x > a.x + a.width;
  return !isBeside && a.y <= b.y + b.height && b.y <= a.y + a.height;
}

/** What two boxes that overlap have in common. */
function common(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const right = Math.min(a.x + a.width, b.x + b.width);
  const bottom = Math.min(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

function union(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
