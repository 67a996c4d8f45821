/**
 * The forks of the run on the stage: their tree, the part of the run that the viewer wants to change, and
 * the comparison of each fork with its parent over several seeds, so that chance is not mistaken for an
 * effect.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures } from '../core/figures.ts';
import { nodeOf, scenariosOf, type ForkTree } from './forks.ts';
import type { Session } from './session.svelte.ts';
import { overSeeds, SEEDS, type TriedOut } from './tried-out.ts';
import { troubleIn, type Trouble } from '../core/trouble.ts';

/** What can be changed in the run: a part of the host, or the selected packet. */
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
  /** Why the core refuses scenarios, by their JSON text. */
  #refusals = $state.raw<Readonly<Record<string, Trouble>>>({});
  #glossary = $state.raw<Glossary>();
  #abort = new AbortController();

  constructor(core: Core, session: Session, tried: TriedOut) {
    this.#core = core;
    this.#session = session;
    this.#tried = tried;
  }

  /** The tree that contains the run on the stage; `undefined` if it has no forks. */
  get tree(): ForkTree | undefined {
    return this.here === undefined ? undefined : this.#tree;
  }
  /** Index of the tree's node that is on the stage. */
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
  /** The glossary that comparisons need, once one has been made. */
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }

  /** Sets another tree, or none; scenarios in it that have not run are run for their figures. */
  set(tree: ForkTree | undefined): void {
    this.#tree = tree;
    this.#abort.abort();
    this.#refusals = {};
    if (tree === undefined) return;
    const { signal } = (this.#abort = new AbortController());
    void this.#compareAll(tree, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const trouble = troubleIn(error);
      this.#refusals = Object.fromEntries(scenariosOf(tree).map((one) => [one, trouble]));
    });
  }

  /** Sets the part to change, and perhaps the CPU. */
  point(part: ForkPart, cpu?: number): void {
    this.#part = part;
    this.#cpu = cpu ?? this.#cpu;
  }

  /** The comparison of a fork with its parent; `undefined` until both have run, or if one is refused. */
  comparisonOf(parent: string, fork: string): Comparison | undefined {
    return this.#comparisons[keyOf(parent, fork)];
  }

  /** Why a scenario of the tree is refused; `undefined` if it is accepted or not yet known. */
  refusalOf(scenario: string): Trouble | undefined {
    return this.#refusals[scenario];
  }

  async #compareAll(tree: ForkTree, signal: AbortSignal): Promise<void> {
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
      this.#refusals = { ...this.#refusals, [scenario]: failed };
    return outcomes.flatMap((outcome) => (outcome.kind === 'ok' ? [outcome.value] : []));
  }
}

function keyOf(parent: string, fork: string): string {
  return `${parent}\n${fork}`;
}
