/**
 * The worker's side of the door: lets the engine answer the page's calls
 * (worker-calls.ts), and tells it where its wasm module is.
 */
import { expose } from 'comlink';
import { Engine } from './engine.ts';
import init from './generated/ringside.js';
// The bindings carry no default address for the module, so that the bundler can give it one.
import wasmUrl from './generated/ringside_bg.wasm?url';
import type { WorkerCalls } from './worker-calls.ts';

expose(new Engine(() => init({ module_or_path: wasmUrl })) satisfies WorkerCalls);
