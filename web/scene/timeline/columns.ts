/** Search in the core's columns, for a time among ascending starts. */
import type { Nanos } from '../../core/core.ts';
import { firstWhere } from '../first-where.ts';

/** The segment at a time: the last that began at or before it, or -1. */
export function segmentAt(start: Float64Array, time: Nanos): number {
  return firstWhere(start, (begins) => begins > time) - 1;
}
