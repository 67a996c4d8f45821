/**
 * Formats the scoreboard's numbers: the published value as printed, the modelled one with its interval to
 * as many digits as the interval makes significant, ratios and tolerances in percent.
 */
import { readScenario } from '../session/scenario.ts';
import type { PaperEntry, Published } from '../core/simulation.ts';
import type { Given } from '../scene/papers/beside.ts';
import type { Table } from '../ui/csv.ts';
import { formatDecimals, formatUpTo } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import type { Row } from './pinned.ts';

/** A line of an entry's table: a number with its result, or without one until its run. */
export interface Line {
  readonly item: string;
  readonly unit: string;
  readonly published: Published;
  readonly result: Row | undefined;
}

/** The model's rows if there are any, else the study's numbers. */
export function linesOf(entry: PaperEntry, rows: readonly Row[]): readonly Line[] {
  if (rows.length > 0) {
    return rows.map((result) => ({
      item: result.item,
      unit: result.unit,
      published: result.published,
      result,
    }));
  }
  return entry.items.map(({ item, published }) => ({
    item,
    unit: entry.unit,
    published,
    result: undefined,
  }));
}

/** A line as drawn in the figure; a published value in words has no place on the axis. */
export function givenOf({ item, published, result }: Line): Given {
  return {
    item,
    published: bounds(published),
    modelled: result?.modelled,
    interval: result?.interval ?? 0,
  };
}

function bounds(published: Published): Given['published'] {
  if (typeof published === 'string') return undefined;
  return typeof published === 'number' ? [published, published] : published;
}

/** Whether the entry is a figure in the study, which is redrawn as far as the study's text states it. */
export function isFigure({ where }: Pick<PaperEntry, 'where'>): boolean {
  return where.startsWith('Figure');
}

/** The numbers of entries as a table, for scripts. */
export function linesTable(
  entries: readonly (readonly [id: string, lines: readonly Line[]])[],
): Table {
  return {
    columns: [
      ...['entry', 'item', 'unit', 'published', 'published_to', 'modelled', 'interval'],
      ...['ratio', 'kind', 'verdict', 'if', 'modelled_then'],
    ],
    rows: entries.flatMap(([id, lines]) =>
      lines.map(({ item, unit, published, result }) => {
        const [from, to] = bounds(published) ?? [String(published), undefined];
        return [
          ...[id, item, unit, from, to === from ? undefined : to],
          ...[result?.modelled, result?.interval, result?.ratio, result?.kind],
          result?.verdict,
          ...[result?.counterfactual?.what, result?.counterfactual?.modelled],
        ];
      }),
    ),
  };
}

export function formatPublished(published: Published): string {
  if (typeof published === 'string') return published;
  if (typeof published === 'number') return formatFigure(published);
  const [from, to] = published;
  return m.from_to({ from: formatFigure(from), to: formatFigure(to) });
}

/**
 * `5.43 ± 0.02`: the interval with two digits and the number with as many decimals, but at most four
 * digits. An interval below that is left out.
 */
export function formatModelled({ modelled, interval }: Pick<Row, 'modelled' | 'interval'>): string {
  if (modelled === undefined) return '–';
  if (interval <= 0) return formatFigure(modelled);
  const told = modelled === 0 ? Infinity : decimalsFor(modelled, 4);
  const decimals = Math.min(decimalsFor(interval, 2), told);
  if (Number(interval.toFixed(decimals)) === 0) return formatFigure(modelled);
  return `${formatDecimals(modelled, decimals)} ± ${formatDecimals(interval, decimals)}`;
}

/** Four digits, as many as the studies print; larger whole numbers stay whole. */
export function formatFigure(value: number): string {
  return formatUpTo(value, decimalsFor(value, 4));
}

export function formatRatio(ratio: number | undefined): string {
  return ratio === undefined
    ? '–'
    : `× ${ratio >= 9.995 ? formatFigure(ratio) : formatDecimals(ratio, 2)}`;
}

/** `± 10 %`. */
export function formatTolerance(tolerance: number): string {
  return `± ${formatFigure(tolerance * 100)}\u00a0%`;
}

/** A value in percent: `8.6 %`. */
export function formatPercent(percent: number): string {
  return `${formatUpTo(percent, 1)}\u00a0%`;
}

/** What one must know to judge a line; if an earlier line has the same long note, a reference to it. */
export function noteOf(lines: readonly Line[], index: number): string {
  const note = lines[index]?.result?.note ?? '';
  const first = lines.find(({ result }) => result?.note === note);
  const isLong = note.length > LONG_NOTE;
  return isLong && first !== undefined && first !== lines[index]
    ? m.papers_as_for({ item: first.item })
    : note;
}

/** Length of a note, in characters, from which it is not repeated. */
const LONG_NOTE = 60;

/** The verdict in a word or two. */
export const VERDICT_NAMES: Readonly<Record<Row['verdict'], () => string>> = {
  within: m.papers_inside,
  missed: m.papers_missed,
  chance: m.papers_by_chance,
};

function decimalsFor(value: number, digits: number): number {
  if (value === 0) return 0;
  return Math.min(6, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

/** The unit of all lines, for the column's head; `undefined` if they differ. */
export function commonUnit(lines: readonly Line[]): string | undefined {
  const [first] = lines;
  return lines.every(({ unit }) => unit === first?.unit) ? first?.unit : undefined;
}

/** A unit as printed: `-` means none, and `us` is the plain-text spelling of µs. */
export function formatUnit(unit: string): string {
  return unit === '-' ? '' : unit.replace(/^us\b/, 'µs');
}

/** The names of the kinds, which say how much it is worth that a number is met. */
export const KIND_NAMES: Readonly<Record<Row['kind'], () => string>> = {
  predicted: m.papers_predicted,
  fitted: m.papers_fitted,
  fudged: m.papers_fudged,
  bound: m.papers_bound,
  given: m.papers_given,
};

/** The names of the instrumentation in a scenario's kernel. */
export function instrumentationOf(scenario: string): string {
  return readScenario(scenario).instrumentation.join(', ');
}
