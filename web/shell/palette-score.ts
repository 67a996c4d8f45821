/** How well what was typed into the palette fits an entry. */

/**
 * 0 to 1: an entry that has all typed words comes before one that only has their letters. Letters may be left out
 * of a word; those that are scattered over several words are no hit.
 *
 * @param fuzzy how well the letters fit, 0 to 1
 */
export function scoreIn(texts: readonly string[], typed: string, fuzzy: number): number {
  const all = texts.join(' ').toLowerCase();
  const words = typed.toLowerCase().split(/\s+/u);
  if (words.every((word) => all.includes(word))) return 0.5 + fuzzy / 2;
  const own = all.split(/[^\p{L}\p{N}]+/u);
  const isMeant = words.every((word) => own.some((one) => hasLetters(one, word)));
  return isMeant ? fuzzy / 2 : 0;
}

/** Whether a word begins as what was typed, and has the rest of its letters in their order. */
function hasLetters(word: string, typed: string): boolean {
  if (word[0] !== typed[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === typed[at]) at += 1;
  return at === typed.length;
}
