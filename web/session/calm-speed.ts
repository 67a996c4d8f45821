/** The initial speed of a run. */
import type { VerdictName } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import { DEFAULT_SPEED, speedFor } from './speed.ts';

/** A speed at which the packet of median duration can be followed. */
export async function calmSpeed(run: RunHandle): Promise<number> {
  const ends: readonly VerdictName[] = ['delivered', 'transmitted', 'consumed'];
  const verdict = ends.find((name) => run.opened.journeys[name] > 0);
  if (verdict === undefined) return DEFAULT_SPEED;
  const middle = { from: run.opened.journeys[verdict] >> 1, count: 1 };
  const { ids } = await run.journeys({ sort: 'duration', isDescending: false, verdict }, middle);
  const { duration } = await run.journeyRows(ids);
  return speedFor(duration[0] ?? 0);
}
