/**
 * The shelf: the recordings of `traces/` and the scenarios of the simulator, in the groups and
 * the order of `traces/index.json`, each with what was drawn of it. What happens in a run was
 * found in the run itself; the filter asks for that, for where it came from, and for words.
 */
import { pictures } from 'virtual:pictures';
import { canonicalOf } from '../session/scenario.ts';
import type { Source } from '../session/session.svelte.ts';
import type { Happening, Shown } from './happenings.ts';
import { findRecording, type Recording } from './recordings.ts';

export type GroupName = 'receiving' | 'cpus' | 'wrong' | 'sending' | 'toolkit' | 'capture';

/** A scenario that comes with the simulator, as its file says it. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Kinds of findings that its text promises, in that order. */
  readonly promises: readonly string[];
  /** JSON text. */
  readonly text: string;
}

export type Item =
  | { readonly kind: 'recorded'; readonly recording: Recording; readonly shown: Shown | undefined }
  | { readonly kind: 'simulated'; readonly scenario: Scenario; readonly shown: Shown | undefined };

/** Whether this is what a run was opened from. */
export function isPlayed(item: Item, source: Source | undefined): boolean {
  if (item.kind === 'recorded')
    return source?.kind === 'bundled' && source.slug === item.recording.slug;
  return (
    source?.kind === 'simulated' && canonicalOf(source.scenario) === canonicalOf(item.scenario.text)
  );
}

/** What the card of a run promises to be found in it; nothing of a run that is not on the shelf. */
export function promisesOf(source: Source | undefined): readonly string[] {
  const item = items.find((one) => isPlayed(one, source));
  if (item === undefined) return [];
  return item.kind === 'recorded' ? item.recording.promises : item.scenario.promises;
}

export interface Group {
  readonly name: GroupName;
  readonly items: readonly Item[];
}

/** What the viewer wants to see of the shelf. */
export interface Wanted {
  readonly origin: 'all' | Item['kind'];
  readonly happenings: ReadonlySet<Happening>;
  readonly words: string;
}

interface Index {
  readonly groups: readonly {
    readonly name: GroupName;
    readonly slugs: readonly string[];
    readonly scenarios?: readonly string[];
  }[];
}

interface ScenarioFile {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly promises: readonly string[];
  readonly scenario: object;
}

const indices = import.meta.glob<Index>('../../traces/index.json', {
  eager: true,
  import: 'default',
});
const scenarios = import.meta.glob<ScenarioFile>('../../wasm-core/data/scenarios/*.json', {
  eager: true,
  import: 'default',
});

/** The shelf, in its order. */
export const shelf: readonly Group[] = Object.values(indices).flatMap(({ groups }) =>
  groups.map((group) => ({
    name: group.name,
    items: [
      ...group.slugs.flatMap((slug) => recordedItem(slug) ?? []),
      ...(group.scenarios ?? []).flatMap((name) => simulatedItem(name) ?? []),
    ],
  })),
);

/** Unique on the shelf: a recording's folder, a scenario's name. */
export function idOf(item: Item): string {
  return item.kind === 'recorded' ? item.recording.slug : item.scenario.name;
}

/** All that stands on it, group after group. */
export const items: readonly Item[] = shelf.flatMap((group) => group.items);

/** What of the shelf a link leads to; nothing where it is a run that is not on it. */
export function itemOf(link: { readonly trace?: string; readonly scenario?: string }) {
  return items.find((item) =>
    item.kind === 'recorded'
      ? item.recording.slug === link.trace
      : item.scenario.text === link.scenario,
  );
}

export function titleOf(item: Item): string {
  return item.kind === 'recorded' ? item.recording.title : item.scenario.title;
}

export function summaryOf(item: Item): string {
  return item.kind === 'recorded' ? item.recording.summary : item.scenario.about;
}

/** The groups with what passes; a group of which nothing does is left out. */
export function filtered(groups: readonly Group[], wanted: Wanted): readonly Group[] {
  return groups
    .map(({ name, items }) => ({ name, items: items.filter((item) => passes(item, wanted)) }))
    .filter(({ items }) => items.length > 0);
}

/** All that is wanted holds: the origin, each happening, and each word somewhere in its texts. */
function passes(item: Item, { origin, happenings, words }: Wanted): boolean {
  if (origin !== 'all' && item.kind !== origin) return false;
  if ([...happenings].some((one) => item.shown?.happens.includes(one) !== true)) return false;
  const text = textOf(item).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function textOf(item: Item): string {
  const further =
    item.kind === 'recorded'
      ? [...item.recording.phenomena, ...item.recording.lookAt, item.recording.kernel]
      : [item.scenario.text];
  return [idOf(item), titleOf(item), summaryOf(item), ...further].join(' ');
}

function recordedItem(slug: string): Item | undefined {
  const recording = findRecording(slug);
  return recording && { kind: 'recorded', recording, shown: pictures[slug] };
}

function simulatedItem(name: string): Item | undefined {
  const file = scenarios[`../../wasm-core/data/scenarios/${name}.json`];
  if (file === undefined) return undefined;
  const { title, about, promises, scenario } = file;
  return {
    kind: 'simulated',
    scenario: { name, title, about, promises, text: JSON.stringify(scenario) },
    shown: pictures[name],
  };
}
