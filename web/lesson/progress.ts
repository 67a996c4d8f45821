/**
 * How far a learner is, kept in the browser and nowhere else: for each lesson the step, what was
 * answered, and whether it was finished. What is stored and cannot be read is as if it were not
 * there.
 */
import * as v from 'valibot';

const ProgressSchema = v.object({
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** By the id of the question: the option that was chosen, or -1 for “show me”. */
  answers: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(-1))),
  isDone: v.boolean(),
});

const StoredSchema = v.object({
  version: v.literal(1),
  lessons: v.record(v.string(), ProgressSchema),
});

export type Progress = v.InferOutput<typeof ProgressSchema>;

export const NO_PROGRESS: Progress = { step: 0, answers: {}, isDone: false };
/** The answer of those who asked to be shown. */
export const SHOWN = -1;

const KEY = 'ringside.lessons';

/** Where it is kept: `ui/kept.ts`, or what a test puts in its place. Neither throws. */
export interface Store {
  readonly kept: (key: string) => string | undefined;
  readonly keep: (key: string, text: string) => void;
}

export function readProgress(store: Store, lesson: string): Progress {
  return stored(store)[lesson] ?? NO_PROGRESS;
}

/** Keeps it; a browser that keeps nothing loses it at the end of the visit, and that is all. */
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
