/** The choices of a filter: a run may have a hundred thousand flows, of which one page is shown. */

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The properties of a list of choices, with or without search. */
export interface Choosing {
  readonly label: string;
  readonly options: readonly Choice[];
  /** The selected value; `undefined` means any. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Maximum number of choices in a plain list; if there are more, a page of this length is shown. */
export const PAGE = 50;

/** The first page of the choices whose label contains every word of the search, and whether there are more. */
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
