/**
 * One noun for each layer: a frame on the link, a packet in the kernel (an sk_buff), a fragment of IP, a segment
 * of TCP, a datagram of UDP. A newcomer takes two words for two things, so the messages have no third one for
 * what was cut: it is fragments or segments where the layer is known, and packets where it may be either.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import de from './messages/de.json';
import en from './messages/en.json';

/** The texts of a message, without the names of its values. */
function textsOf(message: unknown): readonly string[] {
  if (typeof message === 'string') return [message.replace(/\{\w+\}/g, '')];
  if (Array.isArray(message)) return message.flatMap(textsOf);
  const match = (message as { readonly match?: Readonly<Record<string, unknown>> }).match ?? {};
  return Object.values(match).flatMap(textsOf);
}

const OTHER_WORDS = [
  { locale: 'en', messages: en, word: /\b(?:piece|chunk)s?\b/i },
  { locale: 'de', messages: de, word: /\b(?:Stück|Bruchstück|Teilstück)(?:e|en|s)?\b/ },
] as const;

test.each(OTHER_WORDS)('what was cut has no other word, in $locale', ({ messages, word }) => {
  const wrong = Object.entries(messages).filter(([, message]) =>
    textsOf(message).some((text) => word.test(text)),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

/** Without a question's name, which stored answers go by. */
const lessons = readdirSync('lessons', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({
    path,
    text: readFileSync(join('lessons', path), 'utf8').replace(/\{id=\w+|question: \w+/g, ''),
  }));

test('lessons call what was cut by the same words', () => {
  expect(lessons.length).toBeGreaterThan(3);
  const wrong = lessons.filter(({ text }) => OTHER_WORDS[0].word.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test.each([en, de])('what waits in reassembly is called a fragment', (messages) => {
  const ofReassembly = [
    messages.say_told_fragment,
    messages.say_told_whole,
    messages.say_told_waits_in_reassembly,
    messages.say_told_why_missing_one,
    messages.say_told_short_fragment,
    messages.measure_fragments,
  ];
  for (const text of ofReassembly) expect(text).toMatch(/fragment/i);
});
