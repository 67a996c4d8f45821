/**
 * A run as told film: which second of film shows which time of the run, and whom the eye follows.
 * It is a pure function of the run and of the packet that was asked for; the core lays it out
 * (wasm-core/core/src/told).
 */
import type { Nanos, PacketId } from './core.ts';
import type { Saying } from './saying.ts';

export interface Told {
  /** The packet whose journey the film opens with; nothing in a run without packets. */
  readonly opensWith: PacketId | undefined;
  /** Where the film opens, in seconds of film. */
  readonly opensAt: number;
  readonly pieces: Pieces;
  readonly actors: Actors;
  readonly beats: Beats;
  readonly captions: Captions;
}

/** Pieces of film, from the start of the run to its end. Within one the run's time is linear. */
export interface Pieces {
  /** Seconds of film at which each begins, strictly ascending; the end of the film last. */
  readonly film: Float64Array;
  /** Time of the run at which each begins, ascending; the end of the run last. */
  readonly time: Float64Array;
  /** Index in {@link PIECE_KINDS}; one fewer than times. */
  readonly kind: Uint8Array;
}

/** Something moves; nothing moves and time passes fast; time stands still on something. */
export const PIECE_KINDS = ['moving', 'fold', 'dwell'] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

export interface Actors {
  /** Seconds of film from which on each is followed, ascending. */
  readonly film: Float64Array;
  readonly packet: Uint32Array;
}

/** What is worth a word, in order. */
export interface Beats {
  /** Seconds of film at which it happens. */
  readonly film: Float64Array;
  readonly time: Float64Array;
  readonly packet: Uint32Array;
}

/** Which beat is told when while film runs: each caption is on screen until the next one. */
export interface Captions {
  /** Seconds of film at which each comes on screen, ascending. */
  readonly film: Float64Array;
  readonly beat: Uint32Array;
}

/** What one beat says, at three levels, and why or what comes next. */
export interface Said {
  readonly short: Saying;
  readonly plain: Saying;
  readonly kernel: Saying;
  readonly why?: Saying | undefined;
  /** The few words say all that the sentence does. */
  readonly isSaidShort: boolean;
}

/** One piece as an object. */
export interface Piece {
  readonly kind: PieceKind;
  readonly film: number;
  readonly filmEnd: number;
  readonly time: Nanos;
  readonly timeEnd: Nanos;
}
