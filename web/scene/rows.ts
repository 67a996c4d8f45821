/**
 * The rows of the stage from the process down to the caches, and where in them each
 * station of the kernel is: as data. A row has one or two lanes; in each the way up
 * (receive) stands on the left and the way down (send) on the right.
 *
 * Names are the glossary's (`wasm-core/src/kernel/station.rs`, `queue.rs`).
 */
import type { RowName } from './shapes.ts';

/**
 * How a slot shows its packets: `work` moves them along, `queue` lines them up, `stream`
 * fuses them by bytes, `ring` puts one in each box, `assembly` puts fragments together.
 */
export type SlotKind = 'work' | 'queue' | 'stream' | 'ring' | 'assembly';

export interface SlotSpec {
  readonly kind: SlotKind;
  readonly stations: readonly string[];
  /** Shown above it; work has none where the row says it all. */
  readonly title: string;
  /** Where that is too long. */
  readonly shortTitle?: string;
  /** Its part of the lane's width. */
  readonly weight: number;
  /** Only there in runs that have a queue of this kind. */
  readonly isOptional?: boolean;
}

export interface LaneSpec {
  readonly rx: readonly SlotSpec[];
  readonly tx: readonly SlotSpec[];
}

export interface RowSpec {
  readonly name: RowName;
  readonly label: string;
  readonly sentence: string;
  /** From the top down: the upper lane is nearer to the process. */
  readonly lanes: readonly LaneSpec[];
}

const work = (title: string, weight: number, ...stations: string[]): SlotSpec => ({
  kind: 'work',
  stations,
  title,
  weight,
});

const queue = (kind: SlotKind, station: string, weight = 1): SlotSpec => ({
  kind,
  stations: [station],
  title: station,
  weight,
});

const optional = (slot: SlotSpec): SlotSpec => ({ ...slot, isOptional: true });

export const ROWS: readonly RowSpec[] = [
  {
    name: 'process',
    label: 'user process',
    sentence: 'The program that reads and writes, and its system calls.',
    lanes: [{ rx: [work('', 1, 'process')], tx: [work('', 1, 'send call')] }],
  },
  {
    name: 'socket',
    label: 'socket queues',
    sentence: 'Where data wait for the process to read them, or for the stack to send them.',
    lanes: [
      {
        rx: [queue('stream', 'receive queue')],
        tx: [{ ...queue('queue', 'write queue'), shortTitle: 'write' }],
      },
      {
        rx: [
          optional({ ...queue('queue', 'socket backlog'), shortTitle: 'backlog' }),
          optional({ ...queue('queue', 'out-of-order queue'), shortTitle: 'out of order' }),
          optional(queue('queue', 'prequeue')),
        ],
        tx: [],
      },
    ],
  },
  {
    name: 'transport',
    label: 'TCP · UDP',
    sentence: 'The transport layer: ports, order, acknowledgements.',
    lanes: [
      {
        rx: [work('', 1, 'TCP', 'UDP', 'transport')],
        tx: [work('', 1, 'TCP send', 'UDP send', 'transport send')],
      },
    ],
  },
  {
    name: 'ip',
    label: 'IP',
    sentence: 'The internet layer: addresses, routes, fragments.',
    lanes: [
      { rx: [work('', 1, 'IP')], tx: [work('', 1, 'IP send')] },
      { rx: [optional(queue('assembly', 'reassembly'))], tx: [] },
    ],
  },
  {
    name: 'softirq',
    label: 'softirq · NAPI',
    sentence: 'The kernel’s deferred work: it polls the device and carries packets up.',
    lanes: [
      {
        rx: [work('net core', 3, 'net core'), optional(queue('queue', 'backlog', 2))],
        tx: [queue('queue', 'qdisc')],
      },
      {
        rx: [work('driver', 2, 'driver'), queue('queue', 'GRO', 3)],
        tx: [work('driver', 1, 'driver send')],
      },
    ],
  },
  {
    name: 'nic',
    label: 'NIC ring',
    sentence: 'Descriptors through which the network card and the driver hand frames over.',
    lanes: [{ rx: [queue('ring', 'rx ring')], tx: [queue('queue', 'tx ring')] }],
  },
  {
    name: 'wire',
    label: 'wire',
    sentence: 'The link outside the machine.',
    lanes: [
      {
        rx: [queue('queue', 'wire')],
        tx: [{ ...work('wire out', 1, 'wire out'), shortTitle: 'out' }],
      },
    ],
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
