/**
 * How a lesson's values read, and where a prediction lies on a bar.
 */
import { formatBitRate, formatBytes, formatNanos, formatNumber } from '../ui/format.ts';
import type { Fact, Term } from './format/fact.ts';
import type { Reveal } from './format/lesson.ts';
import { keyOf, type Value } from './play/measure.ts';

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
  /** Share of the longest bar. */
  readonly length: number;
  /** What was predicted for it, as shares of the longest bar. */
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
  // A prediction without an upper end is drawn to a little beyond everything else.
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

interface Bounds {
  /** The term that the fact speaks of. */
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

/** Where a fact puts its term: `a / b < 0.9` puts a below nine tenths of b. */
function boundsOf(fact: Fact, valueOf: (text: string) => number | undefined): Bounds | undefined {
  const subject = fact.terms.find(({ over }) => over.kind === 'measure');
  if (subject === undefined) return undefined;
  const [over, under] = subject.text.split('/').map((part) => part.trim());
  const unit = under === undefined ? 1 : valueOf(under);
  if (over === undefined || unit === undefined) return undefined;
  let from = 0;
  let to = Infinity;
  for (const [index, comparison] of fact.comparisons.entries()) {
    const left = fact.terms[index];
    const right = fact.terms[index + 1];
    const number = left === subject ? right : left;
    if (number?.over.kind !== 'number') return undefined;
    const isBelow = (comparison === '<' || comparison === '<=') === (left === subject);
    if (isBelow) to = number.over.value * unit;
    else from = number.over.value * unit;
  }
  return { of: over, from, to };
}
