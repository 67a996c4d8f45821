/**
 * The lanes of the stage from the process down to the wire, and where in them each station
 * of the kernel is: as data. Receiving climbs a rail at the left of a CPU's column, sending
 * comes down one at its right. What is worked on stands on its rail; what waits is in a
 * vessel between the two, its head next to its rail.
 *
 * Names are the glossary's (`wasm-core/src/kernel/station.rs`, `queue.rs`).
 */
import type { RowName } from './shapes.ts';

/**
 * How a slot shows its packets: `work` is a place on the rail, `queue` lines them up, `stream`
 * fuses them by bytes, `ring` puts one in each box, `assembly` puts fragments together.
 */
export type SlotKind = 'work' | 'queue' | 'stream' | 'ring' | 'assembly';

export interface SlotSpec {
  readonly kind: SlotKind;
  readonly stations: readonly string[];
  /** Shown above a vessel; a place on the rail is named by its lane. */
  readonly title: string;
  /** Where that is too long. */
  readonly shortTitle?: string;
  /** Its part of the room among the vessels beside it. */
  readonly weight: number;
}

export interface LaneSpec {
  readonly id: string;
  readonly row: RowName;
  /** At the left of the stage. */
  readonly label: string;
  readonly rx: readonly SlotSpec[];
  readonly tx: readonly SlotSpec[];
}

export interface RowSpec {
  readonly name: RowName;
  readonly label: string;
  readonly sentence: string;
}

const rail = (...stations: string[]): SlotSpec => ({
  kind: 'work',
  stations,
  title: '',
  weight: 1,
});

const vessel = (kind: SlotKind, station: string, shortTitle = station, weight = 1): SlotSpec => ({
  kind,
  stations: [station],
  title: station,
  shortTitle,
  weight,
});

export const ROWS: readonly RowSpec[] = [
  {
    name: 'process',
    label: 'user process',
    sentence: 'The program that reads and writes, and its system calls.',
  },
  {
    name: 'socket',
    label: 'socket queues',
    sentence: 'Where data wait for the process to read them, or for the stack to send them.',
  },
  {
    name: 'transport',
    label: 'TCP · UDP',
    sentence: 'The transport layer: ports, order, acknowledgements.',
  },
  { name: 'ip', label: 'IP', sentence: 'The internet layer: addresses, routes, fragments.' },
  {
    name: 'softirq',
    label: 'softirq · NAPI',
    sentence: 'The kernel’s deferred work: it polls the device and carries packets up.',
  },
  {
    name: 'nic',
    label: 'NIC ring',
    sentence: 'Descriptors through which the network card and the driver hand frames over.',
  },
  { name: 'wire', label: 'wire', sentence: 'The link outside the machine.' },
];

/** From the top down: a lane is nearer to the process than those below it. */
export const LANES: readonly LaneSpec[] = [
  {
    id: 'process',
    row: 'process',
    label: 'process',
    rx: [rail('process')],
    tx: [rail('send call')],
  },
  {
    id: 'socket',
    row: 'socket',
    label: 'socket',
    rx: [vessel('stream', 'receive queue', 'queue', 3)],
    tx: [vessel('queue', 'write queue', 'write', 2)],
  },
  {
    id: 'backlog',
    row: 'socket',
    label: 'socket',
    rx: [
      vessel('queue', 'socket backlog', 'backlog'),
      vessel('queue', 'prequeue'),
      vessel('queue', 'out-of-order queue', 'out of order'),
    ],
    tx: [],
  },
  {
    id: 'transport',
    row: 'transport',
    label: 'TCP · UDP',
    rx: [rail('TCP', 'UDP', 'transport')],
    tx: [rail('TCP send', 'UDP send', 'transport send')],
  },
  {
    id: 'ip',
    row: 'ip',
    label: 'IP',
    rx: [rail('IP'), vessel('assembly', 'reassembly')],
    tx: [rail('IP send')],
  },
  {
    id: 'softirq',
    row: 'softirq',
    label: 'softirq',
    rx: [rail('net core'), vessel('queue', 'backlog', 'backlog', 3)],
    tx: [vessel('queue', 'qdisc', 'qdisc', 2)],
  },
  {
    id: 'driver',
    row: 'softirq',
    label: 'driver',
    rx: [rail('driver'), vessel('queue', 'GRO', 'GRO', 3)],
    tx: [rail('driver send')],
  },
  {
    id: 'ring',
    row: 'nic',
    label: 'NIC ring',
    rx: [vessel('ring', 'rx ring', 'ring', 3)],
    tx: [vessel('ring', 'tx ring', 'tx', 2)],
  },
  {
    id: 'wire',
    row: 'wire',
    label: 'wire',
    rx: [vessel('queue', 'wire')],
    tx: [rail('wire out')],
  },
];

/** Header shells from the outermost in: what a packet wears at a station. */
export const SHELLS = ['shell-link', 'shell-network', 'shell-transport'] as const;

const SHELLS_IN_ROW: Readonly<Record<RowName, number>> = {
  process: 0,
  socket: 0,
  transport: 1,
  ip: 2,
  softirq: 3,
  nic: 3,
  wire: 3,
  caches: 0,
};

/** How many headers are before the payload in this row, in both directions. */
export function shellsIn(row: RowName): number {
  return SHELLS_IN_ROW[row];
}
