/** The conditions of an entry, shortened to be shown beside its title. */

/** Maximum number of characters beside a title: longer texts are split. */
const LONGEST = 320;

/** The text beside the title, and the rest, shown on request. */
interface Conditions {
  readonly first: string;
  readonly rest: string | undefined;
}

/** Splits a long text after its first sentence. */
export function conditionsOf(text: string): Conditions {
  const end = text.length > LONGEST ? text.search(/\. (?=\p{Lu})/u) : -1;
  if (end < 0) return { first: text, rest: undefined };
  return { first: text.slice(0, end), rest: text.slice(end + 2) };
}
