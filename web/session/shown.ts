/**
 * What is shown of a run: one moment as the stage draws it, and which told film it is of. The clock
 * asks the core for it (clock.ts), and the session holds it.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import type { Told } from '../core/told.ts';

/** What the stage needs to draw one moment. */
export interface Picture {
  /** The time that was asked for: the playhead's once all is shown. */
  readonly time: Nanos;
  readonly frame: Frame;
  /** What the CPUs did in the last seconds of film. */
  readonly past: Lanes;
  /** How long what ended stays in the frame, in time of the run. */
  readonly linger: Nanos;
  /** Seconds of film from this moment to when the run reaches a time; negative in the past. */
  readonly filmTo: (time: Nanos) => number;
}

/** The moment that is on the stage, and of which told film it is: so a caption is of the same one. */
export interface Shown extends Picture {
  /** The second of the film. */
  readonly film: number;
  readonly told: Told;
  /** Whose film it is. */
  readonly focus: PacketId | undefined;
}
