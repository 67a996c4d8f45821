/**
 * The compact time line: a thin lane without words for each CPU, and the drops above them if the run has
 * any. Its height is limited, so many CPUs have thinner lanes or none; names are beside it.
 */
import type { Opened } from '../../core/core.ts';
import type { Lanes } from '../../core/lanes.ts';
import { laneOf } from '../lane-of.ts';
import { bandsOf, segmentsIn, type LaneInk } from './cpu-lane.ts';
import { dropShapes } from './depths.ts';
import type { Row } from './rows.ts';
import type { LaneShape } from './shapes.ts';
import type { Viewport } from './stretch.ts';

/** Lengths in CSS pixels: the row of drops, and the maximum height of all lanes together. */
const DROPS = 11;
const MOST = 56;
const PITCH = { most: 16, named: 12, least: 3 } as const;
/** Maximum number of lanes here; the open time line has all CPUs. */
const LANES = 64;

export interface CompactRow {
  readonly cpu: number;
  readonly y: number;
  readonly height: number;
}

export interface CompactLayout {
  readonly rows: readonly CompactRow[];
  /** Height of the row of drops above the lanes; 0 if nothing was dropped. */
  readonly drops: number;
  readonly height: number;
  /** Whether a lane is high enough for its CPU's name beside it. */
  readonly isNamed: boolean;
}

/** The position of each CPU's lane: the more CPUs, the thinner. */
export function compactLayout({ cpus, drops }: Pick<Opened, 'cpus' | 'drops'>): CompactLayout {
  const top = drops.length > 0 ? DROPS : 0;
  const pitch = Math.min(PITCH.most, Math.max(PITCH.least, MOST / Math.max(1, cpus.length)));
  const gap = pitch > 8 ? 2 : 1;
  const shown = cpus.slice(0, LANES);
  return {
    rows: shown.map((cpu, at) => ({ cpu, y: top + at * pitch, height: pitch - gap })),
    drops: top,
    height: top + Math.max(1, shown.length) * pitch,
    isNamed: pitch >= PITCH.named,
  };
}

/** The shapes for a view of the lanes; empty until the core has answered. */
export function compactShapes(
  lanes: Lanes | undefined,
  run: Pick<Opened, 'cpus' | 'drops'>,
  view: Viewport,
  ink: Pick<LaneInk, 'looks' | 'pixel'>,
): readonly LaneShape[] {
  if (lanes === undefined) return [];
  const layout = compactLayout(run);
  const marks = { key: 'drops', row: { kind: 'drops' } as const, y: 0, height: layout.drops };
  return [
    ...layout.rows.flatMap(({ cpu, y, height }): readonly LaneShape[] => {
      const lane = laneOf(lanes, cpu);
      if (lane === undefined) return [];
      return bandsOf(segmentsIn(lane, lanes.to, view, ink), y + height, height);
    }),
    ...(layout.drops > 0 ? dropShapes(lanes.drops, view, marks) : []),
  ];
}

/** The row at a height; `undefined` between two lanes. */
export function compactRowAt(layout: CompactLayout, y: number): Row | undefined {
  if (y < layout.drops) return { kind: 'drops' };
  const at = layout.rows.findIndex((row) => row.y <= y && y < row.y + row.height);
  const found = layout.rows[at];
  return found && { kind: 'cpu', at, cpu: found.cpu };
}
