/**
 * The visible stretch of the time line after a zoom or a pan: pure arithmetic within the run. The whole run
 * is "no zoom", so that its link stays short.
 */
import type { Nanos, Stretch } from '../core/core.ts';
import { SHORTEST } from '../scene/timeline/things.ts';

/** Zooms around a time, which keeps its position on screen; a factor above 1 shows less. */
export function zoomed(
  zoom: Stretch | undefined,
  duration: Nanos,
  factor: number,
  center: Nanos,
): Stretch | undefined {
  const { from, to } = zoom ?? { from: 0, to: duration };
  const length = Math.max((to - from) / factor, Math.min(SHORTEST, duration));
  const middle = from <= center && center <= to ? center : (from + to) / 2;
  const share = to > from ? (middle - from) / (to - from) : 0.5;
  return within(middle - share * length, length, duration);
}

/** Pans by a fraction of the stretch's length. */
export function panned(
  zoom: Stretch | undefined,
  duration: Nanos,
  share: number,
): Stretch | undefined {
  if (zoom === undefined) return undefined;
  const length = zoom.to - zoom.from;
  return within(zoom.from + share * length, length, duration);
}

function within(start: Nanos, length: Nanos, duration: Nanos): Stretch | undefined {
  if (length >= duration) return undefined;
  const from = Math.min(Math.max(start, 0), duration - length);
  return { from, to: from + length };
}
