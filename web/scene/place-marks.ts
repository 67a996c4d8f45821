/**
 * How the places of the stage look: vessels with their lids, rails, bridges, blades, and the
 * cards of tasks.
 */
import type { BoxMark, CurveMark, LinesMark, Mark } from './marks.ts';
import { centred } from './marks.ts';
import type {
  BladeShape,
  BridgeShape,
  CardShape,
  RailShape,
  TetherShape,
  VesselShape,
} from './place-shapes.ts';

/** Walls on three sides; at its mouth a lid where the limit is, which is shut when it is reached. */
export function vesselMarks(shape: VesselShape): readonly Mark[] {
  const { rect, mouth, hasLid, isFull, level } = shape;
  const { x, y, width, height } = rect;
  const wall = Math.max(1.5, 0.045 * height);
  const [closed, open] = mouth === 'right' ? [x, x + width] : [x + width, x];
  const inward = mouth === 'right' ? -1 : 1;
  const bed: BoxMark = { kind: 'box', rect, radius: 0.1 * height, fill: 'panel' };
  const walls: LinesMark = {
    kind: 'lines',
    points: [
      ...[open, y, closed, y],
      ...[closed, y, closed, y + height],
      ...[closed, y + height, open, y + height],
    ],
    colour: 'line-strong',
    lineWidth: wall,
    isDashed: false,
    alpha: 1,
  };
  const thick = (isFull ? 0.17 : 0.09) * height;
  const lid: BoxMark = {
    kind: 'box',
    rect: {
      x: Math.min(open, open + inward * thick),
      y: y - 0.08 * height,
      width: thick,
      height: 1.16 * height,
    },
    radius: 0.04 * height,
    fill: isFull ? 'ink' : 'line-strong',
  };
  // The true share of the limit as a line along the foot: few packets of many look like few.
  const share = level === undefined || level === 0 ? 0 : Math.max(0.01, level) * width;
  const gauge: BoxMark = {
    kind: 'box',
    rect: {
      x: mouth === 'right' ? x : x + width - share,
      y: y + height - wall * 1.4,
      width: share,
      height: wall * 2,
    },
    radius: 0,
    fill: 'ink',
  };
  return [bed, walls, ...(share > 0 ? [gauge] : []), ...(hasLid ? [lid] : [])];
}

/** A track with arrows in its direction. */
export function railMarks({ rect, direction }: RailShape, scale: number): readonly Mark[] {
  const middle = rect.x + rect.width / 2;
  const step = 46 * scale;
  const wing = 5 * scale;
  const count = Math.max(1, Math.floor(rect.height / step));
  const up = direction === 'up' ? 1 : -1;
  const arrows = Array.from({ length: count }, (_, at) => {
    const y = rect.y + (rect.height * (at + 0.5)) / count;
    return [
      ...[middle - wing, y + up * wing, middle, y],
      ...[middle, y, middle + wing, y + up * wing],
    ];
  }).flat();
  return [
    { kind: 'box', rect, radius: 6 * scale, fill: 'well' },
    {
      kind: 'lines',
      points: [middle, rect.y + 4 * scale, middle, rect.y + rect.height - 4 * scale],
      colour: 'line',
      lineWidth: 1.5 * scale,
      isDashed: false,
      alpha: 1,
    },
    {
      kind: 'lines',
      points: arrows,
      colour: 'line-strong',
      lineWidth: 1.5 * scale,
      isDashed: false,
      alpha: 1,
    },
  ];
}

/** A deck on an arch. */
export function bridgeMarks({ rect, isCrossed }: BridgeShape, scale: number): readonly Mark[] {
  const { x, y, width, height } = rect;
  const colour = isCrossed ? 'ink' : 'line-strong';
  const deck = (isCrossed ? 3 : 2) * scale;
  const inset = Math.min(3 * scale, width * 0.1);
  const posts = [0.25, 0.5, 0.75].flatMap((share) => {
    const at = x + width * share;
    const arch = y + height * (0.25 + 1.2 * (share - 0.5) ** 2);
    return [at, y + height * 0.05, at, Math.min(y + height, arch)];
  });
  return [
    {
      kind: 'lines',
      points: [x - inset, y, x + width + inset, y],
      colour,
      lineWidth: deck,
      isDashed: false,
      alpha: 1,
    },
    {
      kind: 'curve',
      from: [x, y + height],
      through: [x + width / 2, y - height * 0.6],
      to: [x + width, y + height],
      colour,
      lineWidth: 1.5 * scale,
    },
    { kind: 'lines', points: posts, colour, lineWidth: scale, isDashed: false, alpha: 0.8 },
  ];
}

export function tetherMark({ from, to, colour }: TetherShape, scale: number): CurveMark {
  return {
    kind: 'curve',
    from,
    through: [from[0], (from[1] + to[1]) / 2 + 8 * scale],
    to,
    colour,
    lineWidth: 2 * scale,
    isDashed: true,
  };
}

/** It comes down from above the packet and stands in the cut. */
export function bladeMarks({ rect, share }: BladeShape, scale: number): readonly Mark[] {
  const { x, y, height } = rect;
  if (share <= 0) return [];
  const top = y - 0.35 * height;
  const tip = top + 1.5 * height * share;
  return [
    {
      kind: 'lines',
      points: [x, top, x, tip],
      colour: 'ink',
      lineWidth: 2.5 * scale,
      isDashed: false,
      alpha: 1,
    },
    {
      kind: 'lines',
      points: [x - 0.12 * height, top, x + 0.12 * height, top],
      colour: 'ink',
      lineWidth: 3.5 * scale,
      isDashed: false,
      alpha: 1,
    },
  ];
}

export function cardMarks(shape: CardShape, scale: number): readonly Mark[] {
  const { rect, turn, isDisplaced } = shape;
  return [
    {
      kind: 'box',
      rect,
      radius: 6 * scale,
      fill: shape.fill,
      line: shape.line,
      lineWidth: (isDisplaced ? 1.5 : 2) * scale,
      isDashed: isDisplaced,
      turn,
    },
    ...(shape.text === ''
      ? []
      : [{ ...centred(rect, shape.text, shape.size, shape.colour), turn }]),
  ];
}
