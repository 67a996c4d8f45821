/** Finds a CPU among the lanes of a run, of which there may be tens of thousands. */
import type { CpuLane, Lanes } from '../core/lanes.ts';
import { firstWhere } from './first-where.ts';

/** A CPU's lane, or `undefined` if it has none. The lanes must be in the order of their CPUs. */
export function laneOf({ cpus }: Pick<Lanes, 'cpus'>, cpu: number): CpuLane | undefined {
  const lane = cpus[firstWhere(cpus, (one) => one.cpu >= cpu)];
  return lane?.cpu === cpu ? lane : undefined;
}
