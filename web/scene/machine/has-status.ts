/**
 * Whether a run has data that only a model can give, and so much about its CPUs that their heads need an
 * additional line. For the layout, which must not depend on the code that draws it.
 */
import type { Opened } from '../../core/core.ts';

export function hasStatus({ machine }: Opened): boolean {
  return machine.hasTasks || machine.hasProbeCosts || machine.locks.length > 0;
}

export function isOfModel(run: Opened): boolean {
  return hasStatus(run) || run.machine.caches.length > 0 || run.machine.timers.length > 0;
}
