/** What the Lab says about where interrupts and programs run, compared with runs of the simulator. */
import { beforeAll, expect, test } from 'vitest';
import { engineOnDisk, modelFilesOnDisk } from '../core/on-disk.ts';
import type { Catalogue, SettingValue } from '../core/simulation.ts';
import type { Glossary } from '../core/core.ts';
import { readScenario } from '../session/scenario.ts';
import { HOST_PROGRAMS, placementOf, type Where } from './placement.ts';
import { offeredFor } from './setting-choices.ts';
import { inWords } from '../words/setting-words.ts';

let catalogue: Catalogue;
let glossary: Glossary;
beforeAll(async () => {
  const engine = engineOnDisk();
  [catalogue, glossary] = [inWords(await engine.catalogue()), await engine.glossary()];
});

/** Maximum share of a run that a CPU spends on other work: the clock's ticks, and hand-overs. */
const BESIDE = 0.03;

/** The CPUs on which drivers took interrupts, and those on which the host's programs computed. */
async function ranOn(scenario: string): Promise<{ interrupts: number[]; programs: number[] }> {
  const engine = engineOnDisk();
  const outcome = await engine.simulate(scenario, () => undefined);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  const { stacks } = await engine.profile(0, outcome.value.duration);
  const cpusOf = (isMeant: (context: string, path: string) => boolean) => {
    const times = new Map<number, number>();
    for (const { cpu, context, within, nanos } of stacks) {
      const isOne = isMeant(glossary.contexts[context]?.name ?? '', within[0] ?? '');
      if (isOne) times.set(cpu, (times.get(cpu) ?? 0) + nanos);
    }
    const all = [...times.values()].reduce((sum, time) => sum + time, 0);
    const most = [...times].filter(([, time]) => time > BESIDE * all);
    return most.map(([cpu]) => cpu).sort((a, b) => a - b);
  };
  return {
    interrupts: cpusOf((_, path) => path === 'driver_interrupt'),
    programs: cpusOf((context) => context === 'user'),
  };
}

type Settings = Readonly<Record<string, SettingValue>>;

const p3 = (settings: Settings) => ({
  ...{ machine: 'piii-500-4way', kernel: '2.4.17', workload: 'netperf-stream', seed: 1 },
  settings: { cpus: 2, nics: 1, connections: 1, message_bytes: 4096, ...settings },
  duration_us: 12_000,
});
const server = (settings: Settings) => ({
  ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
  settings: { cpus: 2, connections: 1, peer: 'current-server', message_bytes: 16_384, ...settings },
  duration_us: 3000,
});
const xeon = (settings: Settings) => ({ ...p3(settings), machine: 'pii-xeon-400-4way' });
const recorder = (settings: Settings) => ({
  ...{ machine: 'recorder', kernel: '6.1', workload: 'recorded-tcp', seed: 1 },
  settings: { cpus: 2, connections: 1, message_bytes: 2000, peer: 'recorded-wire', ...settings },
  duration_us: 40_000,
});

test.each([
  ['in turn, and a program that begins on CPU 0', p3({})],
  ['pinned', p3({ irq_affinity: 'cpu1' })],
  [
    'pinned, and a program that is bound with it',
    p3({ irq_affinity: 'cpu1', process_affinity: true }),
  ],
  ['a program that is bound while interrupts go in turn', p3({ process_affinity: true })],
  ['each NIC’s own', p3({ cpus: 4, nics: 3, connections: 3, irq_affinity: 'spread' })],
  [
    'each NIC’s own, bound',
    p3({ cpus: 4, nics: 3, connections: 5, irq_affinity: 'spread', process_affinity: true }),
  ],
  ['more NICs than CPUs', p3({ nics: 3, connections: 3, irq_affinity: 'spread' })],
  ['one CPU', p3({ cpus: 1, irq_affinity: 'fixed' })],
  ['idle ones first', xeon({ cpus: 3 })],
  ['pinned where a NIC has many queues', server({ irq_affinity: 'cpu1', process_affinity: true })],
  [
    'one program for the host, bound',
    {
      ...p3({}),
      ...{ workload: 'web-files' },
      settings: { cpus: 4, nics: 3, clients: 3, process_affinity: true },
    },
  ],
  ['programs that have one of two CPUs', p3({ process_cpus: 1, irq_affinity: 'cpu1' })],
  ['programs that have two of four CPUs', p3({ cpus: 4, connections: 3, process_cpus: 2 })],
  [
    'programs that go where their NIC’s interrupt does, whatever else they have',
    p3({ process_cpus: 1, irq_affinity: 'cpu1', process_affinity: true }),
  ],
  ['many queues', server({ cpus: 4, connections: 2 })],
  ['the workload binds its reader', recorder({})],
  [
    'the workload binds its reader, and the interrupt comes there',
    recorder({ irq_affinity: 'cpu1' }),
  ],
])('%s', async (_, scenario) => {
  const text = JSON.stringify(scenario);
  const placement = placementOf(catalogue, readScenario(text));
  const ran = await ranOn(text);
  const held = (said: Where | undefined, on: readonly number[]) => {
    // The rule names the CPUs that may be used; if each thing has its own, all of them are.
    if (said?.by === 'queues' || said?.by === 'idle') {
      expect(on.filter((cpu) => !said.cpus.includes(cpu))).toEqual([]);
    } else expect(said?.cpus).toEqual(on);
  };
  held(placement?.interrupts, ran.interrupts);
  held(placement?.programs, ran.programs);
});

test('it is known how every machine sends its interrupts', () => {
  for (const { name } of catalogue.machines) {
    const scenario = readScenario(JSON.stringify({ ...p3({ cpus: 1 }), machine: name }));
    expect(placementOf(catalogue, scenario)?.interrupts, name).toBeDefined();
  }
});

test('it is known which workloads have one program for the host', () => {
  const files = Object.entries(modelFilesOnDisk()).filter(([path]) =>
    path.startsWith('workloads/'),
  );
  const read = files.map(([, text]) => JSON.parse(text) as Workload);
  const ones = read.filter(({ roles }) =>
    roles.filter(({ side }) => side === 'server').every(({ per }) => per?.startsWith('host')),
  );
  expect(ones.map(({ name }) => name).sort()).toEqual([...HOST_PROGRAMS].sort());
});

interface Workload {
  readonly name: string;
  readonly roles: readonly { readonly side: string; readonly per?: string }[];
}

test('nothing is said of what only the core can tell', () => {
  const of = (settings: Settings) =>
    placementOf(catalogue, readScenario(JSON.stringify(server(settings))));
  expect(of({ irq_affinity: 'cpu1', irq_queue: 3 })?.interrupts).toBeUndefined();
  expect(of({ hyper_threading: true })).toBeUndefined();
});

test.each([0, -3, 0.5])('of %s CPUs there is no word of where anything runs', (cpus) => {
  expect(placementOf(catalogue, readScenario(JSON.stringify(server({ cpus }))))).toBeUndefined();
  const offered = catalogue.settings
    .filter(({ name }) => name.endsWith('_affinity'))
    .map((setting) => offeredFor(catalogue, readScenario(JSON.stringify(p3({ cpus }))), setting));
  expect(JSON.stringify(offered)).not.toMatch(/NaN|CPU ?[,)]/);
});
