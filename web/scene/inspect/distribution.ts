/**
 * The distribution of the packets' times in one layer: summary statistics, and a histogram. The trimmed
 * mean is the 2005 toolkit's: without the 5 % at each end (Demter et al. 2005, section 5.1). Percentiles
 * are by nearest rank, like the core's.
 */
import type { Nanos } from '../../core/core.ts';
import type { ValueScale } from './value-scale.ts';

export interface Summary {
  readonly count: number;
  readonly least: Nanos;
  readonly most: Nanos;
  readonly mean: Nanos;
  readonly median: Nanos;
  readonly p95: Nanos;
  readonly p99: Nanos;
  readonly trimmedMean: Nanos;
}

/** A bin: the number of values between two fractions of the axis. */
export interface Bin {
  readonly left: number;
  readonly right: number;
  readonly count: number;
}

/** The trimmed mean leaves out one value in twenty at each end. */
const TRIMMED = 20;

/** Summarizes values in ascending order; `undefined` if there are none. */
export function summaryOf(sorted: Float64Array): Summary | undefined {
  const count = sorted.length;
  if (count === 0) return undefined;
  // Integer arithmetic: 0.95 has no exact binary form, on which the rank must not depend.
  const rank = (percent: number) => sorted[Math.max(1, Math.ceil((count * percent) / 100)) - 1]!;
  const cut = Math.floor(count / TRIMMED);
  return {
    count,
    least: sorted[0]!,
    most: sorted[count - 1]!,
    mean: meanOf(sorted),
    median: rank(50),
    p95: rank(95),
    p99: rank(99),
    trimmedMean: meanOf(sorted.subarray(cut, count - cut)),
  };
}

/** Bins of equal width on the axis. Their counts add up to the number of values. */
export function binsOf(values: Float64Array, scale: ValueScale, binCount: number): readonly Bin[] {
  const counts = new Uint32Array(binCount);
  for (const nanos of values) {
    counts[Math.min(binCount - 1, Math.floor(scale.at(nanos) * binCount))]! += 1;
  }
  return Array.from(counts, (count, index) => ({
    left: index / binCount,
    right: (index + 1) / binCount,
    count,
  }));
}

function meanOf(values: Float64Array): Nanos {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
