/**
 * What happened in a run, as the core found it: a few findings, the most telling first, each with
 * its evidence and a moment to look at. The core's side is `wasm-core/core/src/findings/`.
 */
import type { Nanos, PacketId } from './core.ts';
import type { Saying } from './saying.ts';
import type { StageView } from './stage-view.ts';

export interface Finding {
  /** What kind of thing, in the words that cards and lessons name it by: `longest-wait`. */
  readonly kind: string;
  /** Something was lost; worth a look; how things are. */
  readonly severity: Severity;
  /** What happened, in a few words and a figure. */
  readonly title: Saying;
  /** How, where, how often. */
  readonly detail: Saying;
  /** Packets to which it happened: of many the first. */
  readonly packets: readonly PacketId[];
  readonly from: Nanos;
  readonly to: Nanos;
  /** When it can be seen, and the packet to follow then, if it is about one. */
  readonly moment: Nanos;
  readonly packet: PacketId | undefined;
  /** The view of the stage that shows it best. */
  readonly view: StageView;
}

export type Severity = 'info' | 'notice' | 'problem';
