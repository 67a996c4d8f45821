/**
 * Shapes as marks: the few primitives that any surface can paint. The look of a capsule, a stack or an arc
 * is decided here; a painter only knows boxes, texts, lines and curves.
 */
import { assemblyMarks } from './assembly-marks.ts';
import { capsuleMarks } from './capsule-marks.ts';
import {
  bladeMarks,
  bridgeMarks,
  cardMarks,
  railMarks,
  refusedMarks,
  tetherMark,
  trailMarks,
  vesselMarks,
} from './place-marks.ts';
import { dimMarks } from './dim-marks.ts';
import { arcMarks, dropMarks, ringMarks } from './flow-marks.ts';
import { gridMarks, tankMarks } from './view-marks.ts';
import type {
  Colour,
  Emphasis,
  LabelShape,
  PanelShape,
  Rect,
  RuleShape,
  Shape,
  StackedShape,
  StackShape,
  StreamShape,
} from './shapes.ts';
import { assertNever } from './shapes.ts';

export interface BoxMark {
  readonly kind: 'box';
  readonly rect: Rect;
  readonly radius: number;
  readonly fill?: Colour | undefined;
  readonly line?: Colour | undefined;
  readonly lineWidth?: number;
  readonly isDashed?: boolean;
  readonly alpha?: number;
  /** Rotation in radians about the centre. */
  readonly turn?: number;
}

export interface TextMark {
  readonly kind: 'text';
  readonly text: string;
  readonly x: number;
  /** Vertical centre of the line of text. */
  readonly y: number;
  readonly size: number;
  readonly colour: Colour;
  readonly align: 'left' | 'center' | 'right';
  readonly isBold: boolean;
  readonly isMono: boolean;
  readonly alpha?: number;
  /** Rotation in radians about the centre. */
  readonly turn?: number;
}

/** Straight lines of one colour, as consecutive x1, y1, x2, y2. */
export interface LinesMark {
  readonly kind: 'lines';
  readonly points: readonly number[];
  readonly colour: Colour;
  readonly lineWidth: number;
  readonly isDashed: boolean;
  readonly alpha: number;
}

/** A quadratic curve. */
export interface CurveMark {
  readonly kind: 'curve';
  readonly from: readonly [x: number, y: number];
  readonly through: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly colour: Colour;
  readonly lineWidth: number;
  readonly isDashed?: boolean;
  readonly alpha?: number;
}

export type Mark = BoxMark | TextMark | LinesMark | CurveMark;

export function marksOf(shape: Shape, scale: number): readonly Mark[] {
  const marks = plainMarks(shape, scale);
  return shape.isDim === true ? marks.flatMap(dimMarks) : marks;
}

function plainMarks(shape: Shape, scale: number): readonly Mark[] {
  switch (shape.kind) {
    case 'panel':
      return [
        ...(shape.hasPins === true ? [pinsMark(shape, scale)] : []),
        { ...shape, kind: 'box', lineWidth: shape.lineWidth ?? 1 },
      ];
    case 'label':
      return labelMarks(shape, scale);
    case 'rule':
      return [ruleMark(shape)];
    case 'pill':
      return [
        { kind: 'box', rect: shape.rect, radius: shape.rect.height / 2, fill: shape.fill },
        centred(shape.rect, shape.text, shape.size, shape.colour),
      ];
    case 'strip':
      return [
        { kind: 'box', rect: shape.rect, radius: 2, fill: 'well' },
        ...shape.bands.map(({ x, width, height, fill }): BoxMark => {
          const high = shape.rect.height * height;
          const y = shape.rect.y + shape.rect.height - high;
          return { kind: 'box', rect: { x, y, width, height: high }, radius: 0, fill };
        }),
      ];
    case 'gauge':
      return [
        {
          kind: 'box',
          rect: shape.rect,
          radius: shape.rect.height / 2,
          fill: 'well',
          line: 'line-strong',
        },
        ...(shape.share > 0
          ? [filledPart(shape.rect, Math.max(2, shape.rect.width * shape.share))]
          : []),
      ];
    case 'ring':
      return ringMarks(shape, scale);
    case 'capsule':
      return [
        ...capsuleMarks(shape),
        // The outline of a fading packet fades with it.
        ...outline(shape.rect, shape.mark, scale).map((mark) => ({ ...mark, alpha: shape.alpha })),
      ];
    case 'vessel':
      return vesselMarks(shape);
    case 'rail':
      return railMarks(shape, scale);
    case 'bridge':
      return bridgeMarks(shape, scale);
    case 'tether':
      return [tetherMark(shape, scale)];
    case 'refused':
      return refusedMarks(shape, scale);
    case 'trail':
      return trailMarks(shape, scale);
    case 'blade':
      return bladeMarks(shape, scale);
    case 'card':
      return cardMarks(shape, scale);
    case 'stack':
      return stackMarks(shape, scale);
    case 'stream':
      return streamMarks(shape);
    case 'assembly':
      return assemblyMarks(shape, scale);
    case 'drop':
      return dropMarks(shape, scale);
    case 'cache':
      return Array.from({ length: shape.columns }, (_, at): BoxMark => {
        const pitch = shape.rect.width / shape.columns;
        const rect = { ...shape.rect, x: shape.rect.x + at * pitch, width: pitch - 1.5 * scale };
        const box = { kind: 'box', rect, radius: 1.5 * scale } as const;
        // Without an edge an empty box would be indistinguishable from the background.
        return at < shape.filled
          ? { ...box, fill: 'cache' }
          : { ...box, fill: 'slot-empty', line: 'line-strong' };
      });
    case 'stacked':
      return stackedMarks(shape, scale);
    case 'tank':
      return tankMarks(shape, scale);
    case 'grid':
      return gridMarks(shape);
    case 'arc':
      return arcMarks(shape, scale);
    default:
      return assertNever(shape);
  }
}

