/**
 * What a lesson needs of a run that is open: its answers, and from when on it is measured. The
 * page and the tests both give it this, the one over a worker, the other in its own thread.
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
  /** What comes before is not measured: a scenario's warm-up; 0 in a recording. */
  readonly measuredFrom: Nanos;
}

/** How long a step's film is at most where the step does not say. */
export const FILM_SECONDS = 12;

/** The index of a word in a list of the glossary. Throws an Error that names the words there are. */
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
