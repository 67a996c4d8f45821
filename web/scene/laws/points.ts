/**
 * The plot of a law: measured values as points, the law's values as lines at the same x, one line for each
 * series. On a logarithmic scale values that are not positive have no place.
 */
import { extent, group } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';

export interface LawPoint {
  readonly x: number;
  /** The measured value, and the law's. */
  readonly y: number;
  readonly law: number;
  readonly isHeld: boolean;
  readonly series: string;
}

export interface LawPicture {
  /** SVG paths of the law's values, one for each series. */
  readonly lines: readonly string[];
  readonly dots: readonly { readonly x: number; readonly y: number; readonly isHeld: boolean }[];
  /** The ends of both axes in their own units, each with its position. */
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly value: number;
}

/** Margin around the points, in px. */
const EDGE = 6;

export function pictureOf(
  points: readonly LawPoint[],
  isLogarithmic: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): LawPicture {
  const drawn = isLogarithmic ? points.filter(({ x, y }) => x > 0 && y > 0) : points;
  const xs = drawn.map(({ x }) => x);
  const ys = drawn.flatMap(({ y, law }) => [y, law]);
  const x = scaleOf(xs, isLogarithmic).range([EDGE, width - EDGE]);
  const y = scaleOf(isLogarithmic ? ys : [0, ...ys], isLogarithmic).range([height - EDGE, EDGE]);
  const series = group(drawn, (point) => point.series);
  return {
    lines: [...series.values()].map((of) => {
      const places = of.toSorted((one, other) => one.x - other.x);
      return places.map((at, index) => `${index ? 'L' : 'M'}${x(at.x)} ${y(at.law)}`).join('');
    }),
    dots: drawn.map((point) => ({ x: x(point.x), y: y(point.y), isHeld: point.isHeld })),
    xTicks: x.domain().map((value) => ({ at: x(value), value })),
    yTicks: y.domain().map((value) => ({ at: y(value), value })),
  };
}

function scaleOf(values: readonly number[], isLogarithmic: boolean) {
  const [from = 1, to = 1] = extent(values);
  return (isLogarithmic ? scaleLog() : scaleLinear()).domain([from, to]);
}
