/**
 * The transition between two views: CPUs, queues and packets that are in both move from their old place to
 * the new one; the rest of the old view fades out and that of the new one fades in. A function of the
 * progress, 0 to 1. With reduced motion the new view appears at once, and outlines show the previous
 * places.
 */
import { marksOf } from '../marks.ts';
import type { Mark } from '../marks.ts';
import { ease } from '../motion.ts';
import type { Rect, Shape } from '../shapes.ts';
import { thingKey } from '../shapes.ts';

/** A view's shapes, and the scale of their marks. */
export interface Side {
  readonly shapes: readonly Shape[];
  readonly scale: number;
}

/** The marks of a transition from one view to another. */
export function turnMarks(
  before: Side,
  after: Side,
  share: number,
  isStill: boolean,
): readonly Mark[] {
  const [old, now] = [placesOf(before.shapes), placesOf(after.shapes)];
  const kept = new Set([...now.keys()].filter((key) => old.has(key)));
  if (isStill) {
    const marks = after.shapes.flatMap((shape) => marksOf(shape, after.scale));
    return [...marks, ...[...kept].map((key) => traceOf(old.get(key)!))];
  }
  const gone = ease(Math.min(1, share * 2));
  const come = ease(Math.max(0, share * 2 - 1));
  const rest = 1 - ease(share);
  const isKept = (shape: Shape) => kept.has(keyOf(shape) ?? '');
  const movers = after.shapes.filter(isKept);
  return [
    ...faded(
      before,
      before.shapes.filter((shape) => !isKept(shape)),
      1 - gone,
    ),
    ...faded(
      after,
      after.shapes.filter((shape) => !isKept(shape)),
      come,
    ),
    ...movers.flatMap((shape) => {
      const key = keyOf(shape) ?? '';
      const [from, to] = [old.get(key)!, now.get(key)!];
      const [dx, dy] = [(from.x - to.x) * rest, (from.y - to.y) * rest];
      return marksOf(shape, after.scale).map((mark) => changed(mark, dx, dy, 1));
    }),
  ];
}

/** Identifies things that all views share; `undefined` for a view's own. */
function keyOf({ thing }: Shape): string | undefined {
  const isSame = thing?.kind === 'cpu' || thing?.kind === 'queue' || thing?.kind === 'packet';
  return isSame ? thingKey(thing) : undefined;
}

/** The rectangle of each shared thing: of a CPU its head, the topmost of its shapes. */
function placesOf(shapes: readonly Shape[]): ReadonlyMap<string, Rect> {
  const places = new Map<string, Rect>();
  for (const shape of shapes) {
    const key = keyOf(shape);
    const known = key === undefined ? undefined : places.get(key);
    if (key !== undefined && (known === undefined || shape.rect.y < known.y)) {
      places.set(key, shape.rect);
    }
  }
  return places;
}

function faded({ scale }: Side, shapes: readonly Shape[], alpha: number): readonly Mark[] {
  if (alpha <= 0) return [];
  return shapes.flatMap((shape) => marksOf(shape, scale)).map((mark) => changed(mark, 0, 0, alpha));
}

function traceOf(rect: Rect): Mark {
  return { kind: 'box', rect, radius: 4, line: 'line-strong', lineWidth: 2, isDashed: true };
}

/** A mark moved and made fainter. */
function changed(mark: Mark, dx: number, dy: number, alpha: number): Mark {
  const moved = ([x, y]: readonly [x: number, y: number]) => [x + dx, y + dy] as const;
  switch (mark.kind) {
    case 'box': {
      const rect = { ...mark.rect, x: mark.rect.x + dx, y: mark.rect.y + dy };
      return { ...mark, rect, alpha: (mark.alpha ?? 1) * alpha };
    }
    case 'text':
      return { ...mark, x: mark.x + dx, y: mark.y + dy, alpha: (mark.alpha ?? 1) * alpha };
    case 'lines': {
      const points = mark.points.map((value, at) => value + (at % 2 === 0 ? dx : dy));
      return { ...mark, points, alpha: mark.alpha * alpha };
    }
    case 'curve': {
      const [from, through, to] = [moved(mark.from), moved(mark.through), moved(mark.to)];
      return { ...mark, from, through, to, alpha: (mark.alpha ?? 1) * alpha };
    }
  }
}
