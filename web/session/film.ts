/**
 * The relation of film and run around one moment: seconds of film from now to a time of the run, and the
 * inverse. Animations are measured in these seconds, not in time of the run. Both maps are functions of the
 * playhead's position, so they are the same in both directions of play.
 */
import type { Nanos } from '../core/core.ts';
import { positionAmong, timeAmong } from './moments.ts';
import type { Film } from './advance.ts';
import { filmAt, timeAt } from './told.ts';
import type { Pieces } from '../core/told.ts';

export interface FilmMap {
  /** Seconds of film from now until the run reaches a time; negative if it is past. */
  readonly filmTo: (time: Nanos) => number;
  /** The time of the run after some seconds of film; negative seconds lie in the past. */
  readonly timeAfter: (seconds: number) => Nanos;
}

/** Seconds of film for which a packet stays on the stage after its end, so that the end is visible. */
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
  // Beyond the known moments film runs at the chosen speed: those times are far away in any case.
  const beyond = speed / rate;
  const here = positionAmong(moments, now, beyond);
  return {
    filmTo: (time) => (positionAmong(moments, time, beyond) - here) / rate,
    timeAfter: (seconds) => timeAmong(moments, here + seconds * rate, beyond),
  };
}

/** The same in told film, at second `now` of it, played at `pace` (1: its own speed). */
export function toldMapAt(now: number, pieces: Pieces, pace: number): FilmMap {
  return {
    filmTo: (time) => (filmAt(pieces, time) - now) / pace,
    timeAfter: (seconds) => timeAt(pieces, now + seconds * pace),
  };
}
