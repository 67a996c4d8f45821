/**
 * How far the scoreboard moves when a guessed or fitted parameter is a tenth larger, as `npm run
 * sensitivity` measured it (`wasm-core/tests/sensitivity.json`).
 */
import * as v from 'valibot';
import type { Table } from '../ui/csv.ts';
import table from '../../wasm-core/tests/sensitivity.json';

const row = v.object({
  file: v.string(),
  parameter: v.string(),
  /** The day on which it was measured, as `2026-11-23`: the model may have moved since. */
  on: v.string(),
  standing: v.picklist(['guessed', 'fitted']),
  /** Why it could not be moved: then nothing of the rest is there. */
  fixed: v.optional(v.string()),
  /** The numbers whose runs have its file in them. */
  numbers: v.optional(v.number(), 0),
  /** Those of them that changed by more than another seed changes them. */
  moved: v.optional(v.number(), 0),
  /** In percent of what was published: of all of them, and of the one that changed most. */
  median: v.optional(v.number(), 0),
  largest: v.optional(v.number(), 0),
  of: v.optional(v.string(), ''),
  /** Numbers that leave their tolerance by it, and that come into it. */
  lost: v.optional(v.number(), 0),
  gained: v.optional(v.number(), 0),
});

export type Shift = v.InferOutput<typeof row>;

const whole = v.object({ percent: v.number(), rows: v.array(row) });
const { percent, rows } = v.parse(whole, table);

/** By so many percent each was moved. */
export const movedBy = percent;

/** Those that could be moved, the one that moves most first. */
export const shifts: readonly Shift[] = [...rows]
  .filter(({ fixed }) => fixed === undefined)
  .sort((a, b) => b.moved - a.moved || b.median - a.median || b.largest - a.largest);

/** The first day and the last on which one was measured. */
const days = shifts.map(({ on }) => on).sort();
export const measured = { first: days[0] ?? '', last: days.at(-1) ?? '' };

/** How many move nothing at all. */
export const still = shifts.filter(({ moved }) => moved === 0).length;

/** All of them, for scripts; changes in percent. */
export function shiftsTable(): Table {
  return {
    columns: [
      ...['file', 'parameter', 'standing', 'numbers', 'moved', 'median_percent'],
      ...['largest_percent', 'of', 'lost', 'gained', 'measured_on'],
    ],
    rows: shifts.map(({ file, parameter, standing, numbers, moved, median, ...rest }) => [
      ...[file, parameter, standing, numbers, moved, median],
      ...[rest.largest, rest.of, rest.lost, rest.gained, rest.on],
    ]),
  };
}
