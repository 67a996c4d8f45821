/**
 * The forks of the run on the stage: their tree, what of the run the viewer wants to change, and what came
 * of each fork beside its parent: with several seeds, so that chance is not taken for what the change did.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures } from '../core/figures.ts';
import { SEEDS, withSeed } from './experiment.svelte.ts';
import { nodeOf, scenariosOf, type ForkTree } from './forks.ts';
import type { Session } from './session.svelte.ts';

/** Figures of so many runs are kept. */
const MOST_KEPT = 200;

/** What of the run is to be changed: a part of the host, or the packet that is chosen. */
export const PARTS = ['packet', 'link', 'nic', 'driver', 'cpus', 'sockets', 'processes'] as const;
export type ForkPart = (typeof PARTS)[number];

export class Forks {
  readonly #core: Core;
  readonly #session: Session;
  #tree = $state.raw<ForkTree>();
  #part = $state<ForkPart>('packet');
  /** The CPU that was pointed at last. */
  #cpu = $state<number>();
  #comparisons = $state.raw<Readonly<Record<string, Comparison>>>({});
  #glossary = $state.raw<Glossary>();
  #kept: Readonly<Record<string, Figures>> = {};
  #abort = new AbortController();

  constructor(core: Core, session: Session) {
    this.#core = core;
    this.#session = session;
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

  set(tree: ForkTree | undefined): void {
    this.#tree = tree;
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

  /** Runs what of the tree has not run yet, for its figures. */
  async compareAll(tree: ForkTree): Promise<void> {
    this.#abort.abort();
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

  /** Nothing more is wanted. What has come stays. */
  stop(): void {
    this.#abort.abort();
  }

  async #runs(scenario: string, signal: AbortSignal): Promise<readonly Figures[]> {
    const seeds = Array.from({ length: SEEDS }, (_, seed) => withSeed(scenario, seed));
    const all = await Promise.all(seeds.map((text) => this.#figures(text, signal)));
    return all.filter((figures) => figures !== undefined);
  }

  async #figures(scenario: string, signal: AbortSignal): Promise<Figures | undefined> {
    const known = this.#kept[scenario];
    if (known !== undefined || signal.aborted) return known;
    const outcome = await this.#core.tryOut(scenario, signal, this.#session.machines.texts);
    if (outcome.kind !== 'ok') return undefined;
    const entries = [...Object.entries(this.#kept), [scenario, outcome.value] as const];
    this.#kept = Object.fromEntries(entries.slice(-MOST_KEPT));
    return outcome.value;
  }
}

function keyOf(parent: string, fork: string): string {
  return `${parent}\n${fork}`;
}
