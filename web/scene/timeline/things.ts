/**
 * The thing under a point of the lanes, as a stretch to zoom to: the time in which a CPU did one thing or a
 * queue was not empty, or a bin of the rates.
 */
import type { Lanes } from '../../core/lanes.ts';
import type { Nanos, Stretch } from '../../core/core.ts';
import { laneOf } from '../lane-of.ts';
import { segmentAt } from './columns.ts';
import { binsOf } from './depths.ts';
import type { Row } from './rows.ts';
import { xAt, type Viewport } from './stretch.ts';

/** Margin on each side when zoomed to a thing, as a fraction of its length. */
const MARGIN = 0.25;
/** Minimum length of a stretch, as traces have whole nanoseconds. */
export const SHORTEST: Nanos = 20;

/** The stretch of the thing in a row at a time; `undefined` if there is none. */
export function thingAt(
  row: Row,
  time: Nanos,
  lanes: Lanes,
  view: Viewport,
  isIdle: (context: number) => boolean,
): Stretch | undefined {
  switch (row.kind) {
    case 'cpu': {
      const lane = laneOf(lanes, row.cpu);
      const at = lane === undefined ? -1 : segmentAt(lane.start, time);
      if (lane === undefined || at < 0 || isIdle(lane.context[at]!)) return undefined;
      return { from: lane.start[at]!, to: lane.start[at + 1] ?? lanes.to };
    }
    case 'queue': {
      const lane = lanes.queues.find(({ queue }) => queue === row.queue);
      let from = lane === undefined ? -1 : segmentAt(lane.start, time);
      if (lane === undefined || (lane.depth[from] ?? 0) === 0) return undefined;
      let to = from + 1;
      while (from > 0 && lane.depth[from - 1]! > 0) from -= 1;
      while (to < lane.start.length && lane.depth[to]! > 0) to += 1;
      return { from: lane.start[from]!, to: lane.start[to] ?? lanes.to };
    }
    case 'packets': {
      const { from, length, arrived, delivered } = binsOf(lanes, view);
      const bin = Math.floor((time - from) / length);
      if ((arrived[bin] ?? 0) + (delivered[bin] ?? 0) === 0) return undefined;
      return { from: from + bin * length, to: from + (bin + 1) * length };
    }
    case 'drops':
      return undefined;
  }
}

/** A thing with its margins, within the run; `undefined` if that is the whole run. */
export function around({ from, to }: Stretch, duration: Nanos): Stretch | undefined {
  const margin = Math.max((to - from) * MARGIN, SHORTEST);
  const wide = { from: Math.max(0, from - margin), to: Math.min(duration, to + margin) };
  return wide.to - wide.from >= duration ? undefined : wide;
}

/** Maximum distance in CSS pixels at which a mark is selected. */
const NEAR = 6;

/** The time of the drop whose mark is at `x`, as in the lanes; `undefined` if none is near. */
export function dropNear(drops: Float64Array, view: Viewport, x: number): Nanos | undefined {
  let nearest: Nanos | undefined;
  for (let at = Math.max(0, segmentAt(drops, view.from)); at < drops.length; at++) {
    const time = drops[at]!;
    const distance = xAt(view, time) - x;
    if (distance > NEAR) break;
    const best = nearest === undefined ? NEAR : Math.abs(xAt(view, nearest) - x);
    if (Math.abs(distance) <= best) nearest = time;
  }
  return nearest;
}
