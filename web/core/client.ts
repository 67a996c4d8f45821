/**
 * The page's side of the door: starts the worker and hands out what it answers.
 */
import { wrap, type Remote } from 'comlink';
import type { WorkerCalls } from './core.worker.ts';

export type CoreInWorker = Remote<WorkerCalls>;

export function openCore(): CoreInWorker {
  // Written literally so: the bundler looks for exactly this expression.
  const worker = new Worker(new URL('./core.worker.ts', import.meta.url), { type: 'module' });
  return wrap<WorkerCalls>(worker);
}
