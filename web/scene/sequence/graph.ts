/**
 * A time-sequence graph as shapes: scales, bars and lines as SVG paths, and the values at a time or under a
 * point.
 */
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Nanos, Stretch } from '../../core/core.ts';
import type { Sequence, SequenceLevel, SequenceSegment } from '../../core/sequence.ts';

/** The edges of the plot in its picture, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scales {
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
}

type Bar = { readonly at: Nanos; readonly from: number; readonly to: number };

/** Maximum part of the data's height by which an advertised window above the data extends the axis. */
const ROOM_ABOVE = 0.35;
/** Minimum height of a bar in pixels, so that a single segment of a long run is visible. */
const SHORTEST = 3;
/** Maximum distance in pixels at which a press selects a bar. */
const NEAR = 12;

/** Scales from the lowest to the highest byte in view; the window counts only up to `ROOM_ABOVE`. */
export function scalesOf(
  { segments, acked, sacks, window }: Sequence,
  { from, to }: Stretch,
  plot: Plot,
): Scales {
  let [low, high] = [Infinity, -Infinity];
  const reach = (value: number) => {
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const bar of [...segments, ...sacks]) {
    reach(bar.from);
    reach(bar.to);
  }
  for (const { value } of acked) reach(value);
  if (high === -Infinity) [low, high] = [0, 1];
  const most = high + Math.max(1, high - low) * ROOM_ABOVE;
  for (const { value } of window) if (value <= most) reach(value);
  return {
    x: scaleLinear([from, to], [plot.left, plot.right]),
    y: scaleLinear([low, Math.max(high, low + 1)], [plot.bottom, plot.top]).nice(5),
  };
}

/** A scale from zero to the maximum of the lines. */
export function countScale(lines: readonly (readonly SequenceLevel[])[], plot: Plot) {
  let high = 1;
  for (const line of lines) for (const { value } of line) high = Math.max(high, value);
  return scaleLinear([0, high], [plot.bottom, plot.top]).nice(3);
}

/** Bars from the first to the last byte of each segment, as one path. */
export function barsPath(bars: readonly Bar[], { x, y }: Scales): string {
  return bars
    .map(({ at, from, to }) => {
      const [top, bottom] = [y(to), y(from)];
      return `M${px(x(at))} ${px(Math.max(bottom, top + SHORTEST))}V${px(top)}`;
    })
    .join('');
}

/** A line that keeps its value until the next one, up to the end of the stretch; the caller clips it. */
export function stepPath(
  levels: readonly SequenceLevel[],
  x: Scales['x'],
  y: Scales['y'],
  until: Nanos,
): string {
  const [first, ...others] = levels;
  if (first === undefined) return '';
  const steps = others.map(({ at, value }) => `H${px(x(at))}V${px(y(value))}`).join('');
  return `M${px(x(first.at))} ${px(y(first.value))}${steps}H${px(x(until))}`;
}

/** The value that holds at a time; `undefined` before the first. */
export function levelAt(levels: readonly SequenceLevel[], time: Nanos): number | undefined {
  return levels.findLast(({ at }) => at <= time)?.value;
}

/** One past the highest byte that was seen up to a time. */
export function sentUpTo(segments: readonly SequenceSegment[], time: Nanos): number | undefined {
  let high: number | undefined;
  for (const { at, to } of segments) {
    if (at > time) break;
    high = Math.max(high ?? to, to);
  }
  return high;
}

/** The bar nearest to a point of the plot, within `NEAR` pixels. */
export function segmentAt(
  segments: readonly SequenceSegment[],
  { x, y }: Scales,
  [left, top]: readonly [number, number],
): SequenceSegment | undefined {
  let nearest: SequenceSegment | undefined;
  let least = NEAR;
  for (const segment of segments) {
    const aside = Math.abs(x(segment.at) - left);
    const above = Math.max(y(segment.to) - top, top - y(segment.from), 0);
    const away = Math.hypot(aside, above);
    if (away < least) [nearest, least] = [segment, away];
  }
  return nearest;
}

/** Rounds to a tenth of a pixel, which is precise enough. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
