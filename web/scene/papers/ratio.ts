/**
 * The mark of a ratio: modelled by published on a logarithmic scale around 1, with the band of the
 * tolerance and the interval of the model's mean. 2 and 1/2 are equally far from the middle; a ratio off
 * the scale is at the edge and marked as such.
 */
import { scaleLog } from 'd3-scale';

export interface RatioMark {
  /** Fractions of the width, 0 to 1; the ratio 1 is in the middle. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bandFrom: number;
  readonly bandTo: number;
  /** The side on which the ratio is off the scale, if it is. */
  readonly beyond: 'left' | 'right' | undefined;
}

/** The greatest ratio on the scale; its reciprocal is the least. */
const FACTOR = 2;

const scale = scaleLog()
  .domain([1 / FACTOR, FACTOR])
  .range([0, 1])
  .clamp(true);

/** @param halfWidth half the width of the ratio's interval */
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
