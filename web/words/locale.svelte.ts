/**
 * Which language the page speaks: the viewer's choice, or the first of the browser's languages
 * that the page has. It is state, and every message asks for it, so a message in a template, a
 * `$derived` or a painter is said anew when the choice changes. Therefore ask for a message where
 * it is shown (`m.place_thing()`), never once in a constant of a module.
 *
 * The messages are `messages/<locale>.json`, keys `place_thing`, parameters in braces; compiled
 * to typed functions in `generated/` (by set-up and by vite, `.ci/words.mjs`). English is whole;
 * what another language lacks is said in English. Numbers come formatted (`web/ui/format.ts`),
 * and a plural is chosen by the number itself: see `count_packets`.
 */
import { setFormatLocale } from '../ui/format.ts';
import { keep, kept } from '../ui/kept.ts';
import {
  baseLocale,
  isLocale,
  locales,
  overwriteGetLocale,
  type Locale,
} from './generated/runtime.js';

export type LocaleChoice = Locale | 'system';

/** Every language the page can be asked to speak, the base first. */
export const localeChoices: readonly LocaleChoice[] = ['system', ...locales];

const STORED = 'ringside.language';

let choice = $state<LocaleChoice>('system');
const locale = $derived(choice === 'system' ? firstKnown(navigator.languages) : choice);

/** What the viewer chose; `system` follows the browser. */
export function localeChoice(): LocaleChoice {
  return choice;
}

/** The language that is spoken now. */
export function currentLocale(): Locale {
  return locale;
}

/** Speaks the language from now on, and after a reload. */
export function chooseLocale(chosen: LocaleChoice): void {
  choice = chosen;
  keep(STORED, chosen);
}

/**
 * Takes up what was chosen before, and lets all messages and numbers follow it; what is stored
 * and not a language is as if it were not there. Until then everything is said in English.
 */
export function restoreLocale(): void {
  overwriteGetLocale(() => locale);
  setFormatLocale(() => locale);
  const stored = kept(STORED);
  choice = stored !== undefined && isLocale(stored) ? stored : 'system';
}

/** The first of the wanted languages that the page has, by its main part: `de-AT` is `de`. */
export function firstKnown(wanted: readonly string[]): Locale {
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale);
  return known ?? baseLocale;
}
