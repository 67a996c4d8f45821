/** Which language is spoken, and that every message of it is there in English with the same parameters. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chooseLocale, currentLocale, firstKnown, restoreLocale } from './locale.svelte.ts';

const folder = join(import.meta.dirname, 'messages');

/** A message is a text, or a list of one choice of texts (a plural). */
type Message = string | readonly [{ readonly match: Readonly<Record<string, string>> }];

function messagesOf(locale: string): Readonly<Record<string, Message>> {
  return JSON.parse(readFileSync(join(folder, `${locale}.json`), 'utf8')) as Record<
    string,
    Message
  >;
}

/** What stands in braces, in whichever form of the message, each once. */
function parametersOf(message: Message): readonly string[] {
  const texts = typeof message === 'string' ? [message] : Object.values(message[0].match);
  const names = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  return [...new Set(names)].sort();
}

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'DE'], 'de'],
  [['fr', 'nl'], 'en'],
  [[], 'en'],
])('of the languages %j the page speaks %s', (wanted, spoken) => {
  expect(firstKnown(wanted)).toBe(spoken);
});

test('where the browser keeps nothing the page speaks all the same, and the choice holds', async () => {
  const refuse = () => {
    throw new Error('blocked');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  vi.stubGlobal('navigator', { languages: ['en'] });
  await restoreLocale();
  await chooseLocale('de');
  expect(currentLocale()).toBe('de');
  vi.unstubAllGlobals();
});

const english = messagesOf('en');

test.each(readdirSync(folder).map((name) => name.replace('.json', '')))(
  'every message of %s is one of English, with its parameters',
  (locale) => {
    const wrong = Object.entries(messagesOf(locale)).filter(([key, message]) => {
      const original = english[key];
      return (
        original === undefined || parametersOf(message).join() !== parametersOf(original).join()
      );
    });
    expect(wrong.map(([key]) => `${key}: make it agree with en.json`)).toEqual([]);
  },
);
