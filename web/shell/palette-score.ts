/** How well what was typed into the palette fits an entry. */

/** An entry with fewer letters next to each other is not meant. */
const LEAST = 0.1;

/**
 * 0 to 1: an entry that has all typed words comes before one that only has their letters, and one over which these
 * are scattered is not offered.
 *
 * @param fuzzy how well the letters fit, 0 to 1
 */
export function scoreIn(texts: readonly string[], typed: string, fuzzy: number): number {
  const all = texts.join(' ').toLowerCase();
  const words = typed.toLowerCase().split(/\s+/u);
  if (words.every((word) => all.includes(word))) return 0.5 + fuzzy / 2;
  return fuzzy < LEAST ? 0 : fuzzy / 2;
}
