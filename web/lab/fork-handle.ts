/** The part of the host that a thing on the stage represents, if the run can be changed there. */
import type { Glossary, Opened } from '../core/core.ts';
import type { RowName, Thing } from '../scene/shapes.ts';
import type { ForkPart } from '../session/forks.svelte.ts';

/** Stations and kinds of queues by the core's names. */
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
  /** The CPU of that part, if it belongs to one. */
  readonly cpu: number | undefined;
}

/** The part of the host that a thing represents; packets are selected, not handled here. */
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
