/** The source of a parameter, as text. */
import { m } from '../words/generated/messages.js';
import type { Parameter } from '../core/simulation.ts';

/** How reliable it is; the core's word if the page has no translation. */
export function standingOf({ standing, fittedTo }: Parameter): string {
  if (standing === 'fitted') return m.lab_standing_fitted({ numbers: fittedTo.join(', ') });
  const words: Readonly<Record<string, () => string>> = {
    read: m.lab_standing_read,
    measured: m.lab_standing_measured,
    derived: m.lab_standing_derived,
    chosen: m.lab_standing_chosen,
    guessed: m.lab_standing_guessed,
  };
  return words[standing]?.() ?? standing;
}

/** `guessed, 100 to 300`: a guess with its range. */
export function guessOf(parameter: Parameter): string {
  const { range, rangeKind } = parameter;
  const [least = '', most = ''] = range;
  const standing = standingOf(parameter);
  if (range.length === 0) return standing;
  const words: Readonly<Record<Parameter['rangeKind'], () => string>> = {
    numbers: () => m.lab_range_numbers({ least, most }),
    percent: () => m.lab_range_percent({ least, most }),
    choice: () => m.lab_range_choice({ words: range.join(', ') }),
  };
  return `${standing}, ${words[rangeKind]()}`;
}

/** The parameters and sources from which it was derived, with the source's own words. */
export function originOf({ source, restsOn, isSame }: Parameter): string {
  const from = isSame ? m.lab_same_as : m.lab_derived_from;
  // `:cache.kib` is a parameter of the same file.
  const parameters = restsOn.map((to) => to.replace(/^:/, '')).join(', ');
  const references = restsOn.length > 0 ? from({ parameters }) : '';
  return [references, source].filter((part) => part !== '').join(' ');
}
