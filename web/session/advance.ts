/**
 * How far the playhead moves while film runs: a pure function of its position, the film time passed and the
 * pacing. True-time pacing gives each nanosecond the same film; event pacing gives each gap between two
 * events the same film, so that a long silence and a burst can both be watched. Time is never skipped, only
 * scaled, and `scaleAt` returns the scale.
 */
import type { Nanos, Stretch } from '../core/core.ts';
import { firstWhere } from '../scene/first-where.ts';

/** Told: paced for the eye; true: to scale throughout; event: the same film for every gap. */
export const PACINGS = ['told', 'true', 'event'] as const;
export type Pacing = (typeof PACINGS)[number];

/** A film that is measured in the run's time. Told film is in told.ts. */
export interface Film {
  readonly pacing: Exclude<Pacing, 'told'>;
  /** Nanoseconds of the run for each second of film, in true-time pacing. */
  readonly speed: number;
  /** Events for each second of film, in event pacing. */
  readonly rate: number;
  readonly isReversed: boolean;
  /** The stretch that is looped; `undefined`: the whole run is played once. */
  readonly loop: Stretch | undefined;
  readonly duration: Nanos;
  /** Times of events around the playhead, ascending; empty while not yet known. */
  readonly moments: Float64Array;
}

export interface Advanced {
  readonly time: Nanos;
  /** Whether play has reached the end of the run (in reverse: its start). */
  readonly isOver: boolean;
}

export function advance(time: Nanos, elapsedMs: number, film: Film): Advanced {
  const { loop, isReversed, duration } = film;
  const from = loop === undefined ? time : intoLoop(time, loop, isReversed);
  const moved =
    film.pacing === 'true'
      ? from + (isReversed ? -1 : 1) * film.speed * (elapsedMs / 1000)
      : alongMoments(from, (elapsedMs / 1000) * film.rate, film);
  if (loop !== undefined) return { time: around(moved, loop), isOver: false };
  const clamped = Math.min(Math.max(moved, 0), duration);
  return { time: clamped, isOver: isReversed ? clamped <= 0 : clamped >= duration };
}

/** Nanoseconds of the run for a second of film, here and now. */
export function scaleAt(time: Nanos, film: Film): number {
  if (film.pacing === 'true') return film.speed;
  const gap = gapAt(time, film.moments, film.isReversed);
  return gap === undefined ? film.speed : (gap.to - gap.from) * film.rate;
}

/** The two events between which play is; exactly on an event, the gap that it enters next. */
export function gapAt(
  time: Nanos,
  moments: Float64Array,
  isReversed: boolean,
): Stretch | undefined {
  const above = isReversed ? firstAtOrAfter(moments, time) : firstAfter(moments, time);
  const from = moments[above - 1];
  const to = moments[above];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Passes `gaps` gaps, or fractions of one. Play waits at the end of the known moments. */
function alongMoments(time: Nanos, gaps: number, { moments, isReversed }: Film): Nanos {
  let at = time;
  for (let left = gaps; left > 0;) {
    const gap = gapAt(at, moments, isReversed);
    if (gap === undefined) return at;
    const goal = isReversed ? gap.from : gap.to;
    const share = Math.abs(goal - at) / (gap.to - gap.from);
    if (left < share) return at + Math.sign(goal - at) * left * (gap.to - gap.from);
    at = goal;
    left -= share;
  }
  return at;
}

/** Play that begins outside the loop begins at the loop's start (reversed: its end). */
function intoLoop(time: Nanos, loop: Stretch, isReversed: boolean): Nanos {
  if (loop.from <= time && time <= loop.to) return time;
  return isReversed ? loop.to : loop.from;
}

function around(time: Nanos, { from, to }: Stretch): Nanos {
  const length = to - from;
  if (length <= 0) return from;
  if (from <= time && time < to) return time;
  return from + ((((time - from) % length) + length) % length);
}

/** Index of the first moment greater than `time`. */
function firstAfter(moments: Float64Array, time: Nanos): number {
  return firstWhere(moments, (moment) => time < moment);
}

function firstAtOrAfter(moments: Float64Array, time: Nanos): number {
  return firstWhere(moments, (moment) => time <= moment);
}
