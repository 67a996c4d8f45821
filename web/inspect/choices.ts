/** Choices of a filter: a run may have a hundred thousand flows, and a page of them is shown. */

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What a list of choices is given, whether it is searched or not. */
export interface Choosing {
  readonly label: string;
  readonly options: readonly Choice[];
  /** What is chosen; nothing for any. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Up to so many choices make a plain list; of more, a page of this length is shown. */
export const PAGE = 50;

/** The first page of the choices whose label has every word that was typed, and whether there are more. */
export function pageOf(
  choices: readonly Choice[],
  typed: string,
): { readonly shown: readonly Choice[]; readonly areMore: boolean } {
  const words = typed.toLowerCase().split(/\s+/u);
  const shown: Choice[] = [];
  for (const choice of choices) {
    const label = choice.label.toLowerCase();
    if (!words.every((word) => label.includes(word))) continue;
    if (shown.length === PAGE) return { shown, areMore: true };
    shown.push(choice);
  }
  return { shown, areMore: false };
}
