/**
 * Marks of the stage's places: vessels with their lids, rails, bridges, blades, and the cards of tasks.
 */
import type { BoxMark, CurveMark, LinesMark, Mark } from './marks.ts';
import { centred } from './marks.ts';
import type { Rect } from './shapes.ts';
import type {
  BladeShape,
  BridgeShape,
  CardShape,
  RailShape,
  RefusedShape,
  TetherShape,
  TrailShape,
  VesselShape,
} from './place-shapes.ts';

/** Maximum bore in pixels from which the wall thickness of an upright vessel is computed. */
const WIDEST = 60;

/** Walls on three sides, and a lid at the mouth if there is a limit, closed when it is reached. */
export function vesselMarks(shape: VesselShape): readonly Mark[] {
  const { rect, mouth, hasLid, isFull, level } = shape;
  const { x, y, width, height } = rect;
  const bore = mouth === 'bottom' ? Math.min(width, height, WIDEST) : height;
  const wall = Math.max(1.5, 0.045 * bore);
  const [closed, open] = mouth === 'right' ? [x, x + width] : [x + width, x];
  const inward = mouth === 'right' ? -1 : 1;
  const [right, foot] = [x + width, y + height];
  const bed: BoxMark = { kind: 'box', rect, radius: 0.1 * bore, fill: 'panel' };
  const walls: LinesMark = {
    kind: 'lines',
    points:
      mouth === 'bottom'
        ? [...[x, foot, x, y], ...[x, y, right, y], ...[right, y, right, foot]]
        : [...[open, y, closed, y], ...[closed, y, closed, foot], ...[closed, foot, open, foot]],
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
  // A line along the foot shows the true fraction of the limit, so that few packets of many look like few.
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

/** A dashed ghost and a dashed line. */
export function trailMarks({ way, ghost }: TrailShape, scale: number): readonly Mark[] {
  const points = way.slice(1).flatMap((to, at) => [...(way[at] ?? to), ...to]);
  const line = { kind: 'lines', isDashed: false, alpha: 1 } as const;
  return [
    {
      kind: 'box',
      rect: ghost,
      radius: 0.08 * ghost.height,
      line: 'ink-soft',
      lineWidth: 1.5 * scale,
      isDashed: true,
    },
    { ...line, points, colour: 'ink', lineWidth: 2.5 * scale, isDashed: true },
  ];
}

/** Number of packets drawn in a bin; the rest is only counted. */
const HEAP = 6;

/** The most recent drops lie in the bin, each crossed out; their total is above it. */
export function refusedMarks(shape: RefusedShape, scale: number): readonly Mark[] {
  const { rect, count } = shape;
  const across = 3;
  const each = Math.min(rect.width / (across + 0.6), 0.34 * rect.height);
  const left = rect.x + (rect.width - across * each) / 2;
  const lying = Array.from({ length: Math.min(HEAP, count) }, (_, at): readonly Mark[] => {
    const row = Math.floor(at / across);
    const x = left + (at % across) * each + 0.06 * each;
    const y = rect.y + rect.height - (row + 1) * each;
    const box = { x, y, width: 0.88 * each, height: 0.88 * each };
    const [x2, y2] = [x + box.width, y + box.height];
    return [
      { kind: 'box', rect: box, radius: 0.1 * each, fill: 'packet', alpha: 0.75 },
      {
        kind: 'lines',
        points: [x, y, x2, y2, x, y2, x2, y],
        colour: 'hardirq',
        lineWidth: 1.5 * scale,
        isDashed: false,
        alpha: 1,
      },
    ];
  }).flat();
  const upper = { ...rect, height: rect.height * 0.36 };
  const text = shape.text === '' ? [] : [centred(upper, shape.text, shape.size, 'ink')];
  return [...lying, ...text];
}

/** Scissors that close on the packet from above; the cut is below them. */
export function bladeMarks({ rect, share }: BladeShape, scale: number): readonly Mark[] {
  const { x, y, height } = rect;
  if (share <= 0) return [];
  const line = { kind: 'lines', colour: 'ink', isDashed: false, alpha: 1 } as const;
  const cut: LinesMark = {
    ...line,
    points: [x, y - 0.06 * height, x, y + height * Math.min(1, 0.15 + share)],
    lineWidth: 2.5 * scale,
  };
  if (share >= 1) return [cut];
  const open = 0.22 * height * (1 - share) + 0.03 * height;
  const pivot = y - 0.12 * height + 0.5 * height * share;
  const long = 0.62 * height;
  const grip = 0.13 * height;
  const blades: LinesMark = {
    ...line,
    points: [
      ...[x + open * 0.8, pivot - 0.5 * long, x - open, pivot + long],
      ...[x - open * 0.8, pivot - 0.5 * long, x + open, pivot + long],
    ],
    lineWidth: 2.5 * scale,
  };
  const ring = (side: number): BoxMark => ({
    kind: 'box',
    rect: {
      x: x + side * (open * 0.8 + 0.4 * grip) - grip,
      y: pivot - 0.5 * long - 1.8 * grip,
      width: 2 * grip,
      height: 2 * grip,
    },
    radius: grip,
    fill: 'panel',
    line: 'ink',
    lineWidth: 2.5 * scale,
  });
  return [cut, blades, ring(-1), ring(1)];
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
    ...(isDisplaced ? pauseMarks(rect, shape.size, turn) : []),
    ...(shape.text === ''
      ? []
      : [{ ...centred(rect, shape.text, shape.size, shape.colour), turn }]),
  ];
}

/** Two bars, as on any player: the task is paused. */
function pauseMarks(rect: Rect, size: number, turn: number): readonly Mark[] {
  if (rect.width < 3 * size) return [];
  const bar = (at: number): BoxMark => ({
    kind: 'box',
    rect: {
      x: rect.x + (0.5 + at * 0.42) * size,
      y: rect.y + (rect.height - size) / 2,
      width: 0.26 * size,
      height: size,
    },
    radius: 0.05 * size,
    fill: 'ink',
    turn,
  });
  return [bar(0), bar(1)];
}
