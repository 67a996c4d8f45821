/**
 * How the engine (engine.ts) comes to its wasm modules: over the network in a worker
 * (core.worker.ts), from disk in tests (on-disk.ts).
 */
import type { Model } from './model.ts';

/** How the engine's wasm modules come. */
export interface Modules {
  /** Called when the core is first needed, and again where it did not come. */
  readonly reader: () => Promise<unknown>;
  /** Called when something is first to be simulated. */
  readonly model: () => Promise<Model>;
  /** Called when a run is open or something is simulated: the rest of the reader may follow. */
  readonly rest?: () => void;
}
