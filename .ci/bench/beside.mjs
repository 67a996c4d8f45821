/**
 * Two runs on one clock, of 200,000 events and more each, as the page plays them beside each other:
 * kernel 6.1 with and without GRO, and the first of them alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wasmCore } from '../shell.mjs';
import { measureBeside } from './app.mjs';
import { row } from './table.mjs';

/** How long both runs are, in microseconds. */
const LENGTH_US = 20_000;

export async function besideRows(app) {
  const path = join(wasmCore, 'data', 'scenarios', 'today-gro.json');
  const { scenario } = JSON.parse(readFileSync(path, 'utf8'));
  const one = { ...scenario, duration_us: LENGTH_US };
  const other = { ...one, settings: { ...one.settings, gro: false } };
  const { alone, beside } = await measureBeside(app, [one, other]);
  return [
    row('one run: frames in time for 60 a second', alone.inTime * 100, '%'),
    row("  the page's own work for a frame: mean", alone.workMs, 'ms', { atMost: 16.7 }),
    row('both: frames in time for 60 a second', beside.inTime * 100, '%', { atLeast: 95 }),
    row("  the page's own work for a frame: mean", beside.workMs, 'ms', { atMost: 16.7 }),
  ];
}
