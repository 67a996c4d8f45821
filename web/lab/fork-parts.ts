/**
 * The handles of a simulated run: which part of the host a thing on the stage is, and what can be done or
 * changed there. Only what applies is offered.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import type { Catalogue, FaultKind, Setting } from '../core/simulation.ts';
import type { RowName, Thing } from '../scene/shapes.ts';
import { PARTS, type ForkPart } from '../session/forks.svelte.ts';
import type { Scenario } from '../session/scenario.ts';
import { faultsFor } from './faults.ts';
import { settingsFor } from './form.ts';
import { groupsOf } from './places.ts';

/** Kinds of faults where the things are; those of frames are the packet's. */
const KINDS: Readonly<Record<string, ForkPart>> = {
  steal_cpu: 'cpus',
  set_ring: 'nic',
  pin_interrupts: 'nic',
  stop_task: 'processes',
};

/** Stations and kinds of queues by their names in the core. */
const PLACES: Readonly<Record<string, ForkPart>> = {
  wire: 'link',
  'wire out': 'link',
  'rx ring': 'nic',
  'tx ring': 'nic',
  qdisc: 'nic',
  driver: 'driver',
  'driver send': 'nic',
  XDP: 'driver',
  GRO: 'driver',
  'net core': 'driver',
  backlog: 'driver',
  process: 'processes',
  'send call': 'processes',
  'run queue': 'cpus',
};

const ROWS: Readonly<Record<RowName, ForkPart>> = {
  process: 'processes',
  socket: 'sockets',
  transport: 'sockets',
  ip: 'sockets',
  'net-core': 'driver',
  driver: 'driver',
  ring: 'nic',
  wire: 'link',
  caches: 'cpus',
};

export interface Handle {
  readonly part: ForkPart;
  /** The CPU that is meant, if one is. */
  readonly cpu: number | undefined;
}

/** The part of the host that a thing on the stage is; a packet is chosen, not pointed at. */
export function handleOf(thing: Thing, run: Opened, glossary: Glossary): Handle | undefined {
  const at = (name: string | undefined, cpu?: number): Handle => ({
    part: PLACES[name ?? ''] ?? 'sockets',
    cpu,
  });
  switch (thing.kind) {
    case 'queue': {
      const queue = run.queues[thing.queue];
      return at(glossary.queues[queue?.kind ?? -1]?.name, queue?.home);
    }
    case 'station':
      return at(glossary.stations[thing.station]?.name);
    case 'row':
      return { part: ROWS[thing.row], cpu: undefined };
    case 'cpu':
    case 'cache':
      return { part: 'cpus', cpu: thing.cpu };
    case 'hand-over':
      return { part: 'cpus', cpu: thing.to };
    case 'timer':
      return { part: 'nic', cpu: undefined };
    case 'lock':
    case 'locks':
    case 'costs':
      return { part: 'sockets', cpu: undefined };
    case 'packet':
    case 'packets':
    case 'drop':
      return undefined;
  }
}

export interface Offer {
  readonly part: ForkPart;
  /** What can be done at a moment. */
  readonly kinds: readonly FaultKind[];
  /** What can be changed from the start. */
  readonly settings: readonly Setting[];
}

/** What is offered at each part; parts at which nothing applies are left out. */
export function offersOf(catalogue: Catalogue, scenario: Scenario): readonly Offer[] {
  const groups = groupsOf(settingsFor(catalogue, scenario));
  const hasRoom = scenario.faults.length < catalogue.mostFaults;
  const all = hasRoom ? faultsFor(catalogue, scenario.workload) : [];
  return PARTS.map((part) => ({
    part,
    kinds: all.filter(({ name, isOfFrame }) => (isOfFrame ? 'packet' : KINDS[name]) === part),
    settings: groups.find(({ id }) => id === part)?.settings ?? [],
  })).filter(({ kinds, settings }) => kinds.length + settings.length > 0);
}

/** A packet as something can be done to it on the link. */
export interface FramePacket {
  readonly name: string;
  /** The moment of the run at which it comes into memory or leaves to the NIC. */
  readonly at: number;
  readonly isSent: boolean;
}

export function frameOf(journey: Journey, { probes }: Glossary): FramePacket {
  const { name, direction, start, events } = journey;
  const leaves = events.findLast(({ probe }) => probes[probe]?.name === 'net_dev_xmit');
  return direction === 'rx'
    ? { name, at: start, isSent: false }
    : { name, at: leaves?.time ?? start, isSent: true };
}
