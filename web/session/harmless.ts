/**
 * Text by other authors: which characters are harmful to display, and the text with those made visible.
 * Links, files and notes may contain such characters.
 */

/** Control characters, and those that change the direction of the following text. */
export const HARMFUL = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Tabs and newlines are kept: the core's messages about a file may have several lines. */
const REPLACED = new RegExp(`(?![\\n\\t])${HARMFUL.source}`, 'gu');

/** The text with a dot in place of each harmful character. */
export function harmless(text: string): string {
  return text.replaceAll(REPLACED, '·');
}
