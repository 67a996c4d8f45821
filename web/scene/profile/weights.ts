/** The weight of a stack: its CPU time, its cache lines transferred, its time spun, or its calls. */
import type { Profile, ProfileStack } from '../../core/profile.ts';

export const WEIGHTS = ['time', 'lines', 'spin', 'calls'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** @param spinning index of the context in which a CPU waits for a lock */
export function weightOf(weight: Weight, stack: ProfileStack, spinning: number): number {
  const isSpinning = stack.context === spinning;
  switch (weight) {
    case 'time':
      return stack.nanos;
    case 'lines':
      return stack.lines ?? 0;
    case 'spin':
      return isSpinning ? stack.nanos : 0;
    case 'calls':
      // Spinning is not a call.
      return isSpinning ? 0 : (stack.calls ?? 0);
  }
}

/** The measures for which a profile has data. */
export function offeredWeights({ stacks }: Profile, spinning: number): readonly Weight[] {
  return WEIGHTS.filter((weight) => stacks.some((stack) => weightOf(weight, stack, spinning) > 0));
}

/**
 * A weight in a unit in which runs of different length are comparable: time as a fraction of all CPUs'
 * time, lines and calls per second.
 */
export function rateOf(weight: Weight, value: number, { elapsed, cpus }: Profile): number {
  if (elapsed === 0) return 0;
  return weight === 'time' || weight === 'spin'
    ? value / (elapsed * cpus)
    : (value * 1e9) / elapsed;
}
