/**
 * The time line at its slimmest: one thin lane for each CPU without words, and above them the
 * moments that are marked. As much of it as a CPU's row has room for; names stand beside it.
 */
import type { Opened } from '../../core/core.ts';
import type { Lanes } from '../../core/lanes.ts';
import { bandsOf, segmentsIn, type LaneInk } from './cpu-lane.ts';
import { dropShapes } from './depths.ts';
import type { LaneShape } from './shapes.ts';
import type { Viewport } from './stretch.ts';

/** Lengths in CSS pixels: what is above the lanes, and all lanes together at the most. */
const MARKS = 12;
const MOST = 64;
const PITCH = { most: 16, least: 3 } as const;

export interface CompactRow {
  readonly cpu: number;
  readonly y: number;
  readonly height: number;
}

export interface CompactLayout {
  readonly rows: readonly CompactRow[];
  readonly height: number;
  /** A lane is high enough for the name of its CPU beside it. */
  readonly isNamed: boolean;
}

/** Where each CPU's lane is: slimmer, the more CPUs there are. */
export function compactLayout(cpus: readonly number[]): CompactLayout {
  const pitch = Math.min(PITCH.most, Math.max(PITCH.least, MOST / Math.max(1, cpus.length)));
  const gap = pitch > 8 ? 3 : 1;
  return {
    rows: cpus.map((cpu, at) => ({ cpu, y: MARKS + at * pitch, height: pitch - gap })),
    height: MARKS + cpus.length * pitch,
    isNamed: pitch >= PITCH.most,
  };
}

/** What is painted for a view of the lanes; nothing until the core has answered. */
export function compactShapes(
  lanes: Lanes | undefined,
  run: Pick<Opened, 'cpus'>,
  view: Viewport,
  ink: Pick<LaneInk, 'looks' | 'pixel'>,
): readonly LaneShape[] {
  if (lanes === undefined) return [];
  const marks = { key: 'drops', row: { kind: 'drops' } as const, y: 0, height: MARKS };
  return [
    ...compactLayout(run.cpus).rows.flatMap(({ cpu, y, height }): readonly LaneShape[] => {
      const lane = lanes.cpus.find((one) => one.cpu === cpu);
      if (lane === undefined) return [];
      return bandsOf(segmentsIn(lane, lanes.to, view, ink), y + height, height);
    }),
    ...dropShapes(lanes.drops, view, marks),
  ];
}
