/**
 * The core in a test's own thread: the wasm build as the page has it, without a worker. Only
 * tests use it.
 */
import { readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import init from './generated/ringside.js';

const load = init({
  module_or_path: readFileSync(new URL('./generated/ringside_bg.wasm', import.meta.url)),
});

/** A core of its own, with no run open. */
export function newEngine(): Engine {
  return new Engine(() => load);
}
