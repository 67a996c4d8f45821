/**
 * The scenario of a lesson's run: the shipped one, with the changes of the lesson or of its learner.
 */
import { canonicalOf, readScenario, writeScenario } from '../../session/scenario.ts';
import type { RunSource } from '../format/front-matter.ts';

type ScenarioSource = Extract<RunSource, { readonly scenario: string }>;
export type Settings = NonNullable<ScenarioSource['settings']>;

export interface Played {
  /** The scenario as compact JSON. */
  readonly text: string;
  /** End of the warm-up, in nanoseconds. */
  readonly measuredFrom: number;
}

/** `shipped` with the changes in a lesson's front matter and, on top of these, of a vary step. */
export function scenarioOf(shipped: string, source: ScenarioSource, varied: Settings = {}): Played {
  const scenario = readScenario(shipped);
  const warmupUs = source.warmup_us ?? scenario.warmupUs ?? 0;
  const text = writeScenario({
    ...scenario,
    settings: { ...scenario.settings, ...source.settings, ...varied },
    durationUs: source.duration_us ?? scenario.durationUs,
    warmupUs,
    seed: source.seed ?? scenario.seed,
  });
  return { text: canonicalOf(text), measuredFrom: warmupUs * 1000 };
}
