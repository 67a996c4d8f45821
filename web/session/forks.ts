/**
 * A tree of forks: a scenario, and runs that each differ from their parent by one change. It is one value,
 * in a link as JSON: `[{root}, [0, {"at_us":1500,"do":"drop_frame"}], [1, {"rx_ring":64}]]`. A fork follows
 * its parent. Only the core knows what a change means.
 */
import type { SettingValue } from '../core/simulation.ts';
import { m } from '../words/generated/messages.js';
import {
  canonicalOf,
  compacted,
  isFault,
  isSettingValue,
  isTooLong,
  readFault,
  readScenario,
  writeFault,
  writeScenario,
  type Fault,
} from './scenario.ts';
import { inLink, type Form } from './view-state-forms.ts';

export type Change =
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** A setting from the start of the run; nothing: what holds unless it is set. */
  | {
      readonly kind: 'setting';
      readonly name: string;
      readonly value: SettingValue | undefined;
    };

export interface Fork {
  /** Index of its parent: 0 is the root, 1 the first fork. */
  readonly of: number;
  readonly change: Change;
}

export interface ForkTree {
  /** A scenario as JSON text. */
  readonly root: string;
  readonly forks: readonly Fork[];
}

/** Maximum number of forks in a tree, which has to fit into a link. */
export const MOST_FORKS = 20;
/** Maximum length of a tree in a link, in characters. */
const LONGEST_TREE = 4000;

/** The scenario (JSON text) with one more change. */
export function withChange(text: string, change: Change): string {
  const scenario = readScenario(text);
  if (change.kind === 'fault')
    return writeScenario({ ...scenario, faults: [...scenario.faults, change.fault] });
  const others = Object.entries(scenario.settings).filter(([name]) => name !== change.name);
  const set = change.value === undefined ? [] : [[change.name, change.value] as const];
  const settings = Object.fromEntries([...others, ...set]);
  return canonicalOf(writeScenario({ ...scenario, settings }));
}

/** The scenarios of all nodes, root first. */
export function scenariosOf({ root, forks }: ForkTree): readonly string[] {
  const all = [root];
  for (const { of, change } of forks) all.push(withChange(all[of] ?? root, change));
  return all;
}

/** The index of the node with a scenario, if there is one. */
export function nodeOf(tree: ForkTree | undefined, scenario: string): number | undefined {
  if (tree === undefined) return undefined;
  const wanted = canonicalOf(scenario);
  const found = scenariosOf(tree).findIndex((one) => canonicalOf(one) === wanted);
  return found === -1 ? undefined : found;
}

/**
 * Adds a fork, or finds an equal one; returns the tree and the fork's index, `undefined` if the tree or the
 * fork's scenario is more than a link holds.
 */
export function forked(tree: ForkTree, of: number, change: Change): [ForkTree, number] | undefined {
  const scenario = withChange(scenariosOf(tree)[of] ?? tree.root, change);
  const known = nodeOf(tree, scenario);
  if (known !== undefined) return [tree, known];
  const grown = { ...tree, forks: [...tree.forks, { of, change }] };
  return isTooLarge(grown) ? undefined : [grown, grown.forks.length];
}

/** Replaces the change of a fork that has no forks of its own. */
export function altered(tree: ForkTree, node: number, change: Change): ForkTree {
  const forks = tree.forks.map((fork, at) => (at + 1 === node ? { ...fork, change } : fork));
  return { ...tree, forks };
}

/** The tree without a node and its descendants. */
export function pruned(tree: ForkTree, node: number): ForkTree {
  const gone = new Set([node]);
  tree.forks.forEach(({ of }, at) => {
    if (gone.has(of)) gone.add(at + 1);
  });
  const places = new Map<number, number>([[0, 0]]);
  const forks = tree.forks.flatMap((fork, at) => {
    if (gone.has(at + 1)) return [];
    places.set(at + 1, places.size);
    return [{ ...fork, of: places.get(fork.of) ?? 0 }];
  });
  return { ...tree, forks };
}

/** Whether a node is `branch` or a descendant of it. */
export function isWithin({ forks }: ForkTree, node: number, branch: number): boolean {
  for (let at: number | undefined = node; at !== undefined; at = forks[at - 1]?.of)
    if (at === branch) return true;
  return false;
}

function isTooLarge(tree: ForkTree): boolean {
  return (
    tree.forks.length > MOST_FORKS ||
    written(tree).length > LONGEST_TREE ||
    scenariosOf(tree).some(isTooLong)
  );
}

export const aForkTree: Form<ForkTree> = {
  read: (text) => {
    try {
      return readTree(JSON.parse(text));
    } catch {
      return undefined;
    }
  },
  why: () => m.link_why_forks({ most: String(MOST_FORKS) }),
  write: written,
};

function written({ root, forks }: ForkTree): string {
  const rows = forks.map(({ of, change }) => [
    of,
    change.kind === 'fault' ? writeFault(change.fault) : { [change.name]: change.value ?? null },
  ]);
  return inLink(JSON.stringify([JSON.parse(root), ...rows]));
}

function readTree(value: unknown): ForkTree | undefined {
  if (!Array.isArray(value)) return undefined;
  const [first, ...rows] = value as readonly unknown[];
  const root = compacted(JSON.stringify(first));
  const forks = rows.flatMap((row, at) => readFork(row, at) ?? []);
  if (root === undefined || forks.length < rows.length || forks.length === 0) return undefined;
  const tree = { root, forks };
  return isTooLarge(tree) ? undefined : tree;
}

/** Reads a fork of an earlier node. */
function readFork(row: unknown, at: number): Fork | undefined {
  if (!Array.isArray(row) || row.length !== 2) return undefined;
  const [of, what] = row as readonly unknown[];
  if (typeof of !== 'number' || !Number.isInteger(of) || of < 0 || of > at) return undefined;
  if (isFault(what)) return { of, change: { kind: 'fault', fault: readFault(what) } };
  if (typeof what !== 'object' || what === null || Array.isArray(what)) return undefined;
  const [[name, value] = [undefined], ...others] = Object.entries(what) as [string, unknown][];
  if (name === undefined || others.length > 0) return undefined;
  if (value === null) return { of, change: { kind: 'setting', name, value: undefined } };
  return isSettingValue(value) ? { of, change: { kind: 'setting', name, value } } : undefined;
}
