/** Finds a CPU among the lanes of a run, of which there may be tens of thousands, by binary search. */
import type { CpuLane, Lanes } from '../core/lanes.ts';

/** A CPU's lane, or `undefined` if it has none. The lanes must be in the order of their CPUs. */
export function laneOf({ cpus }: Pick<Lanes, 'cpus'>, cpu: number): CpuLane | undefined {
  let low = 0;
  let high = cpus.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cpus[middle]!.cpu < cpu) low = middle + 1;
    else high = middle;
  }
  return cpus[low]?.cpu === cpu ? cpus[low] : undefined;
}
