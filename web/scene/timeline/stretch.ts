/**
 * Converts time to pixels and back, for a stretch of the run that fills a width; decides which stretch to
 * request from the core so that a pan finds it loaded, and how the view follows the playhead. Pure
 * arithmetic, independent of how the viewer zooms and pans.
 */
import type { Nanos, Stretch } from '../../core/core.ts';

/** A stretch of the run over a width in pixels. */
export interface Viewport extends Stretch {
  readonly width: number;
}

export function xAt({ from, to, width }: Viewport, time: Nanos): number {
  return ((time - from) / (to - from)) * width;
}

/** The time at a pixel, and between whole nanoseconds. */
export function timeUnder({ from, to, width }: Viewport, x: number): Nanos {
  return from + (x / width) * (to - from);
}

/** The time at a pixel: whole nanoseconds, within the run. */
export function momentAt(view: Viewport, x: number, duration: Nanos): Nanos {
  return Math.min(Math.max(Math.round(timeUnder(view, x)), 0), duration);
}

export function isWithin({ from, to }: Stretch, time: Nanos): boolean {
  return from <= time && time <= to;
}

/** A request to the core: a stretch divided into steps. */
export interface LaneQuestion extends Stretch {
  readonly columns: number;
}

/** Traces have whole nanoseconds, so finer steps add nothing. */
const FINEST_STEP: Nanos = 1;
/** Number of steps in a tile: requests begin and end at tile borders. */
const TILE = 512;

/**
 * The request for a view: steps of a power of two nanoseconds, at most a pixel long, over whole tiles with
 * a spare one on each side. Views near each other make the same request, and adjacent requests divide time
 * at the same places, so that a pan does not flicker.
 */
export function laneQuestion({ from, to, width }: Viewport, duration: Nanos): LaneQuestion {
  const step = Math.max(FINEST_STEP, 2 ** Math.floor(Math.log2((to - from) / width)));
  const tile = step * TILE;
  const begin = Math.max(0, (Math.floor(from / tile) - 1) * tile);
  const end = Math.min(duration, (Math.ceil(to / tile) + 1) * tile);
  return { from: begin, to: end, columns: Math.max(1, Math.ceil((end - begin) / step)) };
}

/** Position of the playhead after the view has followed it, as a fraction of the width. */
const ENTRY = 0.1;

/**
 * The stretch to show after the playhead moved: unchanged, unless the playhead was in view and has left it.
 * A view that was panned away from the playhead stays where it is.
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
 * A range extended or shortened by keys: one end stays at the playhead, the other moves. A range elsewhere
 * is replaced by a new one that begins at the playhead.
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
