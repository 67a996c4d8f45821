/**
 * The core outside of the browser: the in-thread engine over the wasm module as set-up built it,
 * and the shelf's recordings and scenarios read from disk. For the tests, and for what is drawn
 * when the page is built.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import init from './generated/ringside.js';
import type { Input, Opened, Outcome } from './core.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Buffer => readFileSync(new URL(path, root));

/** An engine over the module in `web/core/generated/`; throws where that was not built. */
export function engineOnDisk(): Engine {
  module ??= init({ module_or_path: read('web/core/generated/ringside_bg.wasm') });
  const ready = module;
  return new Engine(() => ready);
}

let module: Promise<unknown> | undefined;

/** The run that an engine came to; throws an Error with why there is none. */
export function runOf(outcome: Outcome<Opened>): Opened {
  if (outcome.kind === 'ok') return outcome.value;
  throw new Error(outcome.kind === 'failed' ? outcome.message : 'cancelled');
}

/** The names of the shipped scenarios. */
export function scenariosOnDisk(): readonly string[] {
  return readdirSync(new URL('wasm-core/data/scenarios/', root)).map((name) =>
    name.replace('.json', ''),
  );
}

/** A shipped scenario as compact JSON. */
export function scenarioOnDisk(name: string): string {
  const file = JSON.parse(String(read(`wasm-core/data/scenarios/${name}.json`))) as {
    readonly scenario: unknown;
  };
  return JSON.stringify(file.scenario);
}

/** The folders of `traces/` that hold a recording, in the order of their names. */
export function recordingsOnDisk(): readonly string[] {
  return readdirSync(new URL('traces/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'capture')
    .map((entry) => entry.name)
    .sort();
}

/** The files of a recording as the page would fetch them. */
export function inputsOnDisk(slug: string): readonly Input[] {
  const { files, clock } = JSON.parse(String(read(`traces/${slug}/recording.json`))) as {
    readonly files: readonly string[];
    readonly clock: { readonly wire_minus_trace_s: number | null };
  };
  const offset = clock.wire_minus_trace_s;
  return files.map((name) => {
    const data = new Blob([new Uint8Array(read(`traces/${slug}/${name}`))]);
    return offset !== null && name.startsWith('wire.')
      ? { name, data, clockOffset: Math.round(offset * 1e9) }
      : { name, data };
  });
}
