/**
 * The parts of the host that settings change, as the core's list says of each: the Lab groups its settings in the
 * order in which a packet reaches those parts.
 */
import type { Setting, SettingValue } from '../core/simulation.ts';
import type { Offered } from './setting-choices.ts';
import { m } from '../words/generated/messages.js';

/** What each part is called. */
export const PLACES = {
  link: m.lab_place_link,
  nic: m.lab_place_nic,
  driver: m.lab_place_driver,
  cpus: m.lab_place_cpus,
  sockets: m.lab_place_sockets,
  processes: m.lab_place_processes,
  observer: m.lab_place_observer,
} as const satisfies Readonly<Record<string, () => string>>;

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

/** The settings by place; those whose place is not known here come last, on their own. Empty places are omitted. */
export function groupsOf(settings: readonly Setting[]): readonly Group[] {
  const groups = Object.entries(PLACES).map(([id, title]) => ({
    id,
    title: title(),
    settings: settings.filter(({ place }) => place === id),
  }));
  const others = settings.filter(({ place }) => !Object.hasOwn(PLACES, place));
  const other = { id: 'other', title: m.lab_place_other(), settings: others };
  return [...groups, other].filter((group) => group.settings.length > 0);
}
