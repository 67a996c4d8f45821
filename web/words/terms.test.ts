/** Where terms stand in a text: whole words, the longest, each once, and nothing of the text is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { m } from './generated/messages.js';
import { overwriteGetLocale } from './generated/runtime.js';
import { withTerms, type TextPart, withPunctuation } from './terms.ts';

const terms = (parts: readonly TextPart[] | undefined) =>
  (parts ?? []).filter(({ about }) => about !== undefined).map(({ text }) => text);

test('a term is a whole word, and the longest that fits', () => {
  const [parts] = withTerms([
    'It is in the socket’s receive queue; tcp_rcv is no TCP, ringing no ring.',
  ]);
  expect(terms(parts)).toEqual(['socket’s', 'receive queue', 'TCP', 'ring']);
});

test('of several texts each term is explained where it comes first', () => {
  const [what, why] = withTerms(['CPU 0 starts the softirq.', 'The softirq empties the ring.']);
  expect([terms(what), terms(why)]).toEqual([['softirq'], ['ring']]);
});

test('German has its own forms', () => {
  overwriteGetLocale(() => 'de');
  try {
    const [parts] = withTerms(['Die Netzwerkkarte schreibt den Frame in den Ring.']);
    expect(terms(parts)).toEqual(['Netzwerkkarte', 'Ring']);
  } finally {
    overwriteGetLocale(() => 'en');
  }
});

test('the parts of any text are the text', () => {
  const word = fc.constantFrom('GRO', 'ring', 'softirqs', ' ', ', ', 'x', '_', 'é', '(', '.*');
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join('');
      const [parts] = withTerms([text]);
      expect((parts ?? []).map((part) => part.text).join('')).toBe(text);
    }),
  );
});

test.each(['en', 'de'] as const)('one thing has one word on every page, in %s', (locale) => {
  overwriteGetLocale(() => locale);
  try {
    expect(m.stage_inferred()).toBe(m.caption_inferred());
    expect(m.finding_inferred()).toBe(m.caption_inferred());
  } finally {
    overwriteGetLocale(() => 'en');
  }
});

test('the signs after a term stay on its line', () => {
  const parts = [
    { text: 'into the ' },
    { text: 'ring', about: 'A ring.' },
    { text: ': 63 frames' },
  ];
  const bound = withPunctuation(parts as Parameters<typeof withPunctuation>[0]);
  expect(bound.map(({ text, tail }) => [text, tail])).toEqual([
    ['into the ', ''],
    ['ring', ':'],
    [' 63 frames', ''],
  ]);
});
