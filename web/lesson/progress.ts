/**
 * A learner's progress, kept only in the browser: for each lesson the step, the answers, and whether it was
 * finished. Unreadable content of the store is ignored.
 */
import * as v from 'valibot';

const ProgressSchema = v.object({
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** By the id of the question: the index of the chosen option, or -1 for “show me”. */
  answers: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(-1))),
  isDone: v.boolean(),
});

const StoredSchema = v.object({
  version: v.literal(1),
  lessons: v.record(v.string(), ProgressSchema),
});

export type Progress = v.InferOutput<typeof ProgressSchema>;

export const NO_PROGRESS: Progress = { step: 0, answers: {}, isDone: false };
/** The answer of learners who asked to be shown. */
export const SHOWN = -1;

const KEY = 'ringside.lessons';

/** The store: `storage/kept.ts`, or a test's replacement. Neither function throws. */
export interface Store {
  readonly kept: (key: string) => string | undefined;
  readonly keep: (key: string, text: string) => void;
}

export function readProgress(store: Store, lesson: string): Progress {
  return stored(store)[lesson] ?? NO_PROGRESS;
}

/** Stores the progress; a browser that stores nothing loses it at the end of the visit. */
export function keepProgress(store: Store, lesson: string, progress: Progress): void {
  const lessons = { ...stored(store), [lesson]: progress };
  store.keep(KEY, JSON.stringify({ version: 1, lessons }));
}

function stored(store: Store): Readonly<Record<string, Progress>> {
  try {
    const result = v.safeParse(StoredSchema, JSON.parse(store.kept(KEY) ?? 'null'));
    return result.success ? result.output.lessons : {};
  } catch {
    return {};
  }
}
