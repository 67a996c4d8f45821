/**
 * The selectable speeds: a ladder of 1, 2, 5 from 10 ns to 10 s of the run per second of film, one of
 * events per second of film, and the initial speed of a run.
 */
import type { Nanos } from '../core/core.ts';

const rungs = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, power) => 10 ** (from + power)).flatMap((decade) => [
    decade,
    2 * decade,
    5 * decade,
  ]);

/** Nanoseconds of the run per second of film. */
export const SPEEDS: readonly number[] = rungs(1, 9).concat(1e10);

/** Events per second of film. */
export const RATES: readonly number[] = [0.5, 1, 2, 5, 10, 20, 50, 100];

/** Speed of told film, relative to its own speed. */
export const PACES: readonly number[] = [0.25, 0.5, 1, 2, 4];
export const DEFAULT_PACE = 1;

/**
 * Speed in ns per second of film if nothing better is known: a packet takes some tens of microseconds
 * through the stack.
 */
export const DEFAULT_SPEED = 10_000;
export const DEFAULT_RATE = 2;

/** Seconds of film for a packet of typical duration: enough to follow it, without a wait. */
const SECONDS_FOR_A_PACKET = 4;

/** The speed at which a packet that takes `typical` nanoseconds is shown in a few seconds. */
export function speedFor(typical: Nanos): number {
  return typical > 0 ? nearest(SPEEDS, typical / SECONDS_FOR_A_PACKET) : DEFAULT_SPEED;
}

/** The rung of a ladder that is nearest by ratio. */
export function nearest(ladder: readonly number[], value: number): number {
  const distance = (rung: number) => Math.abs(Math.log(rung / value));
  return ladder.reduce((best, rung) => (distance(rung) < distance(best) ? rung : best));
}

/** The next rung above or below a value, which need not be a rung; stays at the last. */
export function nextRung(ladder: readonly number[], value: number, isUp: boolean): number {
  const next = isUp ? ladder.find((rung) => rung > value) : ladder.findLast((rung) => rung < value);
  return next ?? value;
}
