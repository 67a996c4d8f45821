/**
 * The steps of told film: from hop to hop of the packet that it follows, and on to the next one's where the film
 * leaves a packet. So what moves at a step is what is outlined, and what the caption is about.
 */
import { NONE, type Nanos } from '../core/core.ts';
import type { RunHandle, Step } from '../core/run.ts';
import type { Told } from '../core/told.ts';
import { beatAt, timeAt } from './told.ts';

/** The next or previous hop of whom the film follows; `undefined` after its last or before its first one. */
export async function hopOfFollowed(
  run: Pick<RunHandle, 'step'>,
  { actors, pieces }: Told,
  film: number,
  isForward: boolean,
): Promise<Step | undefined> {
  const now = timeAt(pieces, film);
  const here = beatAt(actors, film) ?? (isForward ? 0 : -1);
  for (let act = here; isActOf(actors, act); act += isForward ? 1 : -1) {
    const packet = actors.packet[act] ?? NONE;
    if (packet === NONE) continue;
    const [from, to] = [startOf(actors, pieces, act), startOf(actors, pieces, act + 1)];
    const since = isForward ? Math.max(now, from - BEFORE) : Math.min(now, to);
    const step = await run.step(since, 'hop', isForward, packet);
    if (step !== undefined && from <= step.time && step.time < to) return step;
  }
  return undefined;
}

/** Ahead of a packet's first hop by so much, that hop is its next one. Times of the run are whole nanoseconds. */
const BEFORE: Nanos = 0.5;

function isActOf({ packet }: Told['actors'], act: number): boolean {
  return 0 <= act && act < packet.length;
}

/** The time from which on an act's packet is followed; after the last one never. */
function startOf({ film }: Told['actors'], pieces: Told['pieces'], act: number): Nanos {
  const from = film[act];
  return from === undefined ? Infinity : timeAt(pieces, from);
}
