/**
 * What lies under a point of the lanes, as a stretch that can be zoomed to: how long a CPU did one
 * thing, how long a queue held something, the bin of a rate.
 */
import type { Lanes } from '../../core/lanes.ts';
import type { Nanos } from '../../core/core.ts';
import { laneOf } from '../lane-of.ts';
import { segmentAt } from './columns.ts';
import { binsOf } from './depths.ts';
import type { Row } from './rows.ts';
import { xAt, type Stretch, type Viewport } from './stretch.ts';

/** Where a thing is zoomed to, so much of its length is shown on each side. */
const MARGIN = 0.25;
/** Nothing below this can be told apart: traces stamp whole nanoseconds. */
export const SHORTEST: Nanos = 20;

/** The stretch of the thing in a row at a time; nothing where nothing happens. */
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

/** A thing with some of what is around it, within the run; all of the run is no zoom. */
export function around({ from, to }: Stretch, duration: Nanos): Stretch | undefined {
  const margin = Math.max((to - from) * MARGIN, SHORTEST);
  const wide = { from: Math.max(0, from - margin), to: Math.min(duration, to + margin) };
  return wide.to - wide.from >= duration ? undefined : wide;
}

/** As near as this a mark is meant, in CSS pixels. */
const NEAR = 6;

/** The drop whose mark is at a place, by its time as the lanes tell it. */
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
