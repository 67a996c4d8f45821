/**
 * Ascending moments as a measure of film: the position of a time among them, in gaps from the
 * first, and the time at a position. Outside of them each gap is `beyond` nanoseconds long.
 */
import { firstWhere } from '../scene/first-where.ts';
import type { Nanos } from '../core/core.ts';

export function positionAmong(moments: Float64Array, time: Nanos, beyond: number): number {
  const [first = 0, last = 0] = [moments[0], moments[moments.length - 1]];
  if (time <= first) return (time - first) / beyond;
  if (time >= last) return moments.length - 1 + (time - last) / beyond;
  const above = firstWhere(moments, (moment) => time < moment);
  const [from = 0, to = 0] = [moments[above - 1], moments[above]];
  return above - 1 + (time - from) / (to - from);
}

/** The inverse of {@link positionAmong}. */
export function timeAmong(moments: Float64Array, position: number, beyond: number): Nanos {
  const end = moments.length - 1;
  const [first = 0, last = 0] = [moments[0], moments[end]];
  if (position <= 0) return first + position * beyond;
  if (position >= end) return last + (position - end) * beyond;
  const below = Math.floor(position);
  const [from = 0, to = 0] = [moments[below], moments[below + 1]];
  return from + (position - below) * (to - from);
}
