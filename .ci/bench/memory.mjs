/**
 * What a file takes of the module's memory while it is opened, and what stays of that, for each event.
 */
import { rmSync } from 'node:fs';
import { say } from '../shell.mjs';
import { measureMemory, measureNative } from './core.mjs';
import { inputOf } from './input.mjs';
import { row } from './table.mjs';

/** Lines of the files, about as many as events. */
const SIZES = [1e6, 5e6, 20e6];
/** A module of wasm has no more addresses. */
const ADDRESSES = 2 ** 32;

/** The rows of the table, for a capture repeated to each size. */
export async function memoryRows(core, capture) {
  const rows = [];
  for (const lines of SIZES) {
    const input = inputOf(capture, { lines });
    say(`opening ${lines.toLocaleString('en')} lines for their memory, natively and in a worker`);
    const wasm = await measureMemory(core, input);
    const native = measureNative(input, 1);
    // Three gigabytes are made again sooner than they are missed.
    rmSync(input.path);
    const each = (bytes) => bytes / wasm.events;
    const beyond = (bytes) => each(bytes - wasm.memoryAtStart);
    const unit = 'B an event';
    rows.push(
      row(`${wasm.events.toLocaleString('en')} events: text of the file`, each(input.bytes), unit),
      row('  events as they are kept', each(native.bytesOfEvents), unit, { atMost: 32 }),
      row('  their texts and addresses', each(native.bytesOfTexts), unit),
      row('  their journeys', each(native.bytesOfJourneys), unit),
      row('  most in the worker while it reads', beyond(wasm.memoryWhenRead), unit),
      row('  until everything can be asked', beyond(wasm.memoryWhenOpen), unit),
      row('  until its film was told', beyond(wasm.memoryWhenTold), unit, { atMost: 160 }),
      row('  peak memory of the module', wasm.memoryWhenTold / input.bytes, '× file'),
      row('  of all that it can have', (wasm.memoryWhenTold / ADDRESSES) * 100, '%'),
    );
  }
  return rows;
}
