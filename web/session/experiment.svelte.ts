/**
 * A scenario and its baseline, each run with several seeds for its figures alone: the Lab's evaluation of
 * each change, and the comparison of two simulations side by side.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures, SoFar } from '../core/figures.ts';
import { canonicalOf } from './scenario.ts';
import { overSeeds, SEEDS, type TriedOut } from './tried-out.ts';
import { troubleIn, type Trouble } from '../core/trouble.ts';

/** One of the two scenarios with its results. */
export interface Side {
  readonly scenario: string;
  /** Its runs so far, that with the scenario's own seed first. */
  readonly runs: readonly Figures[];
  /** Why it cannot be run, as a sentence. */
  readonly refused: Trouble | undefined;
}

/** The two scenarios. */
interface Sides {
  readonly scenario: string;
  readonly before: string | undefined;
  /** Why a scenario cannot be run, by its JSON text. */
  readonly refused: Record<string, Trouble | undefined>;
}

export class Experiment {
  /** Number of runs of each side, each with another seed. */
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

  /** The baseline; `undefined` if the scenario in the form is the same. */
  get before(): Side | undefined {
    return this.#before;
  }
  get after(): Side | undefined {
    return this.#after;
  }
  /**
   * The comparison of the runs so far; which differences are noise is known once all have finished. Without a
   * baseline the scenario's runs are both sides, and their means are the figures.
   */
  get comparison(): Comparison | undefined {
    return this.#comparison;
  }
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }
  /** Intermediate results of the first run of the scenario in the form, while it runs. */
  get soFar(): SoFar | undefined {
    const { runs, refused } = this.#after ?? {};
    return runs?.length === 0 && refused === undefined ? this.#soFar : undefined;
  }
  /** Whether all runs have finished and were compared. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Runs the scenario (JSON text) and, if it differs, its baseline. */
  async try(scenario: string, before: string | undefined): Promise<void> {
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    const isOne = before === undefined || canonicalOf(before) === canonicalOf(scenario);
    const sides: Sides = { scenario, before: isOne ? undefined : before, refused: {} };
    this.#comparison = undefined;
    this.#soFar = undefined;
    this.#isSettled = false;
    this.#show(sides);
    // The changed scenario matters most: its first run precedes all others.
    const others = isOne ? [] : overSeeds(before);
    const runs = overSeeds(scenario).flatMap((text, at) => [
      this.#run(sides, scenario, text, abort.signal, at === 0),
      ...others
        .slice(at, at + 1)
        .map((other) => this.#run(sides, before ?? '', other, abort.signal)),
    ]);
    try {
      await Promise.all([this.#withGlossary(), ...runs]);
      await this.#compare(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      sides.refused[scenario] = troubleIn(error);
      this.#show(sides);
    } finally {
      if (!abort.signal.aborted) this.#isSettled = true;
    }
  }

  async #withGlossary(): Promise<void> {
    this.#glossary ??= await this.#core.glossary();
  }

  /** Stops the runs; results so far are kept. */
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
    if (outcome.kind === 'failed') sides.refused[scenario] = outcome;
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
