/**
 * The layers' times as marks, for files: the histogram of each layer with its percentiles, and the packets'
 * times as clouds of points. On the page, HTML and a canvas that adapt to the available room show the same.
 */
import type { BoxMark, LinesMark, Mark, TextMark } from '../marks.ts';
import type { Colour } from '../shapes.ts';
import { binsOf, type Summary } from './distribution.ts';
import { POINT_SHAPES, thinned, type LayerPlot, type PointShape } from './layer-plot.ts';
import type { ValueScale } from './value-scale.ts';

export interface Drawn {
  readonly marks: readonly Mark[];
  readonly width: number;
  readonly height: number;
}

export interface DrawnLayer {
  /** The layer's name, and its numbers as text. */
  readonly name: string;
  readonly numbers: string;
  readonly sorted: Float64Array;
  readonly summary: Summary;
}

type Write = (nanos: number) => string;

const WIDTH = 720;
const HEAD = 22;
const STRIP = 40;
const ROW = HEAD + STRIP + 10;
const BINS = 60;
const SMALL = 11;

/**
 * A histogram for each layer on one scale: the median as a line, the trimmed mean as a ring, 95 and 99 %
 * dashed.
 */
export function distributions(
  layers: readonly DrawnLayer[],
  scale: ValueScale,
  write: Write,
): Drawn {
  const x = (nanos: number) => scale.at(nanos) * WIDTH;
  const marks = layers.flatMap(({ name, numbers, sorted, summary }, at): readonly Mark[] => {
    const top = at * ROW + HEAD;
    const bottom = top + STRIP;
    const bins = binsOf(sorted, scale, BINS).filter(({ count }) => count > 0);
    const most = Math.max(...bins.map(({ count }) => count));
    const upright = (nanos: number, lineWidth: number, isDashed: boolean) =>
      lines([x(nanos), top, x(nanos), bottom], 'ink', lineWidth, isDashed);
    return [
      text(name, 0, top - 9, 'left', true),
      text(numbers, WIDTH, top - 9, 'right'),
      box(0, top, WIDTH, STRIP, 'well'),
      ...bins.map(({ left, right, count }) => {
        const high = Math.max(0.08, count / most) * STRIP;
        return box(left * WIDTH, bottom - high, (right - left) * WIDTH - 1, high, 'packet');
      }),
      lines([0, bottom, WIDTH, bottom], 'line-strong', 1, false),
      upright(summary.median, 2.5, false),
      upright(summary.p95, 1.5, true),
      upright(summary.p99, 1, true),
      ring(x(summary.trimmedMean), bottom - 7, 5),
    ];
  });
  const base = layers.length * ROW + 8;
  const ticks = scale.ticks(5).map(({ nanos }) => tick(write(nanos), x(nanos), base, WIDTH));
  return { marks: [...marks, ...ticks], width: WIDTH, height: base + 10 };
}

const HEIGHT = 300;
const LEFT = 64;
/** Margin for half a point at the edges, in px. */
const EDGE = 5;
/** The headers' colours, as on the stage's capsules, then ink; shapes differ too. */
const SHADES: readonly Colour[] = [
  ...(['shell-link', 'shell-network', 'shell-transport', 'packet', 'ink-muted'] as const),
];

/** Packet number against layer time, a shape for each layer, with its name below. */
export function layerClouds(
  plot: LayerPlot,
  nameOf: (layer: number) => string,
  write: Write,
  across: string,
): Drawn {
  const [width, high] = [WIDTH - LEFT - 2 * EDGE, HEIGHT - 2 * EDGE];
  const x = (share: number) => LEFT + EDGE + share * width;
  const y = (share: number) => EDGE + (1 - share) * high;
  const grid = plot.scale
    .ticks(4)
    .flatMap(({ at, nanos }) => [
      lines([LEFT, y(at), WIDTH, y(at)], 'line', 1, false),
      text(write(nanos), LEFT - 6, y(at), 'right'),
    ]);
  const points = plot.clouds.flatMap((cloud) => {
    const [shape, colour] = [shapeOf(cloud.layer), shadeOf(cloud.layer)];
    return [...thinned(cloud, width, high)].map((index) =>
      point(shape, colour, x(cloud.x[index]!), y(cloud.y[index]!)),
    );
  });
  const key = plot.clouds.flatMap(({ layer }, at) => {
    const line = HEIGHT + 36 + at * 16;
    return [
      point(shapeOf(layer), shadeOf(layer), LEFT + 6, line),
      text(nameOf(layer), LEFT + 18, line, 'left'),
    ];
  });
  const axis = [
    lines([LEFT, 0, LEFT, HEIGHT, LEFT, HEIGHT, WIDTH, HEIGHT], 'line-strong', 1, false),
    text(String(plot.firstPacket), LEFT, HEIGHT + 14, 'left'),
    text(across, x(0.5), HEIGHT + 14, 'center'),
    text(String(plot.lastPacket), WIDTH, HEIGHT + 14, 'right'),
  ];
  const height = HEIGHT + 40 + plot.clouds.length * 16;
  return { marks: [...grid, ...points, ...axis, ...key], width: WIDTH, height };
}

const shapeOf = (layer: number): PointShape => POINT_SHAPES[layer % POINT_SHAPES.length]!;
const shadeOf = (layer: number): Colour => SHADES[layer % SHADES.length]!;

function point(shape: PointShape, colour: Colour, x: number, y: number): Mark {
  const of = (...way: readonly number[]) =>
    lines(
      way.map((by, at) => by + (at % 2 === 0 ? x : y)),
      colour,
      1.25,
      false,
    );
  switch (shape) {
    case 'circle':
      return ring(x, y, 3, colour);
    case 'cross':
      return of(-3, -3, 3, 3, 3, -3, -3, 3);
    case 'plus':
      return of(-3.5, 0, 3.5, 0, 0, -3.5, 0, 3.5);
    case 'square':
      return of(-3, -3, 3, -3, 3, -3, 3, 3, 3, 3, -3, 3, -3, 3, -3, -3);
    case 'triangle':
      return of(0, -3.5, 3.5, 3, 3.5, 3, -3.5, 3, -3.5, 3, 0, -3.5);
    case 'diamond':
      return of(0, -4, 4, 0, 4, 0, 0, 4, 0, 4, -4, 0, -4, 0, 0, -4);
  }
}

/** A label of the axis; the last one stays within the picture. */
export function tick(written: string, x: number, y: number, width: number): TextMark {
  return text(written, x, y, x < 20 ? 'left' : x > width - 30 ? 'right' : 'center');
}

export function text(
  written: string,
  x: number,
  y: number,
  align: TextMark['align'],
  isBold = false,
): TextMark {
  const colour = isBold ? 'ink' : 'ink-muted';
  return { kind: 'text', text: written, x, y, size: SMALL, colour, align, isBold, isMono: false };
}

export function box(x: number, y: number, width: number, height: number, fill: Colour): BoxMark {
  return { kind: 'box', rect: { x, y, width: Math.max(0, width), height }, radius: 0, fill };
}

function ring(x: number, y: number, radius: number, line: Colour = 'ink'): BoxMark {
  const side = 2 * radius;
  const rect = { x: x - radius, y: y - radius, width: side, height: side };
  return { kind: 'box', rect, radius, line, lineWidth: 1.5 };
}

export function lines(
  points: readonly number[],
  colour: Colour,
  lineWidth: number,
  isDashed: boolean,
): LinesMark {
  return { kind: 'lines', points, colour, lineWidth, isDashed, alpha: 1 };
}
