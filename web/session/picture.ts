/**
 * The picture of a run at one moment, as the stage draws it: of the run on the stage and of the one beside it alike.
 */
import type { Nanos, Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { RunQuestions } from '../core/run.ts';
import { busiestCpus } from '../scene/columns.ts';
import { lingerAt, type FilmMap } from './film.ts';
import { DROP_SECONDS, hasLateDrop, withLateDrops } from './late-drops.ts';
import type { Picture } from './shown.ts';

/** Length of the CPUs' past on the stage in seconds of film, and number of steps in it. */
const PAST_SECONDS = 5;
const PAST_STEPS = 240;
/** With more CPUs than this, the past is requested only for those in sight. */
const MOST_CPUS = 512;

/** What is asked of a run for a picture. */
export interface Moment {
  readonly time: Nanos;
  /** Where the past of the CPUs begins. */
  readonly since: Nanos;
  /** How long what ended stays in the frame, and how long drops do, in time of the run (ns). */
  readonly linger: Nanos;
  readonly stands: Nanos;
  readonly filmTo: (time: Nanos) => number;
}

export function momentAt(time: Nanos, map: FilmMap): Moment {
  return {
    time,
    since: Math.max(0, map.timeAfter(-PAST_SECONDS)),
    linger: lingerAt(time, map),
    stands: lingerAt(time, map, DROP_SECONDS),
    filmTo: map.filmTo,
  };
}

/** The frame of a moment as `pictureOf` has it, for what needs no past of the CPUs. */
export async function frameAt(
  run: Pick<RunQuestions, 'frame'>,
  { time, linger, stands }: Moment,
): Promise<Frame> {
  const [now, longer] = await Promise.all([run.frame(time, linger), run.frame(time, stands)]);
  return withLateDrops(longer, linger, now);
}

/** @param before the frame that was on screen before, if there was one */
export async function pictureOf(
  run: Pick<RunQuestions, 'frame' | 'lanes'>,
  opened: Opened,
  { time, since, linger, stands, filmTo }: Moment,
  before: Frame | undefined,
): Promise<Picture> {
  const [now, past] = await Promise.all([
    run.frame(time, linger),
    run.lanes(since, time, PAST_STEPS, cpusInSight(opened, before)),
  ]);
  const frame = hasLateDrop(past.drops, time, linger, stands)
    ? withLateDrops(await run.frame(time, stands), linger, now)
    : now;
  return { time, frame, past, linger, filmTo };
}

/**
 * Of so many CPUs that asking for the past of all would hold the film up: those that may have a place on
 * the stage, where most packets are or where they were a moment ago.
 */
function cpusInSight(opened: Opened, before: Frame | undefined): readonly number[] | undefined {
  if (opened.cpus.length <= MOST_CPUS) return undefined;
  const now = [...new Set(before?.packets.placeCpu)].slice(0, MOST_CPUS);
  const all = new Set([...busiestCpus(opened, MOST_CPUS), ...now]);
  return [...all].sort((a, b) => a - b);
}
