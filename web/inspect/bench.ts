/**
 * The properties of every part of the inspector: the run, its words, what is pointed at, and callbacks to
 * select something else. The inspector itself changes no state.
 */
import type { Glossary, Nanos, Opened, PacketId, Stretch } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import type { JourneyQuery } from '../core/journeys.ts';
import type { Hovered } from '../session/selection.svelte.ts';

export interface Bench {
  /** Answers queries about the run. */
  readonly handle: RunHandle;
  readonly run: Opened;
  /** The title of the run. */
  readonly title: string;
  readonly glossary: Glossary;
  /** The packet that is selected in every view. */
  readonly packet: PacketId | undefined;
  readonly hovered: Hovered | undefined;
  /** The stretch that is marked on the time line. */
  readonly range: Stretch | undefined;
  /** The filters and the order of the journeys. */
  readonly filters: JourneyQuery;
  /** The playhead's time. */
  readonly time: Nanos;
  /** Selects and follows a packet, at its current place or its beginning, or at a time of its journey. */
  readonly onSelect: (packet: PacketId | undefined, moment?: Nanos) => void;
  readonly onHover: (hovered: Hovered | undefined) => void;
  /** Reads aloud what is explained: the text, and what of it is always in English. */
  readonly onTell: (text: string, english: string) => void;
  readonly onFilter: (filters: JourneyQuery) => void;
  readonly onSeek: (time: Nanos) => void;
  /** Offers changes to the run at the current time; `undefined` for a recording. */
  readonly onFork: (() => void) | undefined;
}
