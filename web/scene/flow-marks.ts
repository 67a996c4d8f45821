/**
 * Marks of movement: lines that cross on an arc, the descriptors of a ring, and a dropped packet.
 */
import { centred } from './marks.ts';
import type { BoxMark, LinesMark, Mark } from './marks.ts';
import type { ArcShape, DropShape, RingShape } from './shapes.ts';

/** A dropped packet, crossed out. */
export function dropMarks(shape: DropShape, scale: number): readonly Mark[] {
  const { rect, alpha, turn } = shape;
  const arm = rect.height * 0.3;
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const cross = [x - arm, y - arm, x + arm, y + arm, x - arm, y + arm, x + arm, y - arm];
  const stroke = { kind: 'lines', points: cross, isDashed: false, alpha } as const;
  return [
    {
      kind: 'box',
      rect,
      radius: 3 * scale,
      fill: 'packet',
      line: 'ink',
      lineWidth: 1.5 * scale,
      alpha,
      turn,
    },
    {
      ...centred(
        { ...rect, y: rect.y - 0.72 * rect.height },
        shape.name,
        0.36 * rect.height,
        'ink',
      ),
      alpha,
    },
    { ...stroke, colour: 'panel', lineWidth: 0.2 * rect.height },
    { ...stroke, colour: 'hardirq', lineWidth: 0.11 * rect.height },
  ];
}

export function ringMarks(shape: RingShape, scale: number): readonly Mark[] {
  const { rect: all, pitch } = shape;
  const gap = 0.11 * all.height;
  const boxes = Array.from({ length: shape.boxes }, (_, at): BoxMark => {
    const rect = { ...all, x: all.x + at * pitch, width: pitch - gap };
    return { kind: 'box', rect, radius: 3, line: 'line-strong', isDashed: true };
  });
  // The last box is connected to the first: it is a ring.
  const [left, right, foot] = [all.x, all.x + all.width, all.y + 1.12 * all.height];
  const wing = 0.1 * all.height;
  const line = { colour: 'line-strong', lineWidth: 1.5 * scale } as const;
  return [
    ...boxes,
    {
      kind: 'curve',
      from: [right, foot],
      through: [(left + right) / 2, foot + 0.3 * all.height],
      to: [left, foot],
      ...line,
    },
    {
      kind: 'lines',
      points: [
        left,
        foot,
        left + wing,
        foot + wing * 1.3,
        left,
        foot,
        left + 1.4 * wing,
        foot - 0.2 * wing,
      ],
      isDashed: false,
      alpha: 1,
      ...line,
    },
  ];
}

export function arcMarks(shape: ArcShape, scale: number): readonly Mark[] {
  const { from, to, depth } = shape;
  // The control point of a quadratic curve lies twice as deep as the curve.
  const through = [(from[0] + to[0]) / 2, from[1] + 2 * depth] as const;
  const boxAt = (share: number, half: number, radius: number): BoxMark => {
    const rest = 1 - share;
    const x = rest * rest * from[0] + 2 * rest * share * through[0] + share * share * to[0];
    const y = rest * rest * from[1] + 2 * rest * share * through[1] + share * share * to[1];
    const rect = { x: x - half, y: y - half, width: 2 * half, height: 2 * half };
    const fill = shape.colour ?? 'cache';
    return { kind: 'box', rect, radius, fill, line: 'panel', lineWidth: scale };
  };
  return [
    {
      kind: 'curve',
      from,
      through,
      to,
      colour: shape.colour ?? 'cache',
      lineWidth: shape.thickness,
    },
    ...(shape.dots.length > 0 || shape.squares !== undefined
      ? [headOf(shape, through, scale)]
      : []),
    ...shape.dots.map((share) => boxAt(share, 6.5 * scale, scale)),
    ...(shape.squares ?? []).map((share) =>
      boxAt(share, shape.squareSize === undefined ? 6.5 * scale : shape.squareSize / 2, scale),
    ),
  ];
}

/** An arrowhead, so that the direction is visible without motion. */
function headOf(
  { to, colour }: ArcShape,
  through: readonly [x: number, y: number],
  scale: number,
): LinesMark {
  const angle = Math.atan2(to[1] - through[1], to[0] - through[0]);
  const wing = (turn: number) => [
    to[0] - 11 * scale * Math.cos(angle + turn),
    to[1] - 11 * scale * Math.sin(angle + turn),
  ];
  return {
    kind: 'lines',
    points: [...to, ...wing(0.5), ...to, ...wing(-0.5)],
    colour: colour ?? 'cache',
    lineWidth: 3 * scale,
    isDashed: false,
    alpha: 1,
  };
}
