/**
 * How what only the views beside the way have looks: tanks with their lids, counts as squares.
 */
import type { BoxMark, Mark } from './marks.ts';
import type { Rect } from './shapes.ts';
import type { GridShape, TankShape } from './view-shapes.ts';

/** Layers lower than this are not told apart. */
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
    // The lid: a bar where a limit is, thicker once nothing more goes in; open where none is known.
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

export function gridMarks(shape: GridShape): readonly Mark[] {
  const { rect, columns, pitch, size, unit, lines, leaving, shared, places, fill } = shape;
  const boxAt = (at: number, share: number): Rect => ({
    x: rect.x + (at % columns) * pitch,
    y: rect.y + Math.floor(at / columns) * pitch,
    width: Math.max(1, size * share),
    height: size,
  });
  const radius = size / 5;
  const filled = Math.ceil(lines / unit);
  const owned = Math.ceil((lines - shared) / unit);
  const squares = Array.from({ length: filled }, (_, at): BoxMark => {
    const share = at === filled - 1 ? (lines - at * unit) / unit : 1;
    const alpha = at < owned ? 1 : 0.45;
    return { kind: 'box', rect: boxAt(at, share), radius, fill, alpha };
  });
  const left = Math.min(Math.ceil(leaving / unit), Math.max(0, places - filled));
  const empty = Array.from({ length: Math.max(0, places - filled) }, (_, more): BoxMark => {
    const rest = boxAt(filled + more, 1);
    if (more < left) return { kind: 'box', rect: rest, radius, line: fill, lineWidth: 0.16 * size };
    return { kind: 'box', rect: rest, radius, line: 'line-strong', lineWidth: 1, isDashed: true };
  });
  return [...squares, ...empty];
}
