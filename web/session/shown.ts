/**
 * What is on screen of a run: one moment as the stage draws it, and the told film that it belongs to. The
 * clock requests it from the core (clock.ts), and the session holds it.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import type { Told } from '../core/told.ts';
import type { FilmMap } from './film.ts';

/** What the stage needs to draw one moment. */
export interface Picture {
  /** The requested time: the playhead's, once the screen is up to date. */
  readonly time: Nanos;
  readonly frame: Frame;
  /** The activity of the CPUs in the last seconds of film. */
  readonly past: Lanes;
  /** How long what ended stays in the frame, in time of the run (ns). */
  readonly linger: Nanos;
  /** Seconds of film from this moment until the run reaches a time; negative in the past. */
  readonly filmTo: (time: Nanos) => number;
}

/** The moment on the stage and its told film, so that captions refer to the same moment. */
export interface Shown extends Picture {
  /** The second of the told film. */
  readonly film: number;
  /** The relation of film and run around the moment, and what it depended on (`Playhead.tempo`). */
  readonly map: FilmMap;
  readonly tempo: string;
  readonly told: Told;
  /** The packet that the told film is about. */
  readonly focus: PacketId | undefined;
}
