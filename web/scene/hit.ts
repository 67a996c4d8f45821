/**
 * The thing under a point, and the next thing in a direction, for navigation by keys. Both use the shapes,
 * not the surface, so they work for any painter.
 */
import type { Rect, Shape, Thing } from './shapes.ts';
import { thingKey } from './shapes.ts';

export interface Target {
  readonly thing: Thing;
  readonly rect: Rect;
}

export type Way = 'left' | 'right' | 'up' | 'down';

/** Tolerance in pixels, for fingers and imprecise pointers. */
const REACH = 4;

/** The topmost thing at a point; a single packet if the shape holds several. */
export function targetAt(shapes: readonly Shape[], x: number, y: number): Target | undefined {
  for (const reach of [0, REACH]) {
    const shape = shapes.findLast(
      ({ thing, rect }) => thing !== undefined && isInside(rect, x, y, reach),
    );
    if (shape !== undefined) return within(shape, x, reach);
  }
  return undefined;
}

/** All things in reading order, each once; packets in streams and datagrams individually. */
export function targetsOf(shapes: readonly Shape[]): readonly Target[] {
  const found = new Map<string, Target>();
  for (const shape of shapes) {
    for (const target of partsOf(shape)) {
      const key = thingKey(target.thing);
      if (!found.has(key)) found.set(key, target);
    }
  }
  return [...found.values()].sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x);
}

/** The current place of a thing that was pointed at: it may have moved, or be drawn more than once. */
export function again(shapes: readonly Shape[], target: Target): Target | undefined {
  const key = thingKey(target.thing);
  const [x, y] = middle(target.rect);
  let best: Target | undefined;
  let bestDistance = Infinity;
  for (const shape of shapes) {
    for (const candidate of partsOf(shape)) {
      if (thingKey(candidate.thing) !== key) continue;
      const [atX, atY] = middle(candidate.rect);
      const distance = Math.hypot(atX - x, atY - y);
      if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
  }
  return best;
}

/** How far a coordinate is from an extent: 0 within it. */
const gap = (at: number, from: number, length: number): number =>
  Math.max(0, from - at, at - from - length);

/** The next thing in a direction: a long queue below is below all of what is above it. */
export function neighbour(
  targets: readonly Target[],
  from: Target | undefined,
  way: Way,
): Target | undefined {
  if (from === undefined) return targets[0];
  const [x, y] = middle(from.rect);
  let best: Target | undefined;
  let bestCost = Infinity;
  for (const target of targets) {
    if (thingKey(target.thing) === thingKey(from.thing)) continue;
    const [dx, dy] = [middle(target.rect)[0] - x, middle(target.rect)[1] - y];
    const isAcross = way === 'left' || way === 'right';
    const along = way === 'left' ? -dx : way === 'right' ? dx : way === 'up' ? -dy : dy;
    if (along < 1) continue;
    const { rect } = target;
    const aside = isAcross ? gap(y, rect.y, rect.height) : gap(x, rect.x, rect.width);
    // Of what lies one in the other, a queue and its packets, the nearer middle is taken.
    const cost = along + aside * 2.5 + Math.abs(isAcross ? dy : dx) / 100;
    if (cost < bestCost) [best, bestCost] = [target, cost];
  }
  return best;
}

/** The things in a shape: itself, and each packet of a stream or a datagram. */
export function partsOf(shape: Shape): readonly Target[] {
  const { thing, rect } = shape;
  if (thing === undefined) return [];
  const segments =
    shape.kind === 'stream' ? shape.segments : shape.kind === 'assembly' ? shape.pieces : [];
  return [
    { thing, rect },
    ...segments.map(({ packet, piece, x, width }): Target => ({
      thing: { kind: 'packet', packet, piece },
      rect: { ...rect, x, width },
    })),
  ];
}

function within(shape: Shape, x: number, reach: number): Target | undefined {
  if (shape.thing === undefined) return undefined;
  const [whole, ...pieces] = partsOf(shape);
  const piece = pieces.find(({ rect }) => rect.x - reach <= x && x <= rect.x + rect.width + reach);
  return piece ?? whole;
}

function isInside({ x, y, width, height }: Rect, atX: number, atY: number, reach: number): boolean {
  return (
    x - reach <= atX && atX <= x + width + reach && y - reach <= atY && atY <= y + height + reach
  );
}

function middle({ x, y, width, height }: Rect): readonly [x: number, y: number] {
  return [x + width / 2, y + height / 2];
}
