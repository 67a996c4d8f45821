/** What the tasks of a run are called. Asked for each CPU in each frame, of runs with thousands of tasks. */
import type { Opened } from '../core/core.ts';

type Tasks = Opened['tasks'];

const known = new WeakMap<Tasks, ReadonlyMap<number, string>>();

/** The name that the kernel gives a task; empty where the trace does not tell it. */
export function commOf(tasks: Tasks, pid: number): string {
  const comms = known.get(tasks) ?? commsOf(tasks);
  known.set(tasks, comms);
  return comms.get(pid) ?? '';
}

/** A process that has taken another name has the one that it had first. */
function commsOf(tasks: Tasks): ReadonlyMap<number, string> {
  return new Map(tasks.map(({ pid, comm }) => [pid, comm] as const).reverse());
}
