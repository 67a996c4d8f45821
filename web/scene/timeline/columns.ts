/**
 * Binary search in the core's columns, for a time among ascending starts.
 */
import type { Nanos } from '../../core/core.ts';

/** The segment at a time: the last that began at or before it, or -1. */
export function segmentAt(start: Float64Array, time: Nanos): number {
  let low = 0;
  let high = start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
