/**
 * The places of the stage as shapes: vessels, rails, bridges, and tethers, blades and cards on them. Shapes
 * of packets and texts are in `shapes.ts`.
 */
import type { Base, Colour, Rect } from './shapes.ts';

/**
 * A queue: a vessel with a lid at its limit. Its mouth is on the side where packets are enqueued. It has no
 * lid if no limit is known.
 */
export interface VesselShape extends Base {
  readonly kind: 'vessel';
  /** The side where packets are enqueued; they are dequeued at the opposite one. */
  readonly mouth: 'left' | 'right' | 'bottom';
  readonly hasLid: boolean;
  readonly isFull: boolean;
  /** Fill level, 0 to 1 of the limit; of memory, if no limit is known, of the most there was; else `undefined`. */
  readonly level: number | undefined;
}

/** A rail in a column: the path of packets, with its direction. */
export interface RailShape extends Base {
  readonly kind: 'rail';
  readonly direction: 'up' | 'down';
}

/** Where packets move from one CPU to another; lit while one crosses. */
export interface BridgeShape extends Base {
  readonly kind: 'bridge';
  readonly isCrossed: boolean;
}

/** The line between a thing and a ghost of it at its previous or next place. */
export interface TrailShape extends Base {
  readonly kind: 'trail';
  readonly way: readonly (readonly [x: number, y: number])[];
  readonly ghost: Rect;
}

/** The packets that a queue has dropped: a counted heap beside its lid. */
export interface RefusedShape extends Base {
  readonly kind: 'refused';
  readonly count: number;
  readonly text: string;
  readonly size: number;
}

/** A curve between two places that belong together. */
export interface TetherShape extends Base {
  readonly kind: 'tether';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly colour: Colour;
}

/** A blade between the pieces of a packet that is being segmented. */
export interface BladeShape extends Base {
  readonly kind: 'blade';
  /** Its progress downwards, 0 to 1. */
  readonly share: number;
}

/** A task on its CPU, or displaced from it. */
export interface CardShape extends Base {
  readonly kind: 'card';
  readonly text: string;
  readonly size: number;
  readonly fill: Colour;
  readonly line: Colour;
  readonly colour: Colour;
  readonly isDisplaced: boolean;
  /** Rotation in radians. */
  readonly turn: number;
}
