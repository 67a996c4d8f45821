/** The step of a lesson that one window of the page tells others, and how it is read there. */
import * as v from 'valibot';
import { HELPS } from './variant.ts';

export const ShownStepSchema = v.strictObject({
  lesson: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/)),
  /** From 0. */
  index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  help: v.picklist(HELPS),
  /** The option that its question was answered with, -1 for “show me”; nothing while it is open. */
  answer: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(100))),
});

export type ShownStep = v.InferOutput<typeof ShownStepSchema>;
