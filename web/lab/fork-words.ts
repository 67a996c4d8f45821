/**
 * The difference between a fork and its parent as text: the fault, or the setting with its old and new
 * value; and why they cannot be compared, if one of the two does not run.
 */
import type { Catalogue } from '../core/simulation.ts';
import type { Trouble } from '../core/trouble.ts';
import { scenariosOf, type ForkTree } from '../session/forks.ts';
import { m } from '../words/generated/messages.js';
import { changesOf } from './changes.ts';
import { faultText } from './fault-words.ts';
import { whyRefused } from './refusal.ts';

/** The name of a node of a tree; the root is the unchanged run. */
export function nodeText(catalogue: Catalogue, tree: ForkTree, node: number): string {
  const fork = tree.forks[node - 1];
  if (fork === undefined) return m.fork_root();
  if (fork.change.kind === 'fault') return faultText(catalogue, fork.change.fault);
  const scenarios = scenariosOf(tree);
  const changes = changesOf(catalogue, scenarios[fork.of] ?? '', scenarios[node] ?? '');
  return changes
    .map(({ title, before, after }) => m.fork_changed({ title, before, after }))
    .join(', ');
}

/** Why a fork cannot be shown next to its parent; `undefined` while both may run. */
export function troubleWith(
  catalogue: Catalogue,
  parent: string,
  fork: string,
  refusalOf: (scenario: string) => Trouble | undefined,
): string | undefined {
  const [before, after] = [refusalOf(parent), refusalOf(fork)];
  if (after !== undefined) return m.lab_result_refused({ why: whyRefused(catalogue, fork, after) });
  if (before === undefined) return undefined;
  return m.lab_result_refused_before({ why: whyRefused(catalogue, parent, before) });
}
