/**
 * The mark of a ratio: modelled by published on a logarithmic scale around 1, with the band that
 * the tolerance allows and the interval of the model's mean. Twice as much and half as much are
 * as far from the middle; what lies beyond stands at the edge, and says so.
 */
import { scaleLog } from 'd3-scale';

export interface RatioMark {
  /** Shares of the width, 0 to 1; 1 to 1 is in the middle. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bandFrom: number;
  readonly bandTo: number;
  /** The ratio is off the scale, to this side. */
  readonly beyond: 'left' | 'right' | undefined;
}

/** Off the scale is what is more than this many times as much, or as little. */
const FACTOR = 2;

const scale = scaleLog()
  .domain([1 / FACTOR, FACTOR])
  .range([0, 1])
  .clamp(true);

/** @param halfWidth of the interval around the ratio, in the ratio's own measure */
export function ratioMark(ratio: number, halfWidth: number, tolerance: number): RatioMark {
  const at = (value: number) => scale(Math.max(value, Number.MIN_VALUE));
  return {
    at: at(ratio),
    from: at(ratio - halfWidth),
    to: at(ratio + halfWidth),
    bandFrom: at(1 - tolerance),
    bandTo: at(1 + tolerance),
    beyond: ratio < 1 / FACTOR ? 'left' : ratio > FACTOR ? 'right' : undefined,
  };
}
