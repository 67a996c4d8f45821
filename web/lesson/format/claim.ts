/**
 * The claim of a fact about one measure, as bounds: `throughput@two / throughput@one < 0.9` puts the one
 * below nine tenths of the other. Predictions are drawn and printed from it. Pure text and numbers;
 * measures are evaluated elsewhere.
 */
import type { Comparison, Fact } from './fact.ts';

export interface Claim {
  /** The measure that the fact is about, as written. */
  readonly of: string;
  /** The measure by which the bounds are multiplied, as written; `undefined` if the bounds are absolute. */
  readonly per: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** `undefined` unless the fact bounds a single measure by numbers. */
export function claimOf(fact: Fact): Claim | undefined {
  const subject = fact.terms.find(({ over }) => over.kind === 'measure');
  const [of, per] = subject?.text.split('/').map((part) => part.trim()) ?? [];
  if (of === undefined) return undefined;
  let from = 0;
  let to = Infinity;
  for (const [index, comparison] of fact.comparisons.entries()) {
    const left = fact.terms[index];
    const right = fact.terms[index + 1];
    const number = left === subject ? right : left;
    if (number?.over.kind !== 'number' || comparison === '!=') return undefined;
    const { value } = number.over;
    if (isAbove(comparison) !== (left === subject)) to = value;
    if (isBelow(comparison) !== (left === subject)) from = value;
  }
  return { of, per, from, to };
}

function isAbove(comparison: Comparison): boolean {
  return comparison === '>' || comparison === '>=';
}

function isBelow(comparison: Comparison): boolean {
  return comparison === '<' || comparison === '<=';
}
