/**
 * What every part of the inspector is given: the run, its words, what is pointed at, and the
 * verbs that point elsewhere. The inspector changes nothing itself; it asks through these.
 */
import type { Glossary, Nanos, Opened, PacketId } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import type { JourneyQuery } from '../core/journeys.ts';
import type { Stretch } from '../session/advance.ts';
import type { Hovered } from '../session/selection.svelte.ts';

export interface Bench {
  /** Answers what is asked of the run. */
  readonly handle: RunHandle;
  readonly run: Opened;
  /** What the run is called. */
  readonly title: string;
  readonly glossary: Glossary;
  /** The packet that is chosen in every view. */
  readonly packet: PacketId | undefined;
  readonly hovered: Hovered | undefined;
  /** The stretch that is marked on the time line. */
  readonly range: Stretch | undefined;
  /** Which journeys are looked at, in which order. */
  readonly filters: JourneyQuery;
  /** Where the playhead is. */
  readonly time: Nanos;
  /** Chooses and follows a packet, where it is now or begins, or at a moment of its journey. */
  readonly onSelect: (packet: PacketId | undefined, moment?: Nanos) => void;
  readonly onHover: (hovered: Hovered | undefined) => void;
  readonly onFilter: (filters: JourneyQuery) => void;
  readonly onSeek: (time: Nanos) => void;
  /** What could be done to the run at this moment; nothing of a recording. */
  readonly onFork: (() => void) | undefined;
}
