/**
 * The rows under the CPUs: the depth of each queue, with its limit if that is near enough to draw; packets
 * arrived and delivered; drops as marks.
 */
import type { Lanes, QueueLane } from '../../core/lanes.ts';
import type { Nanos, Stretch } from '../../core/core.ts';
import { segmentAt } from './columns.ts';
import type { PlacedRow } from './rows.ts';
import { level, type LaneShape, type StepsShape } from './shapes.ts';
import { isWithin, xAt, type Viewport } from './stretch.ts';

const TOP = 4;
const BOTTOM = 3;
/** Maximum ratio of a limit to the greatest depth at which it is drawn; a higher one would flatten the line. */
const NEAR_LIMIT = 3;

export interface Scale {
  /** The value at the top of the row. */
  readonly top: number;
  readonly hasLimit: boolean;
}

export function depthScale(maxDepth: number, limit: number): Scale {
  const hasLimit = limit > 0 && limit <= NEAR_LIMIT * maxDepth;
  return { top: Math.max(maxDepth, hasLimit ? limit : 0, 1), hasLimit };
}

export function queueShapes(
  lane: QueueLane,
  end: Nanos,
  view: Viewport,
  placed: PlacedRow,
  scale: Scale,
  limit: number,
): readonly LaneShape[] {
  const heightAt = within(placed, scale.top);
  const points: number[] = [];
  const stop = xAt(view, Math.min(end, view.to));
  const first = segmentAt(lane.start, view.from);
  let depth = lane.depth[first] ?? 0;
  points.push(Math.max(0, xAt(view, Math.max(lane.start[0] ?? view.to, view.from))));
  points.push(heightAt(depth));
  for (let at = first + 1; at < lane.start.length && lane.start[at]! < view.to; at++) {
    const x = Math.max(0, xAt(view, lane.start[at]!));
    points.push(x, heightAt(depth));
    depth = lane.depth[at]!;
    points.push(x, heightAt(depth));
  }
  points.push(stop, heightAt(depth));
  const base = heightAt(0);
  const line: StepsShape = {
    kind: 'steps',
    line: 'packet',
    fill: 'packet',
    isDashed: false,
    base,
    points: lane.start.length === 0 ? [0, base, stop, base] : points,
  };
  if (!scale.hasLimit) return [line];
  return [line, level(heightAt(limit), view.width, 'ink-muted')];
}

/** Minimum width of a bin of the rates, in pixels. */
const BIN_WIDTH = 4;

export interface Bins {
  readonly from: Nanos;
  readonly length: Nanos;
  readonly arrived: readonly number[];
  readonly delivered: readonly number[];
  readonly peak: number;
}

/** Steps joined to visible bins, in powers of two, so that a pan does not shift their borders. */
export function binsOf(lanes: Lanes, view: Viewport): Bins {
  const count = lanes.arrivedPerStep.length;
  const step = (lanes.to - lanes.from) / Math.max(count, 1);
  const pixels = (step / (view.to - view.from)) * view.width;
  const each = 2 ** Math.max(0, Math.ceil(Math.log2(BIN_WIDTH / pixels)));
  const length = step * each;
  const first = Math.max(0, Math.floor((view.from - lanes.from) / length));
  const last = Math.min(Math.ceil(count / each), Math.ceil((view.to - lanes.from) / length));
  const sums = (perStep: Uint32Array) =>
    Array.from({ length: Math.max(0, last - first) }, (_, bin) => {
      let sum = 0;
      const stop = Math.min((first + bin + 1) * each, count);
      for (let at = (first + bin) * each; at < stop; at++) sum += perStep[at]!;
      return sum;
    });
  const arrived = sums(lanes.arrivedPerStep);
  const delivered = sums(lanes.deliveredPerStep);
  const peak = Math.max(0, ...arrived, ...delivered);
  return { from: lanes.from + first * length, length, arrived, delivered, peak };
}

/** Delivered packets as an area, arrived ones as a dashed line. */
export function rateShapes(bins: Bins, view: Viewport, placed: PlacedRow): readonly LaneShape[] {
  const heightAt = within(placed, Math.max(bins.peak, 1));
  const base = heightAt(0);
  const clip = (x: number) => Math.min(Math.max(x, 0), view.width);
  const pointsOf = (counts: readonly number[]) =>
    counts.flatMap((count, bin) => {
      const x = clip(xAt(view, bins.from + bin * bins.length));
      const next = clip(xAt(view, bins.from + (bin + 1) * bins.length));
      // In an empty bin no line is drawn, but the preceding one goes down to zero.
      if (count === 0) return (counts[bin - 1] ?? 0) > 0 ? [x, base, NaN, NaN] : [];
      const rise = (counts[bin - 1] ?? 0) > 0 ? [] : [x, base];
      return [...rise, x, heightAt(count), next, heightAt(count)];
    });
  const delivered = pointsOf(bins.delivered);
  const arrived = pointsOf(bins.arrived);
  return [
    { kind: 'steps', line: 'packet', fill: 'packet', isDashed: false, base, points: delivered },
    { kind: 'steps', line: 'ink', fill: undefined, isDashed: true, base, points: arrived },
  ];
}

/** Drops nearer than this, in pixels, share one mark. */
const DROP_WIDTH = 5;

export function dropShapes(
  drops: Float64Array,
  view: Viewport,
  placed: PlacedRow,
): readonly LaneShape[] {
  const xs: number[] = [];
  for (let at = Math.max(0, segmentAt(drops, view.from)); at < drops.length; at++) {
    const time = drops[at]!;
    if (time > view.to) break;
    const x = xAt(view, time);
    if (isWithin(view, time) && x - (xs.at(-1) ?? -Infinity) >= DROP_WIDTH) xs.push(x);
  }
  return xs.length === 0 ? [] : [{ kind: 'drops', y: placed.y + placed.height / 2, size: 9, xs }];
}

/** The maximum depth in a stretch. */
export function deepest(lane: QueueLane, { from, to }: Stretch): number {
  let max = 0;
  for (let at = Math.max(0, segmentAt(lane.start, from)); at < lane.start.length; at++) {
    if (lane.start[at]! > to) break;
    max = Math.max(max, lane.depth[at]!);
  }
  return max;
}

function within({ y, height }: PlacedRow, top: number): (value: number) => number {
  const room = height - TOP - BOTTOM;
  return (value) => y + height - BOTTOM - Math.min(value / top, 1) * room;
}
