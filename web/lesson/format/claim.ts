/**
 * What a fact claims of one measure, as bounds: `throughput@two / throughput@one < 0.9` puts the one
 * below nine tenths of the other. A prediction is drawn and printed by it. Pure text and numbers; what the
 * measures are worth is not known here.
 */
import type { Comparison, Fact } from './fact.ts';

export interface Claim {
  /** The measure that the fact speaks of, as it is written. */
  readonly of: string;
  /** The measure in which its bounds are counted, as it is written; nothing: they are numbers of their own. */
  readonly per: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** Nothing where a fact bounds no one measure by numbers. */
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