/** Pins like those of a chip distinguish a CPU from what is drawn below it. */
function pinsMark({ rect, line }: PanelShape, scale: number): LinesMark {
  const count = Math.max(4, Math.floor(rect.width / (22 * scale)));
  const points = Array.from({ length: count }, (_, at) => {
    const x = rect.x + (rect.width * (at + 0.5)) / count;
    return [x, rect.y - 5 * scale, x, rect.y];
  }).flat();
  const colour = line ?? 'line-strong';
  return { kind: 'lines', points, colour, lineWidth: 4 * scale, isDashed: false, alpha: 1 };
}

/**
 * A ring around a thing that is pointed at, selected or focused.
 *
 * @param hasNeighbours whether others of its kind stand close beside it, whose texts a wider ring would cross
 */
export function outline(
  rect: Rect,
  mark: Emphasis | 'focused',
  scale: number,
  hasNeighbours = false,
): readonly Mark[] {
  if (mark === 'none') return [];
  const room = (mark === 'pointed' ? 2 : 3) * scale;
  const beside = hasNeighbours ? 0 : room;
  return [
    {
      kind: 'box',
      rect: {
        x: rect.x - beside,
        y: rect.y - room,
        width: rect.width + 2 * beside,
        height: rect.height + 2 * room,
      },
      radius: 5 * scale,
      line: mark === 'focused' ? 'focus' : 'ink',
      lineWidth: (mark === 'pointed' ? 1 : 2) * scale,
    },
  ];
}

function stackMarks(shape: StackShape, scale: number): readonly Mark[] {
  const { rect } = shape;
  const step = 3 * scale;
  const sheet = (shift: number, alpha: number): BoxMark => ({
    kind: 'box',
    rect: { ...rect, x: rect.x + shift, width: rect.width - 2 * step },
    radius: 4 * scale,
    fill: 'packet',
    line: 'panel',
    lineWidth: scale,
    alpha,
  });
  return [
    sheet(2 * step, 0.45),
    sheet(step, 0.7),
    sheet(0, 1),
    centred({ ...rect, width: rect.width - 2 * step }, shape.text, shape.size, 'on-packet'),
    ...outline(rect, shape.mark, scale),
  ];
}

function streamMarks(shape: StreamShape): readonly Mark[] {
  const { rect } = shape;
  const marked = shape.segments.filter(({ mark }) => mark !== 'none');
  return [
    { kind: 'box', rect, radius: 3, fill: 'packet' },
    ...verticals(shape.seams, rect, 0, 'panel', 1.5, 1),
    ...marked.flatMap(({ x, width, mark }) => {
      const room = Math.max(width, 5);
      return outline({ ...rect, x: x - (room - width) / 2, width: room }, mark, 1);
    }),
  ];
}

function stackedMarks({ rect, parts, isBedded }: StackedShape, scale: number): readonly Mark[] {
  const bed: BoxMark = {
    kind: 'box',
    rect,
    radius: 1.5 * scale,
    fill: 'slot-empty',
    line: 'line-strong',
  };
  const gap = 0.75 * scale;
  return [
    ...(isBedded ? [bed] : []),
    ...parts.map(({ x, width, strength }): BoxMark => {
      const box = { ...rect, x, width: Math.max(1, width - (isBedded ? gap : 0)) };
      return { kind: 'box', rect: box, radius: scale, fill: 'cache', alpha: strength };
    }),
  ];
}

function labelMarks(shape: LabelShape, scale: number): readonly Mark[] {
  const { rect, align } = shape;
  const x =
    align === 'left' ? rect.x : align === 'right' ? rect.x + rect.width : rect.x + rect.width / 2;
  const text: TextMark = {
    kind: 'text',
    text: shape.text,
    x,
    y: rect.y + rect.height / 2,
    size: shape.size,
    colour: shape.colour,
    align,
    isBold: shape.isBold,
    isMono: shape.isMono,
  };
  if (!shape.isPlate) return [text];
  const room = shape.isMono ? 0 : 5 * scale;
  const plate = { ...rect, x: rect.x - room, width: rect.width + 2 * room };
  const line = shape.isMono ? ('line-strong' as const) : undefined;
  return [{ kind: 'box', rect: plate, radius: 4 * scale, fill: 'panel', line, lineWidth: 1 }, text];
}

function ruleMark({ rect }: RuleShape): LinesMark {
  return {
    kind: 'lines',
    points: [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height],
    colour: 'line',
    lineWidth: 1,
    isDashed: true,
    alpha: rect.width === 0 ? 0.6 : 1,
  };
}

export function verticals(
  xs: readonly number[],
  { y, height }: Rect,
  inset: number,
  colour: Colour,
  lineWidth: number,
  alpha: number,
): readonly LinesMark[] {
  if (xs.length === 0) return [];
  const points = xs.flatMap((x) => [x, y + inset, x, y + height - inset]);
  return [{ kind: 'lines', points, colour, lineWidth, isDashed: false, alpha }];
}

function filledPart(rect: Rect, width: number): BoxMark {
  return { kind: 'box', rect: { ...rect, width }, radius: rect.height / 2, fill: 'packet' };
}

/** Estimated width of a bold character, as a fraction of the text size: the painter's measure is not available here. */
export const LETTER_WIDTH = 0.66;

export function centred(rect: Rect, text: string, size: number, colour: Colour): TextMark {
  return {
    kind: 'text',
    text,
    x: rect.x + rect.width / 2,
    y: rect.y + rect.height / 2,
    size,
    colour,
    align: 'center',
    isBold: true,
    isMono: false,
  };
}
