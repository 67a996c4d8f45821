/**
 * Journeys, one for each packet: how the list of them is asked for, the columns of its rows, and
 * everything about a single one.
 */
import type { Nanos, PacketId, VerdictName } from './core.ts';
import type { Saying } from './saying.ts';

export type JourneySort =
  'start' | 'duration' | 'wait' | 'service' | 'bytes' | 'verdict' | 'flow' | 'cpus';

export interface JourneyQuery {
  readonly sort: JourneySort;
  readonly isDescending: boolean;
  /** Each filter narrows; absent means any. */
  readonly flow?: number;
  readonly socket?: number;
  readonly cpu?: number;
  /** That were at this station, by its place in the glossary. */
  readonly station?: number;
  readonly verdict?: VerdictName;
  readonly dropReason?: number;
  readonly direction?: 'rx' | 'tx';
  readonly minDuration?: Nanos;
  readonly maxDuration?: Nanos;
  readonly from?: Nanos;
  readonly to?: Nanos;
}

/** Which rows of a list are wanted: `count` of them from the place `from` on, from 0. */
export interface JourneyPage {
  readonly from: number;
  readonly count: number;
  /** A packet whose place in the list is wanted, too. */
  readonly of?: PacketId;
}

export interface JourneyList {
  /** Of the rows of the page. */
  readonly ids: Uint32Array;
  /** How many rows the whole list has. */
  readonly total: number;
  /** The place in the list of the packet that was asked for; undefined if it is not in it. */
  readonly place: number | undefined;
}

/** Columns for the rows asked for, in the order asked. */
export interface JourneyRows {
  readonly id: Uint32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly service: Float64Array;
  readonly wait: Float64Array;
  readonly bytes: Uint32Array;
  readonly parts: Uint32Array;
  readonly verdict: Uint8Array;
  readonly dropReason: Uint8Array;
  readonly direction: Uint8Array; // 0 rx, 1 tx
  readonly flow: Uint32Array;
  /** First and last CPU it was on. */
  readonly firstCpu: Uint16Array;
  readonly lastCpu: Uint16Array;
  /** Short names: `7`, `7 · 3/6`. */
  readonly name: readonly string[];
}

/** The packets that waited longest of those that arrived, the longest wait first. */
export interface LongestWaits {
  readonly packet: Uint32Array;
  /** When the wait began. */
  readonly from: Float64Array;
  readonly nanos: Float64Array;
}

export interface Journey {
  readonly packet: PacketId;
  /** Its short name: `7`, `7 · 3/6` for the third of the six pieces of packet 7's datagram. */
  readonly name: string;
  /** What else tells it from others: `skb ffff888009032e00`, or `kperf thread 1 number 31`. */
  readonly label: Saying;
  readonly direction: 'rx' | 'tx';
  readonly start: Nanos;
  readonly end: Nanos;
  readonly bytes: number;
  readonly payload: number;
  readonly parts: number;
  readonly flow: string;
  /** How it ended: delivered to whom, merged into which packet, dropped why. */
  readonly ending: Saying;
  readonly verdict: VerdictName;
  readonly dropReason: number;
  readonly mergedInto: PacketId;
  readonly cutFrom: PacketId;
  /** Packets that merged into it or were cut from it. */
  readonly partPackets: readonly PacketId[];
  /** The short names of these; empty where there is none. */
  readonly mergedIntoName: string;
  readonly cutFromName: string;
  readonly partNames: readonly string[];
  /** Which of its stays holds its longest wait; undefined if it never waited. */
  readonly longestWait: number | undefined;
  readonly mark: { readonly thread: number; readonly packet: number } | undefined;
  readonly service: Nanos;
  readonly wait: Nanos;
  readonly stays: readonly StayRow[];
  readonly events: readonly JourneyEvent[];
  /** kperf's three ways to account socket-layer time; undefined where the ends were not recorded. */
  readonly socketTime: SocketTime | undefined;
}

export interface StayRow {
  readonly station: number;
  readonly cpu: number;
  readonly context: number;
  readonly piece: number;
  readonly enter: Nanos;
  readonly leave: Nanos;
  readonly service: Nanos;
  readonly wait: Nanos;
}

export interface JourneyEvent {
  readonly event: number;
  readonly time: Nanos;
  readonly probe: number;
  readonly cpu: number;
  readonly context: number;
  readonly task: string;
  readonly line: number;
  readonly details: string;
}

export interface SocketTime {
  readonly lastOnly: Nanos;
  readonly bothSegments: Nanos;
  readonly lessOtherLayers: Nanos;
}
