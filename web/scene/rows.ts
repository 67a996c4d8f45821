/**
 * The lanes of the stage from the process down to the wire, and the place of each station of the kernel in
 * them, as data. The receive path climbs a rail at the left of a CPU's column, the transmit path descends
 * one at its right. Packets being processed stand on their rail; those that wait are in a vessel between
 * the rails, its head next to its rail.
 *
 * Names are the glossary's (`wasm-core/core/src/kernel/station.rs`, `queue.rs`).
 */
import type { RowName } from './shapes.ts';
import { m } from '../words/generated/messages.js';
import { placeWord } from '../words/kernel-words.ts';

/**
 * How a slot shows its packets: `work` is a place on the rail, `queue` lines them up, `stream` joins them
 * by bytes, `ring` puts one in each box, `assembly` puts fragments together.
 */
export type SlotKind = 'work' | 'queue' | 'stream' | 'ring' | 'assembly';

export interface SlotSpec {
  readonly kind: SlotKind;
  readonly stations: readonly string[];
  /** Shown above a vessel; a place on the rail is named by its lane. */
  readonly title: () => string;
  /** The title if the full one does not fit, and the one if even that is too long. */
  readonly shortTitle: () => string;
  readonly leastTitle: () => string;
  /** Its weight when room is divided among the vessels of a lane. */
  readonly weight: number;
}

export interface LaneSpec {
  readonly id: string;
  readonly row: RowName;
  readonly rx: readonly SlotSpec[];
  readonly tx: readonly SlotSpec[];
}

export interface RowSpec {
  readonly name: RowName;
  readonly label: () => string;
  readonly sentence: () => string;
}

const rail = (...stations: string[]): SlotSpec => ({
  kind: 'work',
  stations,
  title: () => '',
  shortTitle: () => '',
  leastTitle: () => '',
  weight: 1,
});

const vessel = (
  kind: SlotKind,
  station: string,
  weight = 1,
  shortTitle: () => string = () => placeWord(station),
  leastTitle: () => string = shortTitle,
): SlotSpec => ({
  ...{ kind, stations: [station], title: () => placeWord(station) },
  ...{ shortTitle, leastTitle, weight },
});

/** A CPU's input queue. A column contains both of the kernel's backlogs, so each is titled by its owner. */
const cpuBacklog: SlotSpec = {
  ...vessel('queue', 'backlog', 3, m.stage_short_backlog, m.stage_least_backlog),
  title: m.stage_short_backlog,
};

/** The rows under their plain names. A function returns each, as the language may change. */
export const ROWS: readonly RowSpec[] = [
  { name: 'process', label: () => placeWord('process'), sentence: m.stage_row_process_what },
  { name: 'socket', label: m.stage_row_socket, sentence: m.stage_row_socket_what },
  { name: 'transport', label: () => placeWord('transport'), sentence: m.stage_row_transport_what },
  { name: 'ip', label: () => placeWord('IP'), sentence: m.stage_row_ip_what },
  { name: 'net-core', label: () => placeWord('net core'), sentence: m.stage_row_net_core_what },
  { name: 'driver', label: () => placeWord('driver'), sentence: m.stage_row_driver_what },
  { name: 'ring', label: m.stage_row_ring, sentence: m.stage_row_ring_what },
  { name: 'wire', label: () => placeWord('wire'), sentence: m.stage_row_wire_what },
];

/** The name of a row, the same on the stage and in explanations. */
export function rowLabel(row: RowName): string {
  return ROWS.find(({ name }) => name === row)?.label() ?? '';
}

/** From the top down: a lane is nearer to the process than those below it. */
export const LANES: readonly LaneSpec[] = [
  {
    id: 'process',
    row: 'process',
    rx: [rail('process')],
    tx: [rail('send call')],
  },
  {
    id: 'socket',
    row: 'socket',
    rx: [
      vessel(
        'stream',
        'receive queue',
        3,
        m.stage_short_receive_queue,
        m.stage_least_receive_queue,
      ),
    ],
    tx: [vessel('queue', 'write queue', 2, m.stage_short_write_queue)],
  },
  {
    id: 'backlog',
    row: 'socket',
    rx: [
      vessel(
        'queue',
        'socket backlog',
        1,
        m.stage_short_socket_backlog,
        m.stage_least_socket_backlog,
      ),
      vessel('queue', 'prequeue', 1, undefined, m.stage_least_prequeue),
      vessel(
        'queue',
        'out-of-order queue',
        1,
        m.stage_short_out_of_order,
        m.stage_least_out_of_order,
      ),
    ],
    tx: [],
  },
  {
    id: 'transport',
    row: 'transport',
    rx: [rail('TCP', 'UDP', 'transport')],
    tx: [rail('TCP send', 'UDP send', 'transport send')],
  },
  {
    id: 'ip',
    row: 'ip',
    rx: [rail('IP'), vessel('assembly', 'reassembly')],
    tx: [rail('IP send')],
  },
  {
    id: 'net-core',
    row: 'net-core',
    rx: [rail('net core'), cpuBacklog],
    tx: [vessel('queue', 'qdisc', 2)],
  },
  {
    id: 'driver',
    row: 'driver',
    rx: [rail('driver', 'XDP'), vessel('queue', 'GRO', 3)],
    tx: [rail('driver send')],
  },
  {
    id: 'ring',
    row: 'ring',
    rx: [vessel('ring', 'rx ring', 3, undefined, m.stage_least_rx_ring)],
    tx: [vessel('ring', 'tx ring', 2, undefined, m.stage_least_tx_ring)],
  },
  {
    id: 'wire',
    row: 'wire',
    rx: [vessel('queue', 'wire')],
    tx: [rail('wire out')],
  },
];

/** The short name of a queue, for places where its full name does not fit. */
export function shortWord(queue: string): string {
  const slots = LANES.flatMap(({ rx, tx }) => [...rx, ...tx]);
  const slot = slots.find(({ kind, stations }) => kind !== 'work' && stations.includes(queue));
  return slot?.shortTitle() ?? placeWord(queue);
}

/** The lane on whose rails a station is; `undefined` for one that is a vessel. */
export function laneOfStation(station: string): string | undefined {
  const isOn = ({ kind, stations }: SlotSpec) => kind === 'work' && stations.includes(station);
  return LANES.find(({ rx, tx }) => [...rx, ...tx].some(isOn))?.id;
}

/** Header shells from the outermost in. */
export const SHELLS = ['shell-link', 'shell-network', 'shell-transport'] as const;

const SHELLS_IN_ROW: Readonly<Record<RowName, number>> = {
  process: 0,
  socket: 0,
  transport: 1,
  ip: 2,
  'net-core': 3,
  driver: 3,
  ring: 3,
  wire: 3,
  caches: 0,
};

/** The number of headers before the payload in this row, in both directions. */
export function shellsIn(row: RowName): number {
  return SHELLS_IN_ROW[row];
}
