/**
 * Formats a lesson's values, places predictions on bars, and combines the rows of its tables.
 */
import {
  formatBitRate,
  formatBytes,
  formatCount,
  formatNanos,
  formatNumber,
  formatShare,
} from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { claimOf } from './format/claim.ts';
import type { Fact, Term } from './format/fact.ts';
import type { Ask, Compare, Lesson, Reveal } from './format/lesson.ts';
import { countKeyOf, keyOf, type Value } from './play/measure.ts';

export function formatValue({ dimension }: Pick<Term, 'dimension'>, value: Value): string {
  if (typeof value === 'string') return value;
  switch (dimension) {
    case 'time':
      return formatNanos(value);
    case 'rate':
      return formatBitRate(value / 8);
    case 'bytes':
      return formatBytes(value);
    case 'number':
    case 'word':
      return formatNumber(value);
  }
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** Fraction of the longest bar. */
  readonly length: number;
  /** The predicted range, as fractions of the longest bar. */
  readonly predicted: { readonly from: number; readonly to: number } | undefined;
}

/** The bars of a reveal, with the prediction of a fact such as `throughput@two / throughput@one < 0.9`. */
export function barsOf(
  { bars }: Reveal,
  shown: string,
  values: Readonly<Record<string, Value>>,
  predicted: Fact | undefined,
): readonly Bar[] {
  const known = bars.map(({ label, term }) => ({
    label,
    term,
    value: Number(values[keyOf(shown, term)] ?? 0),
  }));
  const bound =
    predicted && boundsOf(predicted, (text) => known.find(({ term }) => term.text === text)?.value);
  const ends = [bound?.from ?? 0, Number.isFinite(bound?.to ?? 0) ? (bound?.to ?? 0) : 0];
  // A prediction without an upper bound is drawn slightly beyond everything else.
  const longest = Math.max(
    ...known.map(({ value }) => value),
    ...ends.map((end) => end * 1.15),
    1e-9,
  );
  return known.map(({ label, term, value }) => ({
    label,
    value,
    text: formatValue(term, value),
    length: value / longest,
    predicted:
      bound !== undefined && bound.of === term.text
        ? { from: bound.from / longest, to: Math.min(1, bound.to / longest) }
        : undefined,
  }));
}

/** A row of the table: a published number, the prediction, the values from runs. */
export interface Compared {
  readonly id: string;
  readonly item: string;
  readonly published: string;
  /** The learner's prediction; `undefined` if there was no question or no answer. */
  readonly predicted: string | undefined;
  readonly recorded: Found | undefined;
  readonly simulated: Found | undefined;
}

/** The value from a run, with its ratio to the published number. */
export interface Found {
  readonly text: string;
  readonly share: string;
  /** The number of packets that it rests on. */
  readonly count: string;
}

/** What a table needs of the lesson besides the step's own comparisons. */
export interface Told {
  readonly lesson: Pick<Lesson, 'runs' | 'steps'>;
  /** The name of the run that the step shows. */
  readonly shown: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly answerOf: (ask: string) => number | undefined;
}

/** The rows of a table; a number that is compared with several runs has one row. */
export function comparedOf(compares: readonly Compare[], told: Told): readonly Compared[] {
  const rows = new Map<string, Compared>();
  for (const compare of compares) {
    const { entry, item, measure } = compare;
    const id = `${entry} ${item}`;
    const published = Number(told.values[`published: ${id}`] ?? 0);
    const value = told.values[keyOf(told.shown, measure)] ?? 0;
    const found = {
      text: formatValue(measure, value),
      share: formatShare(Number(value), published),
      count: formatCount(Number(told.values[countKeyOf(told.shown, measure)] ?? 0)),
    };
    const row = rows.get(id);
    rows.set(id, {
      ...{ id, item: compare.label ?? item, published: formatValue(measure, published) },
      predicted: row?.predicted ?? predictionOf(compare, told),
      recorded: isRecorded(compare, told) ? found : row?.recorded,
      simulated: isRecorded(compare, told) ? row?.simulated : found,
    });
  }
  return [...rows.values()];
}

/** The questions that a step's comparisons refer to, each once. */
export function askedOf(compares: readonly Compare[], { steps }: Pick<Lesson, 'steps'>): Ask[] {
  const wanted = new Set(compares.map(({ ask }) => ask));
  return steps.flatMap(({ ask }) => (ask !== undefined && wanted.has(ask.id) ? ask : []));
}

function isRecorded({ measure: { over } }: Compare, { lesson, shown }: Told): boolean {
  const source = lesson.runs[(over.kind === 'measure' ? over.run : undefined) ?? shown];
  return source !== undefined && 'recording' in source;
}

function predictionOf(compare: Compare, told: Told): string | undefined {
  const [ask] = askedOf([compare], told.lesson);
  const option = ask?.options[told.answerOf(ask.id) ?? -1];
  const known = (text: string) => told.values[`${told.shown}: ${text}`];
  const bounds = option && boundsOf(option.fact, (text) => Number(known(text)));
  if (bounds === undefined) return undefined;
  const { measure } = compare;
  const [from, to] = [formatValue(measure, bounds.from), formatValue(measure, bounds.to)];
  if (bounds.to === Infinity) return m.lesson_above({ value: from });
  if (bounds.from <= 0) return m.lesson_below({ value: to });
  return from === to ? from : m.lesson_between({ from, to });
}

interface Bounds {
  /** The measure that the fact is about. */
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

/** The bounds that a fact sets for its measure, in the measure's unit. */
function boundsOf(fact: Fact, valueOf: (text: string) => number | undefined): Bounds | undefined {
  const claim = claimOf(fact);
  const unit = claim?.per === undefined ? 1 : valueOf(claim.per);
  if (claim === undefined || unit === undefined || Number.isNaN(unit)) return undefined;
  return { of: claim.of, from: claim.from * unit, to: claim.to * unit };
}
