/**
 * How film and run go together around one moment: how many seconds of film it is from now to a
 * time of the run, and back. Whatever is to be followed with the eye is measured in these
 * seconds and not in time of the run. Both maps are functions of where the playhead is, so
 * they are the same in both directions of play.
 */
import type { Nanos } from '../core/core.ts';
import { positionAmong, timeAmong } from './moments.ts';
import type { Film } from './advance.ts';
import { filmAt, timeAt } from './told.ts';
import type { Pieces } from '../core/told.ts';

export interface FilmMap {
  /** Seconds of film from now until the run reaches a time; negative when it is past. */
  readonly filmTo: (time: Nanos) => number;
  /** The time of the run after some seconds of film; before now for negative ones. */
  readonly timeAfter: (seconds: number) => Nanos;
}

/** A packet that ended stays on the stage for this much film, so that its end is seen. */
const LINGER_SECONDS = 0.5;

/**
 * For how long what ended stays in the frame, in time of the run. Half a second of film may be less than a
 * nanosecond, and in a dwell it is none; what ends at this very moment is seen in any case.
 */
export function lingerAt(
  time: Nanos,
  { timeAfter }: FilmMap,
  seconds: number = LINGER_SECONDS,
): Nanos {
  return Math.max(1, Math.ceil(time - timeAfter(-seconds)));
}

export function filmMapAt(now: Nanos, film: Film): FilmMap {
  const { moments, speed, rate } = film;
  if (film.pacing === 'true' || moments.length < 2) {
    return {
      filmTo: (time) => (time - now) / speed,
      timeAfter: (seconds) => now + seconds * speed,
    };
  }
  // Past the moments that are known it goes on at the chosen speed: far away in any case.
  const beyond = speed / rate;
  const here = positionAmong(moments, now, beyond);
  return {
    filmTo: (time) => (positionAmong(moments, time, beyond) - here) / rate,
    timeAfter: (seconds) => timeAmong(moments, here + seconds * rate, beyond),
  };
}

/** The same in told film, at some seconds of it, played at a pace (1: as it is told). */
export function toldMapAt(now: number, pieces: Pieces, pace: number): FilmMap {
  return {
    filmTo: (time) => (filmAt(pieces, time) - now) / pace,
    timeAfter: (seconds) => timeAt(pieces, now + seconds * pace),
  };
}
