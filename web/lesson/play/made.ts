/**
 * The input of a lesson's run on the page: a shipped recording, or a scenario with its changes. The caller
 * opens it, on the stage or elsewhere.
 */
import type { Catalogue } from '../../core/simulation.ts';
import { findRecording, type Recording } from '../../traces/recordings.ts';
import type { RunSource } from '../format/front-matter.ts';
import { scenarioOf, type Played, type Settings } from './source.ts';

export type Made =
  | { readonly kind: 'recording'; readonly recording: Recording; readonly measuredFrom: 0 }
  | ({ readonly kind: 'scenario' } & Played);

/** Finds the input that a source names. Throws an Error if there is none. */
export async function madeOf(
  source: RunSource,
  catalogue: () => Promise<Pick<Catalogue, 'scenarios'>>,
  varied?: Settings,
): Promise<Made> {
  if ('recording' in source) {
    const recording = findRecording(source.recording);
    if (recording === undefined) throw new Error(`There is no recording “${source.recording}”.`);
    return { kind: 'recording', recording, measuredFrom: 0 };
  }
  const { scenarios } = await catalogue();
  const shipped = scenarios.find(({ slug }) => slug === source.scenario);
  if (shipped === undefined) throw new Error(`There is no scenario “${source.scenario}”.`);
  return { kind: 'scenario', ...scenarioOf(shipped.scenario, source, varied) };
}
