/**
 * Two runs packet by packet, as the core lays them beside each other: A is the one on the stage, B the
 * other. Times are nanoseconds from the start of A.
 */
import type { Nanos, PacketId } from './core.ts';
import type { Saying } from './saying.ts';

/** What the core has to know of a run for this, as it packs it. */
export type Routes = Uint8Array;

/** Where the ways of a packet part. */
export interface Parting {
  readonly at: Nanos;
  readonly kind: 'time' | 'cpu' | 'station' | 'end' | 'missing';
  /** The packet in A and in B; nothing where it is in the other alone. */
  readonly packets: readonly [PacketId | undefined, PacketId | undefined];
  readonly saying: Saying;
}

export interface Abreast {
  /** How much later B starts than A, on their common clock. */
  readonly shift: Nanos;
  /** The first moment at which anything differs, be it only the time; nothing where all is the same. */
  readonly first: Parting | undefined;
  /** Packets whose ways are not the same, by time: the first ones. */
  readonly partings: readonly Parting[];
  /** How many there are. */
  readonly total: number;
  /** How many packets are in both. */
  readonly alike: number;
  /** For each packet of A its like in B, and for each of B its like in A; NONE where there is none. */
  readonly likes: readonly [Uint32Array, Uint32Array];
}
