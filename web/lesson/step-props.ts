/** What a component is told that shows a step of a lesson as it is read: beside the stage, presented, or elsewhere. */
import type { PaperEntry } from '../core/simulation.ts';
import type { Ask, Lesson } from './format/lesson.ts';
import type { Try } from './lesson-session.svelte.ts';
import type { Value } from './play/measure.ts';
import type { Settings } from './play/source.ts';

export interface StepProps {
  readonly lesson: Lesson;
  readonly index: number;
  /** The values that the lesson's bars and tables show. */
  readonly values: Readonly<Record<string, Value>>;
  /** The option that a question was answered with; `undefined` while it is open. */
  readonly answerOf: (ask: string) => number | undefined;
  readonly isAsked: boolean;
  readonly tries: readonly Try[];
  readonly isBusy?: boolean;
  /** The published numbers, once they are there. */
  readonly entries: readonly PaperEntry[];
  /** Takes the answer, where the question is answered in this window. */
  readonly onanswer?: ((ask: Ask, answer: number) => void) | undefined;
  /** Runs a try, where that is done in this window. */
  readonly onrun?: ((settings: Settings) => void) | undefined;
}
