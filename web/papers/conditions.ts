/** The conditions of an entry, short enough to be read beside its title. */

/** So many characters stand beside a title in a few lines: longer texts are parted. */
const LONGEST = 320;

/** What stands beside the title, and what is read by whoever asks how it was measured. */
interface Conditions {
  readonly first: string;
  readonly rest: string | undefined;
}

/** Parts a long text behind its first sentence. */
export function conditionsOf(text: string): Conditions {
  const end = text.length > LONGEST ? text.search(/\. (?=\p{Lu})/u) : -1;
  if (end < 0) return { first: text, rest: undefined };
  return { first: text.slice(0, end), rest: text.slice(end + 2) };
}
