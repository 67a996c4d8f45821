/**
 * The forks of the run on the stage: their tree, what of the run the viewer wants to change, and what came
 * of each fork beside its parent: with several seeds, so that chance is not taken for what the change did.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures } from '../core/figures.ts';
import { nodeOf, scenariosOf, type ForkTree } from './forks.ts';
import type { Session } from './session.svelte.ts';
import { overSeeds, SEEDS, type TriedOut } from './tried-out.ts';

/** What of the run is to be changed: a part of the host, or the packet that is chosen. */
export const PARTS = ['packet', 'link', 'nic', 'driver', 'cpus', 'sockets', 'processes'] as const;
export type ForkPart = (typeof PARTS)[number];

export class Forks {
  readonly #core: Core;
  readonly #session: Session;
  readonly #tried: TriedOut;
  #tree = $state.raw<ForkTree>();
  #part = $state<ForkPart>('packet');
  /** The CPU that was pointed at last. */
  #cpu = $state<number>();
  #comparisons = $state.raw<Readonly<Record<string, Comparison>>>({});
  /** What the core said of scenarios that it does not run, each by its JSON text. */
  #refusals = $state.raw<Readonly<Record<string, string>>>({});
  #glossary = $state.raw<Glossary>();
  #abort = new AbortController();

  constructor(core: Core, session: Session, tried: TriedOut) {
    this.#core = core;
    this.#session = session;
    this.#tried = tried;
  }

  /** The tree that the run on the stage is in; nothing where nothing was forked from it. */
  get tree(): ForkTree | undefined {
    return this.here === undefined ? undefined : this.#tree;
  }
  /** Which node the run on the stage is. */
  get here(): number | undefined {
    const { source } = this.#session;
    return source?.kind === 'simulated' ? nodeOf(this.#tree, source.scenario) : undefined;
  }
  get part(): ForkPart {
    return this.#part;
  }
  get cpu(): number | undefined {
    return this.#cpu;
  }
  /** The words that comparisons need, once there is one. */
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }

  /** Another tree, or none: what of it has not run yet is run for its figures. */
  set(tree: ForkTree | undefined): void {
    this.#tree = tree;
    this.#abort.abort();
    this.#refusals = {};
    if (tree !== undefined) void this.#compareAll(tree);
  }

  /** What is to be changed is there, perhaps on a certain CPU. */
  point(part: ForkPart, cpu?: number): void {
    this.#part = part;
    this.#cpu = cpu ?? this.#cpu;
  }

  /** A fork beside its parent; nothing until both have run, or where one cannot be. */
  comparisonOf(parent: string, fork: string): Comparison | undefined {
    return this.#comparisons[keyOf(parent, fork)];
  }

  /** Why a scenario of the tree cannot be run; nothing while that is not known, or where it can. */
  refusalOf(scenario: string): string | undefined {
    return this.#refusals[scenario];
  }

  async #compareAll(tree: ForkTree): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    const scenarios = scenariosOf(tree);
    this.#glossary ??= await this.#core.glossary();
    for (const [at, { of }] of tree.forks.entries()) {
      const [parent = '', fork = ''] = [scenarios[of], scenarios[at + 1]];
      if (this.comparisonOf(parent, fork) !== undefined) continue;
      const [before, after] = await Promise.all([
        this.#runs(parent, signal),
        this.#runs(fork, signal),
      ]);
      if (before.length < SEEDS || after.length < SEEDS) continue;
      const comparison = await this.#core.compare(before, after);
      if (signal.aborted) return;
      this.#comparisons = { ...this.#comparisons, [keyOf(parent, fork)]: comparison };
    }
  }

  async #runs(scenario: string, signal: AbortSignal): Promise<readonly Figures[]> {
    const runs = overSeeds(scenario).map((text) => this.#tried.run(text, signal));
    const outcomes = await Promise.all(runs);
    const failed = outcomes.find((outcome) => outcome.kind === 'failed');
    if (failed !== undefined && !signal.aborted)
      this.#refusals = { ...this.#refusals, [scenario]: failed.message };
    return outcomes.flatMap((outcome) => (outcome.kind === 'ok' ? [outcome.value] : []));
  }
}

function keyOf(parent: string, fork: string): string {
  return `${parent}\n${fork}`;
}
