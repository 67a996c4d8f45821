/**
 * How the page's width is shared among CPUs and between the ways up and down: from what
 * the CPUs did in the whole run, so that it stays as it is while time runs.
 */
import type { Opened } from '../core/core.ts';

export interface ColumnPlan {
  readonly width: number;
  readonly columns: readonly {
    readonly x: number;
    readonly width: number;
    readonly isNarrow: boolean;
  }[];
}

const GAP = 10;
const NARROW = 86;
const FULL_AT_LEAST = 210;
/** A CPU that touched a smaller part of the packets than this is an onlooker. */
const ONLOOKER = 0.01;

/** Which of some CPUs has most to do with packets: there most of them come in or go out. */
export function busiest(touched: readonly (number | undefined)[]): number {
  const counts = touched.map((count) => count ?? 0);
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

/**
 * Widths for some CPUs, from how many packets each touched in the whole run: those that
 * matter get full width as long as there is room for it.
 */
export function columnPlan(
  touched: readonly (number | undefined)[],
  available: number,
  scale: number,
): ColumnPlan {
  const count = touched.length;
  const gap = GAP * scale;
  const narrow = NARROW * scale;
  const packets = (at: number) => touched[at] ?? 1;
  const most = Math.max(1, ...touched.map((_, at) => packets(at)));
  const ranked = touched.map((_, at) => at).sort((a, b) => packets(b) - packets(a) || a - b);
  const candidates = ranked.filter((at) => packets(at) >= most * ONLOOKER);
  const wanted = candidates.length > 0 ? candidates : ranked;

  const widthLeft = (full: number) => available - gap * (count - 1) - narrow * (count - full);
  let full = Math.max(1, Math.min(count, wanted.length));
  while (full > 1 && widthLeft(full) / full < FULL_AT_LEAST * scale) full -= 1;
  const isFull = new Set(wanted.slice(0, full));
  const fullWidth = Math.max(FULL_AT_LEAST * Math.min(scale, 1.2), widthLeft(full) / full);

  let x = 0;
  const columns = touched.map((_, at) => {
    const width = isFull.has(at) ? fullWidth : narrow;
    const column = { x, width, isNarrow: !isFull.has(at) };
    x += width + gap;
    return column;
  });
  return { width: x - gap, columns };
}

/** The part of a column for the way down: more where more is sent, the same for the whole run. */
export function sendShare(run: Opened): number {
  const { transmitted, delivered, merged, dropped } = run.journeys;
  const received = delivered + merged + dropped;
  if (transmitted === 0) return 0.26;
  if (received === 0) return 0.55;
  return transmitted > 3 * received ? 0.5 : 0.32;
}

/** The CPU that a narrow page shows: the chosen one, else the busiest. */
export function chosenCpu(
  cpus: readonly number[],
  touched: readonly number[] | undefined,
  focusCpu: number | undefined,
): number {
  const chosen = focusCpu === undefined ? -1 : cpus.indexOf(focusCpu);
  return chosen === -1 ? busiest(cpus.map((_, at) => touched?.[at])) : chosen;
}
