/**
 * Marks of shapes that occur only in the views other than the way: tanks with their lids, counts as
 * squares.
 */
import type { BoxMark, Mark } from './marks.ts';
import type { Rect } from './shapes.ts';
import type { GridShape, TankShape } from './view-shapes.ts';

/** Minimum height of a layer in pixels: lower ones cannot be distinguished. */
const LAYER = 4;

export function tankMarks(shape: TankShape, scale: number): readonly Mark[] {
  const { rect, share, limit, depth } = shape;
  const { x, y, width, height } = rect;
  const filled = depth > 0 ? Math.max(3, height * share) : 0;
  const level: Rect = { x, y: y + height - filled, width, height: filled };
  const layer = shape.seams > 0 ? filled / shape.seams : 0;
  const seams = layer >= LAYER ? Array.from({ length: shape.seams - 1 }, (_, at) => at + 1) : [];
  const isFull = limit > 0 && depth >= limit;
  const wall = 2 * scale;
  return [
    { kind: 'box', rect, radius: 0, fill: 'slot-empty' },
    ...(filled > 0 ? [{ kind: 'box', rect: level, radius: 0, fill: 'packet' } as const] : []),
    {
      kind: 'lines',
      points: seams.flatMap((at) => [
        x,
        y + height - at * layer,
        x + width,
        y + height - at * layer,
      ]),
      colour: 'panel',
      lineWidth: scale,
      isDashed: false,
      alpha: 1,
    },
    {
      kind: 'lines',
      points: [
        x,
        y,
        x,
        y + height,
        x,
        y + height,
        x + width,
        y + height,
        x + width,
        y + height,
        x + width,
        y,
      ],
      colour: 'ink-soft',
      lineWidth: wall,
      isDashed: false,
      alpha: 1,
    },
    // The lid: a bar at the limit, thicker once the queue is full; open if no limit is known.
    ...(limit > 0
      ? [
          {
            kind: 'box',
            rect: {
              x: x - wall * 2,
              y: y - wall * (isFull ? 2 : 1),
              width: width + wall * 4,
              height: wall * (isFull ? 3 : 1.5),
            },
            radius: wall,
            fill: isFull ? 'hardirq' : 'ink-soft',
          } as const,
        ]
      : []),
  ];
}

/** Minimum visible fraction of a square, to be distinguished from an empty one and from another state. */
const LEAST = 0.3;

/**
 * Modified lines are filled, exclusive ones only outlined, shared ones half filled; ghosts are dashed and
 * crossed out. So colour is never the only sign of a state.
 */
export function gridMarks(shape: GridShape): readonly Mark[] {
  const { rect, columns, pitch, size, unit, lines, states, invalidated, places, fill } = shape;
  const boxAt = (at: number, share: number): Rect => ({
    x: rect.x + (at % columns) * pitch,
    y: rect.y + Math.floor(at / columns) * pitch,
    width: size * share,
    height: size,
  });
  const radius = size / 5;
  let at = 0;
  const squares = (count: number, draw: (rect: Rect) => readonly BoxMark[]) => {
    const number = Math.ceil(count / unit);
    const first = at;
    at += number;
    return Array.from({ length: number }, (_, more) => {
      const share = Math.min(1, Math.max(LEAST, (count - more * unit) / unit));
      return draw(boxAt(first + more, share));
    }).flat();
  };
  const filled = (rect: Rect): readonly BoxMark[] => [{ kind: 'box', rect, radius, fill }];
  const outlined = (rect: Rect): readonly BoxMark[] => [
    { kind: 'box', rect: inset(rect, size / 12), radius, line: fill, lineWidth: size / 6 },
  ];
  const halved = (rect: Rect): readonly BoxMark[] => [
    ...outlined(rect),
    { kind: 'box', rect: { ...rect, y: rect.y + size / 2, height: size / 2 }, radius: 0, fill },
  ];
  const told = states.modified + states.exclusive + states.shared;
  const held = [
    ...squares(states.modified, filled),
    ...squares(states.exclusive, outlined),
    ...squares(states.shared, halved),
    ...squares(lines - told, filled),
  ];
  // A ghost is visible even if the squares of several states have taken all places.
  const ghosts = Math.min(Math.ceil(invalidated / unit), Math.max(1, places - at));
  const gone = Array.from({ length: ghosts }, (_, more) => boxAt(at + more, 1));
  const empty = Array.from({ length: Math.max(0, places - at - ghosts) }, (_, more) =>
    boxAt(at + ghosts + more, 1),
  );
  return [
    ...held,
    ...gone.map((rect): BoxMark => ({
      ...{ kind: 'box', rect: inset(rect, size / 16), radius, line: fill },
      ...{ lineWidth: size / 8, isDashed: true },
    })),
    ...(gone.length === 0 ? [] : [crosses(gone, shape)]),
    ...empty.map((rect): BoxMark => ({
      ...{ kind: 'box', rect, radius, line: 'line-strong', lineWidth: 1, isDashed: true },
    })),
  ];
}

function inset({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: height - 2 * by };
}

/** Both diagonals of each rectangle. */
function crosses(rects: readonly Rect[], { size, fill }: GridShape): Mark {
  const by = size / 4;
  return {
    kind: 'lines',
    points: rects.flatMap(({ x, y }) => [
      ...[x + by, y + by, x + size - by, y + size - by],
      ...[x + size - by, y + by, x + by, y + size - by],
    ]),
    ...{ colour: fill, lineWidth: size / 8, isDashed: false, alpha: 1 },
  };
}
