/**
 * What is done with forks: one is made and stands beside its parent, one is opened, laid beside its parent or
 * taken away. Each is one step, from a view to a view, that undo goes back by.
 */
import type { Address } from '../session/address.svelte.ts';
import type { Announcer } from '../session/announcer.svelte.ts';
import type { Ringside } from '../session/context.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import {
  altered,
  forked,
  isWithin,
  MOST_FORKS,
  nodeOf,
  pruned,
  scenariosOf,
  type Change,
  type ForkTree,
} from '../session/forks.ts';
import { LONGEST_SCENARIO, momentOf } from '../session/scenario.ts';
import type { Undo } from '../session/undo.ts';
import { patched, type Patch } from '../session/view-changes.ts';
import { m } from '../words/generated/messages.js';

export class Forking {
  readonly #ringside: Ringside;
  readonly #commands: Dispatcher;
  readonly #address: Address;
  readonly #undo: Undo;
  readonly #announcer: Announcer;

  constructor(ringside: Ringside, commands: Dispatcher, address: Address, undo: Undo) {
    this.#ringside = ringside;
    this.#commands = commands;
    this.#address = address;
    this.#undo = undo;
    this.#announcer = ringside.announcer;
  }

  /** Which node stands beside the stage. */
  get beside(): number | undefined {
    const { beside, forks } = this.#ringside;
    const { source } = beside;
    return source?.kind === 'simulated' ? nodeOf(forks.tree, source.scenario) : undefined;
  }

  /** Makes a fork of the run on the stage, beside it, at the moment of the change. */
  make(change: Change): void {
    const { session, forks } = this.#ringside;
    if (session.source?.kind !== 'simulated') return;
    const tree = forks.tree ?? { root: session.source.scenario, forks: [] };
    const here = forks.here ?? 0;
    const grown = this.#turned(tree, here, change) ?? forked(tree, here, change);
    if (grown === undefined) {
      const most = { most: MOST_FORKS, letters: LONGEST_SCENARIO };
      this.#announcer.refuse(m.fork_full(most));
      return;
    }
    const [next, node] = grown;
    const startsAt = session.run?.startsAt ?? 0;
    this.#go('fork.make', {
      forks: next.forks.length === 0 ? undefined : next,
      beside: node === here ? undefined : scenariosOf(next)[node],
      ...(change.kind === 'fault'
        ? { time: Math.max(0, momentOf(change.fault) - startsAt), dwelt: undefined }
        : {}),
    });
  }

  /** A node comes to the stage by itself. */
  open(node: number): void {
    const { tree } = this.#ringside.forks;
    const scenario = tree && scenariosOf(tree)[node];
    if (scenario !== undefined) this.#go('fork.open', { scenario, beside: undefined });
  }

  /** A node's parent comes to the stage, and the node beside it. */
  compare(node: number): void {
    const { tree } = this.#ringside.forks;
    if (tree === undefined) return;
    const scenarios = scenariosOf(tree);
    const parent = tree.forks[node - 1]?.of ?? 0;
    this.#go('fork.compare', { scenario: scenarios[parent], beside: scenarios[node] });
  }

  /** A node is taken away, with what was forked from it; what of it is shown gives way to its parent. */
  remove(node: number): void {
    const { tree, here } = this.#ringside.forks;
    const parent = tree?.forks[node - 1]?.of;
    if (tree === undefined || parent === undefined) return;
    const next = pruned(tree, node);
    const goes = (one: number | undefined) => one !== undefined && isWithin(tree, one, node);
    this.#go('fork.remove', {
      forks: next.forks.length === 0 ? undefined : next,
      ...(goes(here) ? { scenario: scenariosOf(tree)[parent] } : {}),
      ...(goes(here) || goes(this.beside) ? { beside: undefined } : {}),
    });
  }

  /** A handle that is turned on: the fork that stands beside is the one of its last place. */
  #turned(tree: ForkTree, here: number, change: Change): [ForkTree, number] | undefined {
    const node = this.beside;
    const last = node === undefined ? undefined : tree.forks[node - 1];
    if (node === undefined || last?.of !== here || change.kind !== 'setting') return undefined;
    const isSame = last.change.kind === 'setting' && last.change.name === change.name;
    if (!isSame || tree.forks.some(({ of }) => of === node)) return undefined;
    const next = altered(tree, node, change);
    const scenario = scenariosOf(next)[node] ?? '';
    const known = nodeOf(tree, scenario);
    return known === undefined ? [next, node] : undefined;
  }

  #go(id: string, patch: Patch): void {
    const before = this.#commands.view;
    const after = patched(before, patch);
    this.#commands.effect(id, () => {
      // Where there is no room for both, the two runs take the place of the handles.
      if (patch.beside !== undefined) this.#ringside.view.answered('fork');
      this.#undo.visited(id, before, after);
      void this.#address.arrive(after);
    });
  }
}
