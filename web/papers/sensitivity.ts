/**
 * How much the scoreboard changes when a guessed or fitted parameter is ten percent larger, as `npm run
 * sensitivity` measured it (`wasm-core/tests/sensitivity.json`).
 */
import * as v from 'valibot';
import type { Table } from '../ui/csv.ts';
import table from '../../wasm-core/tests/sensitivity.json';

const row = v.object({
  file: v.string(),
  parameter: v.string(),
  /** The day on which it was measured, as `2026-11-23`: the model may have changed since. */
  on: v.string(),
  standing: v.picklist(['guessed', 'fitted']),
  /** Why the parameter could not be changed; then the other fields are absent. */
  fixed: v.optional(v.string()),
  /** Number of the board's numbers whose runs use the parameter's file. */
  numbers: v.optional(v.number(), 0),
  /** Number of those that changed by more than another seed changes them. */
  moved: v.optional(v.number(), 0),
  /** Changes in percent of the published value: the median, and the maximum. */
  median: v.optional(v.number(), 0),
  largest: v.optional(v.number(), 0),
  of: v.optional(v.string(), ''),
  /** Numbers that leave their tolerance because of it, and numbers that come within it. */
  lost: v.optional(v.number(), 0),
  gained: v.optional(v.number(), 0),
});

export type Shift = v.InferOutput<typeof row>;

const whole = v.object({ percent: v.number(), rows: v.array(row) });
const { percent, rows } = v.parse(whole, table);

/** Percentage by which each parameter was increased. */
export const movedBy = percent;

/** Parameters that could be changed, the most influential first. */
export const shifts: readonly Shift[] = [...rows]
  .filter(({ fixed }) => fixed === undefined)
  .sort((a, b) => b.moved - a.moved || b.median - a.median || b.largest - a.largest);

/** The first and the last day of a measurement. */
const days = shifts.map(({ on }) => on).sort();
export const measured = { first: days[0] ?? '', last: days.at(-1) ?? '' };

/** Number of parameters without any effect. */
export const still = shifts.filter(({ moved }) => moved === 0).length;

/** The table of all parameters, for scripts; changes in percent. */
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
