/**
 * What the time line is given and what it reports. It changes nothing by itself: whoever owns
 * the playhead, the view and the selection does.
 */
import type { RunHandle } from '../core/run.ts';
import type { Glossary, Nanos, Opened, PacketId, Stretch } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Mark } from './marks.ts';

export interface TimelineProps {
  readonly handle: RunHandle;
  readonly run: Opened;
  /** Of the run, as it stands under a picture of it. */
  readonly title: string;
  readonly glossary: Glossary;
  /** Gives the depths and limits at the playhead. */
  readonly frame?: Frame | undefined;
  readonly time: Nanos;
  /** Nothing: the whole run. */
  readonly zoom?: Stretch | undefined;
  readonly range?: Stretch | undefined;
  readonly loop?: Stretch | undefined;
  readonly selected?: PacketId | undefined;
  readonly hovered?: PacketId | undefined;
  /** What is flagged; of highest rank first. */
  readonly marks: readonly Mark[];
  readonly onSeek: (time: Nanos) => void;
  /** A packet whose mark was pressed, and when to look at it. */
  readonly onPacket: (packet: PacketId, time: Nanos) => void;
  readonly onZoom: (zoom: Stretch | undefined) => void;
  readonly onRange: (range: Stretch | undefined) => void;
  readonly onLoop: (loop: Stretch | undefined) => void;
}
