/**
 * The worker's side of the door: lets the engine answer the page's calls
 * (worker-calls.ts), and tells it where its wasm modules are: the reader's, the rest of it, and when
 * something is to be simulated the model's.
 */
import { expose } from 'comlink';
import { Engine } from './engine.ts';
import init, { fetchRest, readRest } from './generated/reader.js';
// The bindings carry no default address for the module, so that the bundler can give it one.
import wasmUrl from './generated/reader_bg.wasm?url';
import restUrl from './generated/reader_rest.wasm?url';
import { readAtOnce } from './rest.ts';
import type { WorkerCalls } from './worker-calls.ts';

readRest(() => readAtOnce(restUrl));
const engine = new Engine({
  reader: () => init({ module_or_path: wasmUrl }),
  model: async () => (await import('./model-in-browser.ts')).openModel(),
  // Where it does not come, whoever calls it tries again and says so.
  rest: () => void fetchRest(restUrl).catch(() => undefined),
});
expose(engine satisfies WorkerCalls);
