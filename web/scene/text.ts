/**
 * Depths of queues as short texts, and texts cut to a width. Text widths come from the measure that is
 * passed in; `estimate` replaces it where there is no page.
 */
import { formatCount, formatRoundBytes } from '../numbers/format.ts';
import { fragmentsText, framesText, packetsText, tasksText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import type { Measure } from './shapes.ts';

/** A high estimate for tests: no letter of a common sans is wider on average. */
export const estimate: Measure = (text, size, isBold, isMono) =>
  text.length * size * (isMono ? 0.605 : isBold ? 0.6 : 0.56);

/** The text, or as much of its beginning as fits with an ellipsis; empty if not even two letters fit. */
export function fitted(
  text: string,
  width: number,
  measure: Measure,
  size: number,
  isBold = false,
  isMono = false,
): string {
  if (measure(text, size, isBold, isMono) <= width) return text;
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const isFitting = measure(`${text.slice(0, middle).trimEnd()}…`, size, isBold, isMono) <= width;
    if (isFitting) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low).trimEnd()}…`;
}

/** Whether a text is one that `fitted` cut: an ellipsis alone stands for something that is folded. */
export const isCut = (text: string) => text.length > 1 && text.endsWith('…');

/** A sentence in lines, broken between words; a word that is too wide has its own line. */
export function wrapped(
  text: string,
  width: number,
  measure: (line: string) => number,
): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The first text that fits, or an empty one. */
export function firstFitting(
  texts: readonly string[],
  width: number,
  measure: Measure,
  size: number,
  isBold = false,
): string {
  return texts.find((text) => measure(text, size, isBold, false) <= width) ?? '';
}

/**
 * `5 of 256`, `41 of 208 kB`, `3 packets` if no limit is known; `full, 17.4 kB (limit 16.4 kB)` if the last
 * packet admitted exceeded the limit.
 */
export function depthText(depth: number, limit: number, unit: string): string {
  if (limit === 0) return amountText(depth, unit);
  const amount = unit === 'bytes' ? formatRoundBytes : formatCount;
  const [own, whole] = [amount(depth), amount(limit)];
  if (depth > limit) return m.stage_depth_past({ depth: own, limit: whole });
  if (unit !== 'bytes') return m.stage_depth({ depth: own, limit: whole });
  const ending = whole.slice(whole.lastIndexOf(SPACE));
  // A unit that both numbers share is written once.
  const isSame = depth === 0 || own.endsWith(ending);
  return m.stage_depth({ depth: isSame ? (own.split(SPACE)[0] ?? own) : own, limit: whole });
}

/** The space before a unit, as in `numbers/format.ts`. */
const SPACE = '\u00a0';

/** An amount in a queue's unit, which has the core's name (`kernel/queue.rs`). */
export function amountText(amount: number, unit: string): string {
  switch (unit) {
    case 'bytes':
      return formatRoundBytes(amount);
    case 'frames':
      return framesText(amount);
    case 'fragments':
      return fragmentsText(amount);
    case 'tasks':
      return tasksText(amount);
    default:
      return packetsText(amount);
  }
}
