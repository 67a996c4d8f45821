/**
 * The scenario that a lesson's run plays: the one that ships, with what the lesson or its
 * learner changes.
 */
import { canonicalOf, readScenario, writeScenario } from '../../session/scenario.ts';
import type { RunSource } from '../format/front-matter.ts';

type ScenarioSource = Extract<RunSource, { readonly scenario: string }>;
export type Settings = NonNullable<ScenarioSource['settings']>;

export interface Played {
  /** The scenario as compact JSON. */
  readonly text: string;
  /** Nanoseconds; what comes before is its warm-up. */
  readonly measuredFrom: number;
}

/** `shipped` with the changes of a lesson's head and, over these, of a vary step. */
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
