/**
 * How the scoreboard's numbers read: published as it was printed, modelled with its interval to
 * as many digits as the interval leaves certain, ratios and tolerances as a share.
 */
import { readScenario } from '../session/scenario.ts';
import type { PaperEntry, Published } from '../core/simulation.ts';
import type { Given } from '../scene/papers/beside.ts';
import type { Table } from '../ui/csv.ts';
import { formatDecimals, formatUpTo } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import type { Row } from './pinned.ts';

/** A line of an entry's table: a number with what came of it, or one that waits for its run. */
export interface Line {
  readonly item: string;
  readonly unit: string;
  readonly published: Published;
  readonly result: Row | undefined;
}

/** The model's rows where there are some, else what the study says. */
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

/** A line as it is drawn: what was said in words has no place on an axis. */
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

/** Whether the study drew a figure of the entry: it is drawn again as far as its text states it. */
export function isFigure({ where }: Pick<PaperEntry, 'where'>): boolean {
  return where.startsWith('Figure');
}

/** The numbers of entries, for scripts. */
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
 * `5.43 ± 0.02`; the interval to two digits and the number to as many decimals, but no more than
 * four digits tell. An interval too small for them is none.
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

/** Percent that are told as such: `8.6 %`. */
export function formatPercent(percent: number): string {
  return `${formatUpTo(percent, 1)}\u00a0%`;
}

/** What must be known to judge a line; where an earlier line has the same note, its name. */
export function noteOf(lines: readonly Line[], index: number): string {
  const note = lines[index]?.result?.note ?? '';
  const first = lines.find(({ result }) => result?.note === note);
  const isLong = note.length > LONG_NOTE;
  return isLong && first !== undefined && first !== lines[index]
    ? m.papers_as_for({ item: first.item })
    : note;
}

/** Letters from which on a note is not repeated. */
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

/** The unit that all lines have, for the head of the column; nothing where they differ. */
export function commonUnit(lines: readonly Line[]): string | undefined {
  const [first] = lines;
  return lines.every(({ unit }) => unit === first?.unit) ? first?.unit : undefined;
}

/** A unit as it is printed: `-` is none, and `us` is how a plain text spells it. */
export function formatUnit(unit: string): string {
  return unit === '-' ? '' : unit.replace(/^us\b/, 'µs');
}

/** What it is worth that a number is met. */
export const KIND_NAMES: Readonly<Record<Row['kind'], () => string>> = {
  predicted: m.papers_predicted,
  fitted: m.papers_fitted,
  fudged: m.papers_fudged,
  bound: m.papers_bound,
  given: m.papers_given,
};

/** What is put into the kernel of a scenario, by name. */
export function instrumentationOf(scenario: string): string {
  return readScenario(scenario).instrumentation.join(', ');
}
