/**
 * Where the watched host's interrupts and programs run in a scenario, by the simulator's rules
 * (`wasm-core/sim/src/engine/setup` and `nic/moderation.rs`), with which a test compares this file.
 */
import type { Catalogue, Machine, Parameter } from '../core/simulation.ts';
import type { Scenario } from '../session/scenario.ts';

/** CPUs, and the rule by which one of them is chosen. */
export interface Where {
  /**
   * `to`: each NIC has one of them; `queues`: each receive queue has one; `turn`: round robin; `idle`:
   * round robin, idle ones first; `begin`: programs begin there, and the scheduler moves them; `bound`:
   * programs stay there.
   */
  readonly by: 'to' | 'queues' | 'turn' | 'idle' | 'begin' | 'bound';
  readonly cpus: readonly number[];
}

export interface Placement {
  /** `undefined` if the interrupts are not those of a NIC, or only of some of its queues. */
  readonly interrupts: Where | undefined;
  readonly programs: Where | undefined;
  /** Whether programs are bound to the CPU of their NIC's interrupt, and move with it. */
  readonly isTogether: boolean;
  /** Whether the workload itself binds a program. */
  readonly isPlaced: boolean;
}

type On = Pick<Scenario, 'machine' | 'workload' | 'settings'>;

/** Workloads with one program on the watched host, instead of one for each connection. */
export const HOST_PROGRAMS: ReadonlySet<string> = new Set(['flood', 'web-files', 'fscache']);

/**
 * Number of CPUs of the scenario's machine; `undefined` if only the core can tell, or if the setting is
 * invalid.
 */
export function cpuCount(catalogue: Catalogue, { machine, settings }: On): number | undefined {
  const known = machineOf(catalogue, machine);
  if (known === undefined) return undefined;
  const { cpus: most } = known.limits;
  const set = settings['cpus'];
  if (typeof set === 'number' && !(Number.isInteger(set) && set >= 1)) return undefined;
  const cores = typeof set === 'number' ? Math.min(set, most) : most;
  if (settings['hyper_threading'] !== true) return cores;
  const threads = Number(valueOf(known.sources, 'processors.threads_per_core') ?? NaN);
  return Number.isInteger(threads) ? cores * threads : undefined;
}

/** The CPU in a setting such as `cpu3`. */
export function pinnedCpu(affinity: unknown): number | undefined {
  const [, cpu] = /^cpu(\d+)$/.exec(String(affinity)) ?? [];
  return cpu === undefined ? undefined : Number(cpu);
}

/** The CPU to which interrupts should go, if the machine does not have it. */
export function missingCpu(catalogue: Catalogue, scenario: On): number | undefined {
  const cpu = pinnedCpu(scenario.settings['irq_affinity']);
  return cpu !== undefined && cpu >= (cpuCount(catalogue, scenario) ?? Infinity) ? cpu : undefined;
}

/** Whether packets arrive over a link, so that a NIC raises interrupts. */
export function hasNic(catalogue: Catalogue, workload: string): boolean {
  const setting = catalogue.settings.find(({ name }) => name === 'irq_affinity');
  return setting !== undefined && (setting.appliesTo?.includes(workload) ?? true);
}

export function placementOf(catalogue: Catalogue, scenario: On): Placement | undefined {
  const count = cpuCount(catalogue, scenario);
  if (count === undefined || machineOf(catalogue, scenario.machine) === undefined) return undefined;
  const { irq_affinity: affinity, irq_queue: queue } = scenario.settings;
  const isOne = pinnedCpu(affinity) !== undefined && queue === undefined;
  const isAll = pinnedCpu(affinity) === undefined;
  const interrupts =
    isOne || isAll ? interruptsOf(catalogue, scenario, String(affinity)) : undefined;
  const programs = programsOf(catalogue, scenario, count);
  const isPlaced = placedByWorkload(catalogue, scenario).length > 0;
  const isTogether =
    scenario.settings['process_affinity'] === true &&
    programs?.by === 'bound' &&
    !isPlaced &&
    isOne &&
    hasNic(catalogue, scenario.workload);
  return { interrupts, programs, isTogether, isPlaced };
}

