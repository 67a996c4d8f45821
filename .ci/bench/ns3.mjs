/**
 * The same TCP bulk transfer in ns-3 and in our simulator, on this machine in one run: one flow,
 * one link, segments of the same size, one thread, nothing recorded. Both count the segments that
 * reached the reader and time the run of their event loop alone. What is not the same is in ns-3's
 * favour: ours also models both hosts' CPUs, caches, interrupts and schedulers. ns-3 is the one
 * that is installed (Debian: libns3-dev, an optimised build without asserts), never fetched.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask, cache, root, run, wasmCore } from '../shell.mjs';

const MODULES = ['core', 'network', 'internet', 'point-to-point', 'applications'].map(
  (name) => `ns3-${name}`,
);
/** How long the transfer is, on the link's clock. */
const SIMULATED_SECONDS = 3;
/** Of several runs the fastest: what else the machine did only ever adds. */
const fastest = (runs) =>
  runs.reduce((best, one) => (one.packets_per_second > best.packets_per_second ? one : best));

/** Its speed and version, or what is missing, in words. */
export function measureNs3(repeats) {
  const version = ask('pkg-config', ['--modversion', MODULES[0]])?.trim();
  if (version === undefined) return { missing: 'ns-3 is not installed (Debian: libns3-dev)' };
  if (ask('g++', ['--version']) === undefined) return { missing: 'g++ is not installed' };
  const folder = join(cache, 'bench');
  const program = join(folder, 'ns3-bulk');
  mkdirSync(folder, { recursive: true });
  // Their other flags name libraries that this program does not need and a machine may not have.
  const libraries = ask('pkg-config', ['--libs-only-l', ...MODULES]) ?? '';
  const ours = libraries.split(/\s+/).filter((flag) => flag.startsWith('-lns3'));
  run('g++', ['-O2', '-o', program, join(root, '.ci', 'bench', 'ns3-bulk.cc'), ...ours]);
  const runs = Array.from({ length: repeats }, () =>
    numbers(ask(program, [String(SIMULATED_SECONDS)], { timeout: 300_000 }) ?? ''),
  );
  return { version, ...fastest(runs) };
}

/** Ours, or what is missing, in words. */
export function measureSimulator(repeats) {
  run('cargo', ['build', '--quiet', '--release', '--package', 'ringside', '--example', 'speed'], {
    cwd: wasmCore,
  });
  const target = process.env['CARGO_TARGET_DIR'] ?? join(wasmCore, 'target');
  const command = join(target, 'release', 'examples', 'speed');
  const runs = Array.from({ length: repeats }, () => {
    const said = numbers(ask(command, ['sim'], { timeout: 300_000 }) ?? '');
    return {
      packets_per_second: said.sim_packets_per_second,
      events_per_second: said.sim_events_per_second,
    };
  });
  const best = fastest(runs);
  if (best.packets_per_second === undefined) {
    return { missing: '`speed sim` printed no sim_packets_per_second' };
  }
  return best;
}

/** Lines of a name and a number; others are passed over. */
function numbers(text) {
  const pairs = text.split('\n').map((line) => line.split(' '));
  return Object.fromEntries(
    pairs
      .filter(([, value]) => value !== undefined && Number.isFinite(Number(value)))
      .map(([name, value]) => [name, Number(value)]),
  );
}
