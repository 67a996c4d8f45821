/**
 * Our simulator on one scenario, natively: `speed sim`. What it prints is asked for by name; of
 * several runs the fastest counts, as what else the machine does only ever adds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, ask, root, run, wasmCore } from '../shell.mjs';

/** One TCP flow over a link of 1 Gbit/s and 50 µs, as `ns3-bulk.cc` has it. */
const ONE_FLOW = join(root, '.ci', 'bench', 'one-flow.json');

export const oneFlow = () => JSON.parse(readFileSync(ONE_FLOW, 'utf8'));

/** Builds the core's own timer and tells where it is. */
export function buildSpeed() {
  run(
    'cargo',
    ['build', '--quiet', '--release', '--package', 'ringside-cli', '--example', 'speed'],
    {
      cwd: wasmCore,
    },
  );
  const target = process.env['CARGO_TARGET_DIR'] ?? join(wasmCore, 'target');
  return join(target, 'release', 'examples', 'speed');
}

/** One run of it: what it printed, by name. */
export function simulateNatively(command) {
  const said = ask(command, ['sim', ONE_FLOW], { timeout: 300_000 });
  if (said === undefined) throw new SetupError(`${command} did not simulate ${ONE_FLOW}`);
  return numbers(said);
}

/** Lines of a name and a number; others are passed over. */
export function numbers(text) {
  const pairs = text.split('\n').map((line) => line.split(' '));
  return Object.fromEntries(
    pairs
      .filter(([, value]) => value !== undefined && Number.isFinite(Number(value)))
      .map(([name, value]) => [name, Number(value)]),
  );
}
