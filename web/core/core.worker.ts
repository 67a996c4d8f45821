/**
 * The worker's side of the door: loads the wasm module once and answers the page's calls.
 * Calls that come before the module is ready wait for it.
 */
import { expose } from 'comlink';
import init, { version } from './generated/ringside.js';
// The bindings carry no default address for the module, so that the bundler can give it one.
import wasmUrl from './generated/ringside_bg.wasm?url';

const ready = init({ module_or_path: wasmUrl });

/** What the worker answers so far; it grows towards `Core` in core.ts. */
const calls = {
  /** The version of the core, as in its manifest. */
  async version(): Promise<string> {
    await ready;
    return version();
  },
};

export type WorkerCalls = typeof calls;

expose(calls);
