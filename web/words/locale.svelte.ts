/**
 * Which language the page speaks: the viewer's choice, or the first of the browser's languages
 * that the page has. It is state, and every message asks for it, so a message in a template, a
 * `$derived` or a painter is said anew when the choice changes. Therefore ask for a message where
 * it is shown (`m.place_thing()`), never once in a constant of a module.
 *
 * The messages are `messages/<locale>.json`, keys `place_thing`, parameters in braces; compiled
 * to typed functions in `generated/` (by set-up and by vite, `.ci/words.mjs`). English is whole;
 * what another language lacks is said in English. Numbers come formatted (`web/numbers/format.ts`),
 * and a plural is chosen by the number itself: see `count_packets`.
 */
import { setFormatLocale } from '../numbers/format.ts';
import { keep, kept } from '../storage/kept.ts';
import { learn } from './generated/messages.js';
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
let spoken = $state<Locale>(baseLocale);

/** What the viewer chose; `system` follows the browser. */
export function localeChoice(): LocaleChoice {
  return choice;
}

/** The language that is spoken now. */
export function currentLocale(): Locale {
  return spoken;
}

/**
 * Speaks the language from now on, and after a reload. Where it cannot be fetched, the one that is
 * spoken remains, and the promise is rejected.
 */
export async function chooseLocale(chosen: LocaleChoice): Promise<void> {
  const before = choice;
  choice = chosen;
  try {
    await speak(chosen);
  } catch (trouble) {
    if (choice === chosen) choice = before;
    throw trouble;
  }
  keep(STORED, chosen);
}

/**
 * Takes up what was chosen before, and lets all messages and numbers follow it; what is stored
 * and not a language is as if it were not there. Nothing can be said before it has come.
 */
export async function restoreLocale(): Promise<void> {
  overwriteGetLocale(() => spoken);
  setFormatLocale(() => spoken);
  const stored = kept(STORED);
  choice = stored !== undefined && isLocale(stored) ? stored : 'system';
  await speak(choice);
}

/** Fetches the language of a choice, and speaks it unless another was chosen meanwhile. */
async function speak(chosen: LocaleChoice): Promise<void> {
  const locale = chosen === 'system' ? firstKnown(navigator.languages) : chosen;
  await learn(locale);
  if (choice === chosen) spoken = locale;
}

/** The first of the wanted languages that the page has, by its main part: `de-AT` is `de`. */
export function firstKnown(wanted: readonly string[]): Locale {
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale);
  return known ?? baseLocale;
}
