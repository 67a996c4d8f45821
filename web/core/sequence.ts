/**
 * The time-sequence graph of a TCP connection: `wasm-core/core/src/sequence` says what is drawn of which events.
 */
import type { Nanos, PacketId } from './core.ts';

/** From where a connection is watched: by a capture of the link, where its data is sent, where it comes. */
export type SequenceEnd = 'link' | 'sender' | 'receiver';

/** Which graph is wanted. */
export interface SequenceOf {
  /** Nothing: the flow with the most bytes. */
  readonly flow: number | undefined;
  /** The way with less data. */
  readonly isTurned: boolean;
  /** Nothing: the one that sees most. */
  readonly end: SequenceEnd | undefined;
}

/** Places are bytes since the connection's first; a line has its value from a time on. */
export interface Sequence {
  /** Whose data it is; nothing where no flow has sequence numbers. */
  readonly flow: number | undefined;
  /** Segments in all of the run. */
  readonly total: number;
  /** Of them sent again or late. */
  readonly repaired: number;
  readonly ends: readonly SequenceEnd[];
  readonly end: SequenceEnd;
  /** The sequence number that counts as 0. */
  readonly first: number;
  readonly segments: readonly SequenceSegment[];
  readonly acked: readonly SequenceLevel[];
  /** Up to where the receiver can take data. */
  readonly window: readonly SequenceLevel[];
  readonly sacks: readonly SequenceSack[];
  /** In segments. */
  readonly cwnd: readonly SequenceLevel[];
  readonly ssthresh: readonly SequenceLevel[];
  /** In microseconds. */
  readonly srtt: readonly SequenceLevel[];
}

export interface SequenceSegment {
  readonly at: Nanos;
  /** Of a bar that stands for several the first. */
  readonly packet: PacketId;
  readonly from: number;
  readonly to: number;
  /** Bytes above all before, bytes that were seen before, bytes that fill a hole. */
  readonly kind: 'new' | 'again' | 'late';
  /** How many the bar stands for. */
  readonly segments: number;
}

export interface SequenceLevel {
  readonly at: Nanos;
  readonly value: number;
}

export interface SequenceSack {
  readonly at: Nanos;
  readonly from: number;
  readonly to: number;
}
