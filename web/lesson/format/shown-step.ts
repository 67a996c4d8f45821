/** The step of a lesson that one window of the page tells others, and how it is read there. */
import * as v from 'valibot';
import { HELPS } from './variant.ts';

const value = v.union([v.number(), v.pipe(v.string(), v.maxLength(200))]);

const TrySchema = v.strictObject({
  settings: v.record(v.string(), v.union([value, v.boolean()])),
  values: v.array(value),
  isMet: v.boolean(),
});

export const ShownStepSchema = v.strictObject({
  lesson: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/)),
  /** From 0. */
  index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
  help: v.picklist(HELPS),
  /** By question: the option that it was answered with, -1 for “show me”; without those that are open. */
  answers: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(100))),
  /** What has been tried where a step lets settings be changed. */
  tries: v.pipe(v.array(TrySchema), v.maxLength(100)),
  /** Whether the lesson has come to its end. */
  isOver: v.boolean(),
});

export type ShownStep = v.InferOutput<typeof ShownStepSchema>;
