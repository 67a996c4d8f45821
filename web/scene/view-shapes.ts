/**
 * Shapes that occur only in the views other than the way: tanks, and counts as squares. All other shapes
 * are in `shapes.ts` and `place-shapes.ts`.
 */
import type { Base, Colour } from './shapes.ts';

/** A queue as a vessel filled to its depth, with a lid if its limit is known. */
export interface TankShape extends Base {
  readonly kind: 'tank';
  readonly depth: number;
  /** 0 if it is not known. */
  readonly limit: number;
  /** Fill level, 0 to 1. */
  readonly share: number;
  /** Number of layers, drawn if each is visible. */
  readonly seams: number;
}

/**
 * A count as squares, row by row: each stands for `unit` of what is counted, the last square of each state
 * for the remainder.
 */
export interface GridShape extends Base {
  readonly kind: 'grid';
  readonly columns: number;
  readonly pitch: number;
  readonly size: number;
  readonly unit: number;
  /** Number of cache lines. */
  readonly lines: number;
  /** The number of them in each known state; the rest is drawn like modified lines. */
  readonly states: LineStates;
  /** Number of further lines that are counted but in flight: their places are empty. */
  readonly coming: number;
  /** Number of lines just invalidated by other writers: ghosts in their places. */
  readonly invalidated: number;
  /** Total number of places; the empty ones are drawn too. */
  readonly places: number;
  readonly fill: Colour;
}

/** Lines by their MESI state in their cache. */
export interface LineStates {
  readonly modified: number;
  readonly exclusive: number;
  readonly shared: number;
}
