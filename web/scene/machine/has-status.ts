/**
 * Whether a run tells more than a recording can, and of its CPUs so much that their heads need
 * one more line. The layout asks this, which must not depend on what is drawn there.
 */
import type { Opened } from '../../core/core.ts';

export function hasStatus({ machine }: Opened): boolean {
  return machine.hasTasks || machine.hasProbeCosts || machine.locks.length > 0;
}

export function isOfModel(run: Opened): boolean {
  return hasStatus(run) || run.machine.caches.length > 0 || run.machine.timers.length > 0;
}
