/**
 * A scenario and the one that it is compared with, each run with several seeds for its figures alone:
 * what the Lab tries out with every change, and two runs of the model that stand beside each other.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures, SoFar } from '../core/figures.ts';
import { canonicalOf } from './scenario.ts';
import { overSeeds, SEEDS, type TriedOut } from './tried-out.ts';

/** One of the two scenarios. */
export interface Side {
  readonly scenario: string;
  /** Its runs so far, the one with the scenario's own seed first. */
  readonly runs: readonly Figures[];
  /** Why it cannot be run. */
  readonly refused: string | undefined;
}

/** What is tried out, as scenarios. */
interface Sides {
  readonly scenario: string;
  readonly before: string | undefined;
  /** Why one of them cannot be run. */
  readonly refused: Record<string, string | undefined>;
}

export class Experiment {
  /** Runs that each side comes to. */
  readonly seeds = SEEDS;
  readonly #core: Core;
  readonly #tried: TriedOut;
  #before = $state.raw<Side>();
  #after = $state.raw<Side>();
  #comparison = $state.raw<Comparison>();
  #glossary = $state.raw<Glossary>();
  #soFar = $state.raw<SoFar>();
  #isSettled = $state(true);
  #abort = new AbortController();

  constructor(core: Core, tried: TriedOut) {
    this.#core = core;
    this.#tried = tried;
  }

  /** What is compared with; nothing where the scenario in the form is that one. */
  get before(): Side | undefined {
    return this.#before;
  }
  get after(): Side | undefined {
    return this.#after;
  }
  /**
   * Of the runs so far on both sides; what of it is noise is known when all have run. Where nothing is compared
   * with, the scenario's runs are both sides: their means are the figures.
   */
  get comparison(): Comparison | undefined {
    return this.#comparison;
  }
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }
  /** What has come so far of the first run of the scenario in the form, while that goes on. */
  get soFar(): SoFar | undefined {
    const { runs, refused } = this.#after ?? {};
    return runs?.length === 0 && refused === undefined ? this.#soFar : undefined;
  }
  /** All has run that was to run, and was compared. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Runs the scenario (JSON text) and, if it is another, the one that it is compared with. */
  async try(scenario: string, before: string | undefined): Promise<void> {
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    const isOne = before === undefined || canonicalOf(before) === canonicalOf(scenario);
    const sides: Sides = { scenario, before: isOne ? undefined : before, refused: {} };
    this.#comparison = undefined;
    this.#soFar = undefined;
    this.#isSettled = false;
    this.#show(sides);
    // What was changed is of most interest: its first run comes before all others.
    const others = isOne ? [] : overSeeds(before);
    const runs = overSeeds(scenario).flatMap((text, at) => [
      this.#run(sides, scenario, text, abort.signal, at === 0),
      ...others
        .slice(at, at + 1)
        .map((other) => this.#run(sides, before ?? '', other, abort.signal)),
    ]);
    this.#glossary ??= await this.#core.glossary();
    await Promise.all(runs);
    await this.#compare(abort.signal);
    if (!abort.signal.aborted) this.#isSettled = true;
  }

  /** Nothing more is wanted. What has come stays. */
  stop(): void {
    this.#abort.abort();
    this.#isSettled = true;
  }

  async #run(
    sides: Sides,
    scenario: string,
    text: string,
    signal: AbortSignal,
    isFirst = false,
  ): Promise<void> {
    if (this.#tried.known(text) !== undefined) return;
    const onSoFar = (soFar: SoFar) => {
      if (!signal.aborted) this.#soFar = soFar;
    };
    const outcome = await this.#tried.run(text, signal, isFirst ? onSoFar : undefined);
    if (signal.aborted) return;
    if (outcome.kind === 'failed') sides.refused[scenario] = outcome.message;
    this.#show(sides);
    await this.#compare(signal);
  }

  #show({ scenario, before, refused }: Sides): void {
    const side = (text: string): Side => ({
      scenario: text,
      runs: this.#tried.knownOver(text),
      refused: refused[text],
    });
    this.#after = side(scenario);
    this.#before = before === undefined ? undefined : side(before);
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const runs = () =>
      [(this.#before ?? this.#after)?.runs ?? [], this.#after?.runs ?? []] as const;
    const [before, after] = runs();
    if (before.length === 0 || after.length === 0) return;
    const comparison = await this.#core.compare(before, after);
    const isLatest = before === runs()[0] && after === runs()[1];
    if (!signal.aborted && isLatest) this.#comparison = comparison;
  }
}
