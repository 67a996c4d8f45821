/** Scenarios that are run for their figures alone: each once, as long as its figures are kept. */
import type { Core, Outcome } from '../core/core.ts';
import type { Figures, SoFar } from '../core/figures.ts';
import { canonicalOf, readScenario, writeScenario } from './scenario.ts';

/** Number of runs of a scenario that differ only in their seed. */
export const SEEDS = 6;
/** Maximum number of runs whose figures are kept. */
const MOST_KEPT = 400;

export class TriedOut {
  readonly #core: Core;
  readonly #machines: () => readonly string[];
  /** Figures by scenario and machines, the oldest first. */
  readonly #kept = new Map<string, Figures>();

  constructor(core: Core, machines: () => readonly string[]) {
    this.#core = core;
    this.#machines = machines;
  }

  /** The figures of a scenario (JSON text), if they are kept. */
  known(scenario: string): Figures | undefined {
    return this.#kept.get(this.#key(scenario));
  }

  /** The kept figures of a scenario with its own seed and the following ones, in that order. */
  knownOver(scenario: string): readonly Figures[] {
    return overSeeds(scenario)
      .map((one) => this.known(one))
      .filter((figures) => figures !== undefined);
  }

  /** Runs a scenario unless its figures are known; `onSoFar` receives intermediate results. */
  async run(
    scenario: string,
    signal: AbortSignal,
    onSoFar?: (soFar: SoFar) => void,
  ): Promise<Outcome<Figures>> {
    const known = this.known(scenario);
    if (known !== undefined) return { kind: 'ok', value: known };
    const key = this.#key(scenario);
    const outcome = await this.#core.tryOut(scenario, signal, this.#machines(), onSoFar);
    if (outcome.kind === 'ok') this.#keep(key, outcome.value);
    return outcome;
  }

  #keep(key: string, figures: Figures): void {
    this.#kept.set(key, figures);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** A machine of the viewer's own may have been replaced. */
  #key(scenario: string): string {
    return [scenario, ...this.#machines()].join('\n');
  }
}

/** A scenario with its own seed and with the following ones. */
export function overSeeds(scenario: string): readonly string[] {
  return Array.from({ length: SEEDS }, (_, more) => withSeed(scenario, more));
}

/** The scenario with a seed `more` after its own. */
export function withSeed(text: string, more: number): string {
  const scenario = readScenario(canonicalOf(text));
  return writeScenario({ ...scenario, seed: seedAfter(scenario.seed ?? 1, more) });
}

/** The seed `more` after another; the largest is followed by 0. */
export function seedAfter(seed: number, more: number): number {
  const left = Number.MAX_SAFE_INTEGER - seed;
  return more <= left ? seed + more : more - left - 1;
}
