/**
 * Schemas of what comes as data and not as text: in notes, and in what other windows and pages say.
 */
import * as v from 'valibot';

/** The largest index of the core's columns: the number after it stands for none. */
export const LAST_INDEX = 0xffff_fffe;

/** Nanoseconds of a run, or anything else that is counted. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A packet, or anything else that has a row of its own in the core. */
export const index = v.pipe(whole, v.maxValue(LAST_INDEX));
