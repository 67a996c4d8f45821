/**
 * Which stretch of a run the time line opens on: where its told film has something to tell, with a
 * little around it. A recording often begins before the traffic and goes on long after it.
 */
import type { Nanos } from '../core/core.ts';
import type { Told } from '../core/told.ts';
import type { Stretch } from './advance.ts';

/** So much of the stretch is shown before it and after it. */
const MARGIN = 0.04;
/** A stretch that is more than this of the run is as good as the whole. */
const MOST = 0.85;

/** Nothing: the whole run. */
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
