/**
 * The same TCP bulk transfer in ns-3 and in our simulator, on this machine in one run: one flow,
 * one link, segments of the same size, one thread, nothing recorded. Both count the segments that
 * reached the reader and time the run of their event loop alone. What is not the same: ours
 * also models both hosts' CPUs, caches, interrupts and schedulers, which ns-3 does not; and they
 * send and receive with the offloads that servers have (TSO, GRO), so TCP runs once for some
 * twenty frames, where ns-3's runs for each. A frame on the wire is an event in both. ns-3 is the one
 * that is installed (Debian: libns3-dev, an optimised build without asserts), never fetched.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask, cache, root, run } from '../shell.mjs';
import { buildSpeed, numbers, simulateNatively } from './simulator.mjs';

const MODULES = ['core', 'network', 'internet', 'point-to-point', 'applications'].map(
  (name) => `ns3-${name}`,
);
/** How long the transfer is, on the link's clock. */
const SIMULATED_SECONDS = 3;

/**
 * Speed of each, or what is missing, in words. They take turns, so that what else the machine
 * does meets both; of several runs the fastest counts, as that only ever adds.
 */
export function measureBoth(repeats) {
  const sides = { theirs: ns3(), ours: simulator() };
  const runs = { theirs: [], ours: [] };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [name, { once }] of Object.entries(sides)) if (once) runs[name].push(once());
  }
  const result = (name) => {
    const { missing, silent, version } = sides[name];
    const found = runs[name].filter(({ packets }) => packets !== undefined);
    if (found.length === 0) return { version, missing: missing ?? silent };
    return { version, ...found.reduce((best, one) => (one.packets > best.packets ? one : best)) };
  };
  return { theirs: result('theirs'), ours: result('ours') };
}

function ns3() {
  const version = ask('pkg-config', ['--modversion', MODULES[0]])?.trim();
  if (version === undefined) return { missing: 'not installed (Debian: libns3-dev)' };
  if (ask('g++', ['--version']) === undefined) return { missing: 'g++ is not installed' };
  const folder = join(cache, 'bench');
  const program = join(folder, 'ns3-bulk');
  mkdirSync(folder, { recursive: true });
  // Their other flags name libraries that this program does not need and a machine may not have.
  const libraries = ask('pkg-config', ['--libs-only-l', ...MODULES]) ?? '';
  const needed = libraries.split(/\s+/).filter((flag) => flag.startsWith('-lns3'));
  run('g++', ['-O2', '-o', program, join(root, '.ci', 'bench', 'ns3-bulk.cc'), ...needed]);
  const once = () => {
    const said = ask(program, [String(SIMULATED_SECONDS)], { timeout: 300_000 });
    const { packets_per_second: packets, events_per_second: events } = numbers(said ?? '');
    return { packets, events };
  };
  return { version, once, silent: 'its program printed no packets_per_second' };
}

function simulator() {
  const command = buildSpeed();
  const once = () => {
    const said = simulateNatively(command);
    return { packets: said.sim_packets_per_second, events: said.sim_events_per_second };
  };
  return { once, silent: '`speed sim` printed no sim_packets_per_second' };
}
