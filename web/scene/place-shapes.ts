/**
 * The places of the stage as shapes: vessels, rails, bridges, and what ties or cuts or sits on
 * them. They stand beside the shapes of packets and texts in `shapes.ts`.
 */
import type { Base, Colour, Rect } from './shapes.ts';

/**
 * A queue: a vessel with a lid at its limit. Its mouth is on the side where packets come in;
 * without a known limit it has no lid there.
 */
export interface VesselShape extends Base {
  readonly kind: 'vessel';
  /** Where things come in; at the other end they are taken out. */
  readonly mouth: 'left' | 'right' | 'bottom';
  readonly hasLid: boolean;
  readonly isFull: boolean;
  /** 0 to 1 of the limit, where that is known. */
  readonly level: number | undefined;
}

/** A rail in a column: the way that packets take, and in which direction. */
export interface RailShape extends Base {
  readonly kind: 'rail';
  readonly direction: 'up' | 'down';
}

/** Where packets change from one CPU to another; it is lit while one crosses. */
export interface BridgeShape extends Base {
  readonly kind: 'bridge';
  readonly isCrossed: boolean;
}

/** The way between where something is and a ghost of it: where it was, or where it is about to be. */
export interface TrailShape extends Base {
  readonly kind: 'trail';
  readonly way: readonly (readonly [x: number, y: number])[];
  readonly ghost: Rect;
}

/** What a queue refused so far: a heap beside its lid, counted. */
export interface RefusedShape extends Base {
  readonly kind: 'refused';
  readonly count: number;
  readonly text: string;
  readonly size: number;
}

/** Belongs together: a curve between two places. */
export interface TetherShape extends Base {
  readonly kind: 'tether';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly colour: Colour;
}

/** A blade between the pieces of a packet that is being cut. */
export interface BladeShape extends Base {
  readonly kind: 'blade';
  /** How far it is down, 0 to 1. */
  readonly share: number;
}

/** A task on its CPU, or pushed out of it. */
export interface CardShape extends Base {
  readonly kind: 'card';
  readonly text: string;
  readonly size: number;
  readonly fill: Colour;
  readonly line: Colour;
  readonly colour: Colour;
  readonly isDisplaced: boolean;
  /** Radians. */
  readonly turn: number;
}
