/**
 * The core outside of the browser: the in-thread engine over the wasm module as set-up built it,
 * and the shelf's recordings and scenarios read from disk. For the tests, and for what is drawn
 * when the page is built.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import { belowData } from './below-data.ts';
import initReader, { readRest } from './generated/reader.js';
import initSimulator from './generated/simulator.js';
import { Model, type DataFiles } from './model.ts';
import type { Input, Opened, Outcome } from './core.ts';
import { errorOf } from './trouble.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Buffer => readFileSync(new URL(path, root));

/** An engine over the modules in `web/core/generated/`; throws where they were not built. */
export function engineOnDisk(): Engine {
  return new Engine({ reader: readerOnDisk, model: modelOnDisk });
}

let reader: Promise<unknown> | undefined;
let simulator: Promise<unknown> | undefined;

function readerOnDisk(): Promise<unknown> {
  readRest(() => new Uint8Array(read('web/core/generated/reader_rest.wasm')));
  return (reader ??= initReader({ module_or_path: read('web/core/generated/reader_bg.wasm') }));
}

/** The model over the module and the data files on disk. */
export async function modelOnDisk(): Promise<Model> {
  await (simulator ??= initSimulator({
    module_or_path: read('web/core/generated/simulator_bg.wasm'),
  }));
  return new Model(modelFilesOnDisk(), () => Promise.resolve(paperFilesOnDisk()));
}

/** What `model-data.ts` holds on the page. */
export function modelFilesOnDisk(): DataFiles {
  const folders = ['machines', 'kernels', 'instrumentation', 'workloads', 'scenarios'];
  return Object.assign({}, ...folders.map(dataOnDisk)) as DataFiles;
}

/** What `paper-data.ts` holds on the page. */
export function paperFilesOnDisk(): DataFiles {
  return dataOnDisk('papers');
}

function dataOnDisk(folder: string): DataFiles {
  const names = readdirSync(new URL(`wasm-core/data/${folder}/`, root));
  const paths = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => `wasm-core/data/${folder}/${name}`);
  return belowData(Object.fromEntries(paths.map((path) => [path, String(read(path))])));
}

/** The run that an engine came to; throws an Error with why there is none. */
export function runOf(outcome: Outcome<Opened>): Opened {
  if (outcome.kind === 'ok') return outcome.value;
  throw outcome.kind === 'failed' ? errorOf(outcome) : new Error('cancelled');
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
