/**
 * Time to pixels and back, for a stretch of the run that fills a width; which stretch to ask
 * of the core so that panning finds it already there; and how the view follows the playhead.
 * Pure arithmetic: who zooms and pans is not known here.
 */
import type { Nanos } from '../../core/core.ts';

export interface Stretch {
  readonly from: Nanos;
  readonly to: Nanos;
}

/** A stretch of the run across so many pixels. */
export interface Viewport extends Stretch {
  readonly width: number;
}

export function xAt({ from, to, width }: Viewport, time: Nanos): number {
  return ((time - from) / (to - from)) * width;
}

export function timeAt({ from, to, width }: Viewport, x: number): Nanos {
  return from + (x / width) * (to - from);
}

/** A moment that can be gone to: whole nanoseconds, within the run. */
export function momentAt(view: Viewport, x: number, duration: Nanos): Nanos {
  return Math.min(Math.max(Math.round(timeAt(view, x)), 0), duration);
}

export function isWithin({ from, to }: Stretch, time: Nanos): boolean {
  return from <= time && time <= to;
}

/** What to ask of the core: a stretch cut into so many steps. */
export interface LaneQuestion extends Stretch {
  readonly columns: number;
}

/** Traces stamp whole nanoseconds: finer steps tell nothing. */
const FINEST_STEP: Nanos = 1;
/** Steps between the places where questions may begin and end: a pan asks once for so many. */
const TILE = 512;

/**
 * The question for a view: steps of a power of two nanoseconds, at most a pixel long, over
 * whole tiles with one to spare on each side. Views near each other have the same question, and
 * neighbouring questions cut time at the same places, so that nothing flickers in a pan.
 */
export function laneQuestion({ from, to, width }: Viewport, duration: Nanos): LaneQuestion {
  const step = Math.max(FINEST_STEP, 2 ** Math.floor(Math.log2((to - from) / width)));
  const tile = step * TILE;
  const begin = Math.max(0, (Math.floor(from / tile) - 1) * tile);
  const end = Math.min(duration, (Math.ceil(to / tile) + 1) * tile);
  return { from: begin, to: end, columns: Math.max(1, Math.ceil((end - begin) / step)) };
}

/** Where the playhead comes to stand when it has left the view, as a share of the width. */
const ENTRY = 0.1;

/**
 * The stretch to show after the playhead moved: the same, unless the playhead was in view and
 * has left it. A view that was panned away from the playhead is left where it is.
 */
export function followed<View extends Stretch | undefined>(
  view: View,
  before: Nanos,
  now: Nanos,
  duration: Nanos,
): View | Stretch {
  if (view === undefined || !isWithin(view, before) || isWithin(view, now)) return view;
  const length = view.to - view.from;
  const share = now > before ? ENTRY : 1 - ENTRY;
  const from = Math.min(Math.max(now - share * length, 0), Math.max(duration - length, 0));
  return { from, to: from + length };
}

/**
 * A range grown or shrunk from the keyboard: one end stays at the playhead, the other moves.
 * A range elsewhere is let go and a new one begins at the playhead.
 */
export function extended(
  range: Stretch | undefined,
  anchor: Nanos,
  by: Nanos,
  duration: Nanos,
): Stretch | undefined {
  const isOurs = range !== undefined && (range.from === anchor || range.to === anchor);
  const head = !isOurs ? anchor : range.from === anchor ? range.to : range.from;
  const moved = Math.min(Math.max(Math.round(head + by), 0), duration);
  if (moved === anchor) return undefined;
  return { from: Math.min(anchor, moved), to: Math.max(anchor, moved) };
}
