/**
 * The stretch of a run that the time line shows first: that of its told film, with a margin. A recording
 * often begins before the traffic and continues long after it.
 */
import type { Nanos, Stretch } from '../core/core.ts';
import type { Told } from '../core/told.ts';

/** Margin before and after the stretch, as a fraction of it. */
const MARGIN = 0.04;
/** A stretch of more than this fraction of the run counts as the whole run. */
const MOST = 0.85;

/** `undefined`: the whole run. */
export function openingStretch(
  { beats }: Pick<Told, 'beats'>,
  duration: Nanos,
): Stretch | undefined {
  const [first, last] = [beats.time[0], beats.time[beats.time.length - 1]];
  if (first === undefined || last === undefined || last <= first) return undefined;
  const margin = (last - first) * MARGIN;
  const from = Math.floor(Math.max(0, first - margin));
  const to = Math.ceil(Math.min(duration, last + margin));
  return to - from > MOST * duration ? undefined : { from, to };
}
