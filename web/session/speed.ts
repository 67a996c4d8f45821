/**
 * The speeds that can be chosen: a ladder of 1, 2, 5 from 10 ns to 10 s of the run for each
 * second of film, one of events for each second of film, and the rung a run begins on.
 */
import type { Nanos } from '../core/core.ts';

const rungs = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, power) => 10 ** (from + power)).flatMap((decade) => [
    decade,
    2 * decade,
    5 * decade,
  ]);

/** Nanoseconds of the run for each second of film. */
export const SPEEDS: readonly number[] = rungs(1, 9).concat(1e10);

/** Events for each second of film. */
export const RATES: readonly number[] = [0.5, 1, 2, 5, 10, 20, 50, 100];

/** How fast told film runs: 1 is as it is told. */
export const PACES: readonly number[] = [0.25, 0.5, 1, 2, 4];
export const DEFAULT_PACE = 1;

/** Where nothing tells better: a packet's way through the stack takes some tens of microseconds. */
export const DEFAULT_SPEED = 10_000;
export const DEFAULT_RATE = 2;

/** A packet of typical length should take this much film: enough to follow it, not to wait for it. */
const SECONDS_FOR_A_PACKET = 4;

/** The speed at which a packet that takes `typical` nanoseconds is watched for some seconds. */
export function speedFor(typical: Nanos): number {
  return typical > 0 ? nearest(SPEEDS, typical / SECONDS_FOR_A_PACKET) : DEFAULT_SPEED;
}

/** The rung nearest by ratio. */
export function nearest(ladder: readonly number[], value: number): number {
  const distance = (rung: number) => Math.abs(Math.log(rung / value));
  return ladder.reduce((best, rung) => (distance(rung) < distance(best) ? rung : best));
}

/** The next rung up or down from a value, which need not be a rung; stays on the last. */
export function nextRung(ladder: readonly number[], value: number, isUp: boolean): number {
  const next = isUp ? ladder.find((rung) => rung > value) : ladder.findLast((rung) => rung < value);
  return next ?? value;
}
