/**
 * Text that somebody else wrote: which signs of it do harm where it is shown, and the text with those made
 * visible. A link, a file and a note may all hold such signs.
 */

/** Controls, and the signs that turn the direction of what follows. */
export const HARMFUL = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Lines and columns stay: what the core says of a file may have several lines. */
const REPLACED = new RegExp(`(?![\\n\\t])${HARMFUL.source}`, 'gu');

/** The text with a dot for each sign that does harm. */
export function harmless(text: string): string {
  return text.replaceAll(REPLACED, '·');
}
