/**
 * The state of a run at one moment, as the core answers it: columns in typed arrays, one group for
 * packets, one for CPUs, one for queues. Words are indices into the lists of the glossary.
 */
import type { Nanos } from './core.ts';
import type { MachineColumns } from './machine.ts';

/** The state at one moment. Columns of the same group have the same length. */
export interface Frame {
  readonly time: Nanos;
  readonly packets: PacketColumns;
  readonly cpus: CpuColumns;
  readonly queueDepth: Uint32Array;
  /** 0 where the limit is not known. */
  readonly queueLimit: Uint32Array;
  readonly counters: Counters;
  readonly machine: MachineColumns;
}

/** One entry for each packet in flight, or for each piece of one; and for those that ended within the linger. */
export interface PacketColumns {
  readonly packet: Uint32Array;
  readonly piece: Uint32Array;
  readonly station: Uint8Array;
  readonly cpu: Uint16Array;
  readonly context: Uint8Array;
  /**
   * When it came to this station; the earliest time at which it can leave (in a socket's
   * queue: since when its reader has had the CPU); and when it leaves it, or ended.
   */
  readonly since: Float64Array;
  readonly ready: Float64Array;
  readonly until: Float64Array;
  readonly nextStation: Uint8Array;
  readonly nextCpu: Uint16Array;
  /**
   * The CPU beside which it is drawn, now and next: a socket's queue
   * has one place, and a backlog is drawn with the CPU that empties it.
   */
  readonly placeCpu: Uint16Array;
  readonly nextPlaceCpu: Uint16Array;
  /** The queue in which it is, now and next, by index in `Opened.queues`; NO_QUEUE in none. */
  readonly queue: Uint32Array;
  readonly nextQueue: Uint32Array;
  /** 1 while the CPU works on it, 0 while it waits. */
  readonly isServed: Uint8Array;
  readonly bytes: Uint32Array;
  /** Frames of the link that it holds now: grows with GRO and reassembly. */
  readonly parts: Uint32Array;
  /** Datagram that it is a fragment of, or NONE; its place in it and the datagram's size in bytes (0 while unknown). */
  readonly group: Uint32Array;
  readonly groupFrom: Uint32Array;
  readonly groupTo: Uint32Array;
  readonly groupBytes: Uint32Array;
  /** The packet of which it is a piece, or NONE; which one it is, from 1; and how many there are. */
  readonly pieceOf: Uint32Array;
  readonly pieceNumber: Uint16Array;
  readonly pieceCount: Uint16Array;
  /** Index of the verdict once it has ended, else NO_WORD; drop reason or NO_WORD; packet it merged into or NONE. */
  readonly verdict: Uint8Array;
  readonly dropReason: Uint8Array;
  readonly mergedInto: Uint32Array;
}

/** One entry for each CPU of the run, in its order. */
export interface CpuColumns {
  readonly context: Uint8Array;
  readonly pid: Uint32Array;
  readonly since: Float64Array;
  /** The packet it works on, or NONE. */
  readonly packet: Uint32Array;
  /** The softirq's vector or the interrupt's number, or NONE. */
  readonly detail: Uint32Array;
}

/** Totals from the start of the run to this moment. */
export interface Counters {
  readonly delivered: number;
  readonly merged: number;
  readonly dropped: number;
  readonly transmitted: number;
  readonly consumed: number;
  readonly bytesDelivered: number;
  readonly interrupts: number;
  readonly polls: number;
  readonly framesPolled: number;
  readonly crossCpu: number;
  /**
   * Events of a packet on another CPU than its event before:
   * its cache lines must have moved (inferred).
   */
  readonly cacheHandovers: number;
}