/** Where interrupts go with this setting; for a value that is not a choice, as the machine routes them. */
export function interruptsOf(
  catalogue: Catalogue,
  scenario: On,
  affinity: string,
): Where | undefined {
  const machine = machineOf(catalogue, scenario.machine);
  const count = cpuCount(catalogue, scenario);
  if (machine === undefined || count === undefined) return undefined;
  if (!hasNic(catalogue, scenario.workload)) return undefined;
  const all = upTo(count);
  const pinned = pinnedCpu(affinity);
  if (pinned !== undefined) return { by: 'to', cpus: [pinned] };
  const routing = valueOf(machine.sources, 'interrupt_routing');
  const rule = affinity === 'spread' ? 'spread' : routing;
  switch (rule) {
    case 'fixed':
      return { by: 'to', cpus: [0] };
    case 'spread':
      // A single NIC whose interrupts are spread has several queues.
      return routing === 'spread' && machine.limits.nics === 1
        ? oneOr(all, 'queues')
        : { by: 'to', cpus: ofNics(catalogue, scenario, count) };
    case 'lowest_priority':
      return oneOr(all, 'turn');
    case 'dynamic':
      return oneOr(all, 'idle');
    case undefined:
    default:
      return undefined;
  }
}

/** Where programs run if they are bound, or if they are not. */
export function programsIf(
  catalogue: Catalogue,
  scenario: On,
  isBound: boolean,
): Where | undefined {
  const count = cpuCount(catalogue, scenario);
  if (count === undefined) return undefined;
  const settings = { ...scenario.settings, process_affinity: isBound };
  return programsOf(catalogue, { ...scenario, settings }, count);
}

function programsOf(catalogue: Catalogue, scenario: On, count: number): Where | undefined {
  const { settings, workload } = scenario;
  const given = givenToPrograms(settings, count);
  const placed = placedByWorkload(catalogue, scenario);
  if (placed.length > 0) {
    // Its reader is bound; about the sender's host only the core knows.
    return settings['watch'] === 'sender'
      ? undefined
      : { by: 'bound', cpus: sorted(placed.map((cpu) => cpu % given)) };
  }
  const programs = HOST_PROGRAMS.has(workload) ? 1 : connectionsOf(scenario);
  const inTurn = upTo(Math.min(given, programs));
  if (settings['process_affinity'] !== true) {
    return { by: given === 1 ? 'bound' : 'begin', cpus: inTurn };
  }
  if (!hasNic(catalogue, workload)) return { by: 'bound', cpus: inTurn };
  const pinned = pinnedCpu(settings['irq_affinity']);
  const own = ofNics(catalogue, scenario, count).slice(0, programs);
  if (pinned === undefined) return { by: 'bound', cpus: own };
  return settings['irq_queue'] === undefined ? { by: 'bound', cpus: [pinned] } : undefined;
}

/** How many of the host's CPUs its programs may run on: the first ones. */
function givenToPrograms(settings: Scenario['settings'], count: number): number {
  const set = settings['process_cpus'];
  return typeof set === 'number' && Number.isInteger(set) && set >= 1
    ? Math.min(set, count)
    : count;
}

/** The CPUs of the NICs in use: the first NIC has CPU 0, the second CPU 1, and so on. */
function ofNics(catalogue: Catalogue, scenario: On, count: number): readonly number[] {
  return sorted(upTo(nicsOf(catalogue, scenario)).map((nic) => nic % count));
}

/** Number of NICs with connections. */
export function nicsOf(catalogue: Catalogue, scenario: On): number {
  const most = machineOf(catalogue, scenario.machine)?.limits.nics ?? 1;
  const set = scenario.settings['nics'];
  const nics = Math.max(1, typeof set === 'number' ? Math.min(set, most) : most);
  return Math.min(nics, connectionsOf(scenario));
}

/** CPUs to which the workload itself binds programs, according to its file. */
function placedByWorkload(catalogue: Catalogue, { workload }: On): readonly number[] {
  const sources = catalogue.workloads.find(({ name }) => name === workload)?.sources ?? [];
  return sources.flatMap(({ parameter, value }) =>
    /^roles\.\d+\.cpu$/.test(parameter) ? [Number(value)] : [],
  );
}

export function connectionsOf({ settings }: On): number {
  const set = settings['connections'] ?? settings['clients'];
  return typeof set === 'number' ? Math.max(1, set) : 1;
}

function machineOf({ machines }: Catalogue, machine: string): Machine | undefined {
  return machines.find(({ name }) => name === machine);
}

function valueOf(sources: readonly Parameter[], wanted: string): string | undefined {
  return sources.find(({ parameter }) => parameter === wanted)?.value;
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const sorted = (cpus: readonly number[]) => [...new Set(cpus)].sort((a, b) => a - b);

function oneOr(cpus: readonly number[], by: Where['by']): Where {
  return { by: cpus.length === 1 ? 'to' : by, cpus };
}
