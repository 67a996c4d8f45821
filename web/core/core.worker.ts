/**
 * The worker's side of the door: lets the engine answer the page's calls
 * (worker-calls.ts), and tells it where its wasm modules are: the reader's, and when something is to
 * be simulated the model's.
 */
import { expose } from 'comlink';
import { Engine } from './engine.ts';
import init from './generated/reader.js';
// The bindings carry no default address for the module, so that the bundler can give it one.
import wasmUrl from './generated/reader_bg.wasm?url';
import type { WorkerCalls } from './worker-calls.ts';

const engine = new Engine(
  () => init({ module_or_path: wasmUrl }),
  async () => (await import('./model-in-browser.ts')).openModel(),
);
expose(engine satisfies WorkerCalls);
