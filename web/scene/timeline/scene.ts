/**
 * The shapes between the axis and the end of the rows for one view, from the back to the front. A function
 * of the lanes, the view and the selection alone; rows out of view cost nothing.
 */
import type { Journey } from '../../core/journeys.ts';
import type { Lanes } from '../../core/lanes.ts';
import type { Opened } from '../../core/core.ts';
import { laneOf } from '../lane-of.ts';
import { cpuShapes, type LaneInk } from './cpu-lane.ts';
import { binsOf, depthScale, dropShapes, queueShapes, rateShapes } from './depths.ts';
import { spanShapes, stayShapes } from './marks.ts';
import type { PlacedRow } from './rows.ts';
import { plumb, type LaneShape } from './shapes.ts';
import type { Viewport } from './stretch.ts';
import { axisOf } from './ticks.ts';

export interface Chosen {
  readonly selected: Journey | undefined;
  readonly hovered: Journey | undefined;
}

export interface LaneInput extends Chosen {
  readonly run: Pick<Opened, 'queues'>;
  /** `undefined` until the core's first answer. */
  readonly lanes: Lanes | undefined;
  /** Limits by queue; 0 if unknown. */
  readonly limits: Uint32Array | undefined;
  /** The rows to draw. */
  readonly rows: readonly PlacedRow[];
  readonly view: Viewport;
  /** Lower edge of what is painted. */
  readonly bottom: number;
  readonly ink: LaneInk;
}

export function laneShapes(input: LaneInput): readonly LaneShape[] {
  const { rows, view, selected, hovered, bottom } = input;
  const other = hovered?.packet === selected?.packet ? undefined : hovered;
  return [
    ...(selected === undefined ? [] : spanShapes(selected, view, bottom, 'selected')),
    ...(other === undefined ? [] : spanShapes(other, view, bottom, 'hovered')),
    ...gridShapes(view, bottom),
    ...rows.flatMap((placed) => rowShapes(placed, input)),
    ...(selected === undefined ? [] : stayShapes(selected, view, rows, 'selected')),
    ...(other === undefined ? [] : stayShapes(other, view, rows, 'hovered')),
  ];
}

function gridShapes(view: Viewport, bottom: number): readonly LaneShape[] {
  return axisOf(view).ticks.map(({ x }) => plumb(x, 0, bottom, 'idle'));
}

function rowShapes(placed: PlacedRow, input: LaneInput): readonly LaneShape[] {
  const { lanes, view, run, limits, ink } = input;
  const { row } = placed;
  if (lanes === undefined) return [];
  switch (row.kind) {
    case 'cpu': {
      const lane = laneOf(lanes, row.cpu);
      return lane === undefined ? [] : cpuShapes(lane, lanes.to, view, placed, ink);
    }
    case 'queue': {
      const lane = lanes.queues.find(({ queue }) => queue === row.queue);
      if (lane === undefined) return [];
      const limit = limits?.[row.queue] ?? 0;
      const scale = depthScale(run.queues[row.queue]?.maxDepth ?? 0, limit);
      return queueShapes(lane, lanes.to, view, placed, scale, limit);
    }
    case 'packets':
      return rateShapes(binsOf(lanes, view), view, placed);
    case 'drops':
      return dropShapes(lanes.drops, view, placed);
  }
}
