/**
 * What a lesson needs of an open run: its handle, and the time from which it is measured. The page provides
 * it over a worker, the tests in their own thread.
 */
import type { Glossary, Nanos, Opened } from '../../core/core.ts';
import type { RunQuestions } from '../../core/run.ts';

export interface LessonRun {
  readonly opened: Opened;
  readonly glossary: Glossary;
  readonly questions: Pick<
    RunQuestions,
    'measures' | 'journeys' | 'journeyRows' | 'journey' | 'told' | 'findings' | 'frame' | 'said'
  >;
  /** Start of the measured part: the end of a scenario's warm-up; 0 in a recording. */
  readonly measuredFrom: Nanos;
}

/** Maximum duration of a step's film in seconds, unless the step gives one. */
export const FILM_SECONDS = 12;

/** The index of a word in a list of the glossary. Throws an Error that lists the valid words. */
export function indexOfWord(
  words: readonly { readonly name: string }[],
  name: string,
  called: string,
): number {
  const index = words.findIndex((word) => word.name === name);
  if (index >= 0) return index;
  throw new Error(
    `there is no ${called} “${name}”; there are ${words.map((word) => word.name).join(', ')}`,
  );
}
