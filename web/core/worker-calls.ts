/**
 * What the page and a worker say to each other: the core's interface, less what only the page
 * can do (ending a worker), and the version. One worker holds at most one run.
 */
import type { Core } from './core.ts';

export interface WorkerCalls extends Omit<Core, 'cancel' | 'stopReproducing'> {
  /** The version of the core, as in its manifest. */
  version(): Promise<string>;
}
