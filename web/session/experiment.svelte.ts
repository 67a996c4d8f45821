/**
 * What the Lab tries out: the scenario in its form and the one it is compared with, each run with
 * several seeds for its figures alone. Every change runs at once; what was run before is kept.
 */
import type { Core, Glossary } from '../core/core.ts';
import type { Comparison, Figures, SoFar } from '../core/figures.ts';
import { canonicalOf, readScenario, writeScenario } from './scenario.ts';

/** Runs of each scenario that differ in their seeds alone. */
export const SEEDS = 6;
/** Figures of so many runs are kept. */
const MOST_KEPT = 200;

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
  readonly #core: Core;
  readonly #machines: () => readonly string[];
  /** Figures by scenario, the oldest first. */
  #kept: Readonly<Record<string, Figures>> = {};
  #before = $state.raw<Side>();
  #after = $state.raw<Side>();
  #comparison = $state.raw<Comparison>();
  #glossary = $state.raw<Glossary>();
  #soFar = $state.raw<SoFar>();
  #isSettled = $state(true);
  #abort = new AbortController();

  constructor(core: Core, machines: () => readonly string[]) {
    this.#core = core;
    this.#machines = machines;
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
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
    const runs = seeds.flatMap((seed) => [
      this.#run(sides, scenario, seed, abort.signal),
      ...(isOne ? [] : [this.#run(sides, before, seed, abort.signal)]),
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

  async #run(sides: Sides, scenario: string, seed: number, signal: AbortSignal): Promise<void> {
    const text = withSeed(scenario, seed);
    if (this.#key(text) in this.#kept) return;
    const onSoFar = (soFar: SoFar) => {
      if (!signal.aborted) this.#soFar = soFar;
    };
    const isFirst = scenario === sides.scenario && seed === 0;
    const outcome = await this.#core.tryOut(
      text,
      signal,
      this.#machines(),
      isFirst ? onSoFar : undefined,
    );
    if (outcome.kind === 'ok') this.#keep(text, outcome.value);
    if (signal.aborted) return;
    if (outcome.kind === 'failed') sides.refused[scenario] = outcome.message;
    this.#show(sides);
    await this.#compare(signal);
  }

  #show({ scenario, before, refused }: Sides): void {
    const side = (text: string): Side => ({
      scenario: text,
      runs: this.#known(text),
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

  /** What has been run of a scenario. */
  #known(scenario: string): readonly Figures[] {
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
    const runs = seeds.map((seed) => this.#kept[this.#key(withSeed(scenario, seed))]);
    return runs.filter((figures) => figures !== undefined);
  }

  /** A machine of one's own may be another one by now. */
  #key(text: string): string {
    return [text, ...this.#machines()].join('\n');
  }

  #keep(text: string, figures: Figures): void {
    const entries = [...Object.entries(this.#kept), [this.#key(text), figures] as const];
    this.#kept = Object.fromEntries(entries.slice(-MOST_KEPT));
  }
}

/** The scenario with the seed that comes so many after its own. */
export function withSeed(text: string, more: number): string {
  const scenario = readScenario(canonicalOf(text));
  return writeScenario({ ...scenario, seed: (scenario.seed ?? 1) + more });
}
