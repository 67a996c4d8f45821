/**
 * The part of the host that each setting changes: the Lab groups its settings in the order in which a
 * packet reaches those parts.
 */
import type { Setting, SettingValue } from '../core/simulation.ts';
import type { Offered } from './setting-choices.ts';
import { m } from '../words/generated/messages.js';

const PLACES = [
  {
    id: 'link',
    title: m.lab_place_link,
    settings: [
      'peer',
      'link_mbit',
      'link_delay_us',
      'link_loss_permille',
      'link_reorder_permille',
      'mtu_bytes',
    ],
  },
  {
    id: 'nic',
    title: m.lab_place_nic,
    settings: [
      'irq_affinity',
      'irq_queue',
      'nics',
      'rx_ring',
      'interrupt_delay_us',
      'interrupt_frames',
      'checksum',
      'qdisc',
      'ce_threshold_us',
      'byte_queue_limits',
    ],
  },
  {
    id: 'driver',
    title: m.lab_place_driver,
    settings: [
      'xdp',
      'xdp_port',
      'xdp_permille',
      'gro',
      'rps',
      'firewall_rules',
      'firewall_drops_port',
      'nf_conntrack_max',
    ],
  },
  {
    id: 'cpus',
    title: m.lab_place_cpus,
    settings: ['cpus', 'hyper_threading', 'background_hogs', 'copy'],
  },
  {
    id: 'sockets',
    title: m.lab_place_sockets,
    settings: [
      'connections',
      'send_buffer_bytes',
      'receive_buffer_bytes',
      'largest_buffer_bytes',
      'tcp_congestion_control',
      'tcp_ecn',
    ],
  },
  {
    id: 'processes',
    title: m.lab_place_processes,
    settings: [
      'message_bytes',
      'offered_per_s',
      'process_affinity',
      'process_cpus',
      'busy_poll_us',
      'threads',
      'clients',
    ],
  },
  { id: 'observer', title: m.lab_place_observer, settings: ['watch', 'probes', 'probe_cost_ns'] },
] as const;

/** The most used settings, which come first. */
const HANDLES: ReadonlySet<string> = new Set([
  ...['irq_affinity', 'nics', 'rx_ring', 'cpus'],
  ...['connections', 'message_bytes', 'process_affinity'],
]);

export const isHandle = ({ name }: Setting): boolean => HANDLES.has(name);

/**
 * The values of settings, and the callback to change one; `undefined` restores the default of machine and
 * kernel.
 */
export interface Turned {
  readonly values: Readonly<Record<string, SettingValue>>;
  readonly offeredOf: (setting: Setting) => Offered;
  readonly problemOf: (name: string) => string | undefined;
  readonly onchange: (name: string, value: SettingValue | undefined) => void;
  /** A number is being typed. */
  readonly ontype: (name: string, value: SettingValue | undefined) => void;
}

export interface Group {
  readonly id: string;
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** The settings by place; those without one come last, on their own. Empty places are omitted. */
export function groupsOf(settings: readonly Setting[]): readonly Group[] {
  const placed: ReadonlySet<string> = new Set(PLACES.flatMap((place) => place.settings));
  const groups = PLACES.map(({ id, title, settings: names }) => ({
    id,
    title: title(),
    settings: names.flatMap((name) => settings.find((setting) => setting.name === name) ?? []),
  }));
  const others = settings.filter(({ name }) => !placed.has(name));
  const other = { id: 'other', title: m.lab_place_other(), settings: others };
  return [...groups, other].filter((group) => group.settings.length > 0);
}

/** All settings that have a place. */
export const PLACED: readonly string[] = PLACES.flatMap(({ settings }) => settings);
