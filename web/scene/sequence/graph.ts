/** A time-sequence graph as shapes: scales, bars and lines as paths, what stands at a moment or under a point. */
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Nanos } from '../../core/core.ts';
import type { Sequence, SequenceLevel, SequenceSegment } from '../../core/sequence.ts';

export interface Stretch {
  readonly from: Nanos;
  readonly to: Nanos;
}

/** Pixels: the plot's place in its picture. */
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

/** A window that is far above the data leaves the data this part of the height. */
const ROOM_ABOVE = 0.35;
/** A bar is no shorter on the screen, so that a single segment of a long run is seen. */
const SHORTEST = 3;
/** So near, in pixels, a bar is meant by a press. */
const NEAR = 12;

/** From the lowest to the highest byte in sight; of the window as much as leaves the data its room. */
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

/** A scale from nothing to the highest of the lines. */
export function countScale(lines: readonly (readonly SequenceLevel[])[], plot: Plot) {
  let high = 1;
  for (const line of lines) for (const { value } of line) high = Math.max(high, value);
  return scaleLinear([0, high], [plot.bottom, plot.top]).nice(3);
}

/** Bars from first to last byte, as one path. */
export function barsPath(bars: readonly Bar[], { x, y }: Scales): string {
  return bars
    .map(({ at, from, to }) => {
      const [top, bottom] = [y(to), y(from)];
      return `M${px(x(at))} ${px(Math.max(bottom, top + SHORTEST))}V${px(top)}`;
    })
    .join('');
}

/** A line that keeps its value until the next, up to the end of the stretch; clipped by who draws it. */
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

/** What holds at a time; nothing before the first. */
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

/** The bar that is meant at a point of the plot. */
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

/** A tenth of a pixel is enough. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
