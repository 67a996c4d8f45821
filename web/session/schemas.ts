/**
 * Schemas of data that arrive as values, not as text: in notes, and in messages of other windows and pages.
 */
import * as v from 'valibot';

/** The largest index of a row in the core's columns: the next number means none. */
export const LAST_INDEX = 0xffff_fffe;

/** A count, or a time in nanoseconds. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** An index of a packet or of another row of the core's columns. */
export const index = v.pipe(whole, v.maxValue(LAST_INDEX));
