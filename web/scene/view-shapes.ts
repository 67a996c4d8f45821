/**
 * What the views beside the way are made of and the way is not: tanks and counts as squares.
 * All other shapes stand in `shapes.ts` and `place-shapes.ts`.
 */
import type { Base, Colour } from './shapes.ts';

/** A queue as a vessel: filled to its depth, with a lid where its limit is known. */
export interface TankShape extends Base {
  readonly kind: 'tank';
  readonly depth: number;
  /** 0 where it is not known. */
  readonly limit: number;
  /** How full, 0 to 1. */
  readonly share: number;
  /** In so many layers, where each can be seen. */
  readonly seams: number;
}

/**
 * A count as squares, row by row: each stands for `unit` of what is counted, the last of each
 * state for what is left.
 */
export interface GridShape extends Base {
  readonly kind: 'grid';
  readonly columns: number;
  readonly pitch: number;
  readonly size: number;
  readonly unit: number;
  /** How many are counted. */
  readonly lines: number;
  /** So many of them are in each state that is told; the rest is as filled as what is changed. */
  readonly states: LineStates;
  /** So many more are counted and still on their way: their places are empty. */
  readonly coming: number;
  /** So many are not there any more, as others wrote them just now: ghosts in their places. */
  readonly invalidated: number;
  /** Places in all: those that are empty are seen as such. */
  readonly places: number;
  readonly fill: Colour;
}

/** Lines by the state in which their cache holds them: changed here, here only, here and elsewhere. */
export interface LineStates {
  readonly modified: number;
  readonly exclusive: number;
  readonly shared: number;
}
