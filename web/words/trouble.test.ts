/** What went wrong, in the page’s words. */
import { afterEach, expect, test } from 'vitest';
import { notPermitted, oneOf, whole } from '../core/fake-core.ts';
import type { Trouble } from '../core/trouble.ts';
import { overwriteGetLocale } from './generated/runtime.js';
import { troubleOf } from './trouble.ts';

afterEach(() => overwriteGetLocale(() => 'en'));

function missing(field: string): Trouble {
  const code = 'scenario.missing';
  const values = { field: { kind: 'name', value: field } } as const;
  return { message: code, refusal: { code, values, isInferred: false } };
}

test.each([
  [missing('duration_us'), 'Duration, ms: How long it is to run has to stand here.'],
  [
    notPermitted('duration_us', '1.8446744073709552e+22', whole(1, 60_000_000)),
    'Duration, ms: From 1\u00a0µs to 60\u00a0s.',
  ],
  [missing('seed'), 'seed is missing'],
  [
    notPermitted('faults.0.us', '-1', whole(1, 1_000_000)),
    'faults.0.us is -1, must be a whole number from 1 to 1,000,000',
  ],
])('%o is told as it is', (trouble, sentence) => {
  expect(troubleOf(trouble)).toBe(sentence);
});

test('a refused scenario is told in German, too', () => {
  overwriteGetLocale(() => 'de');
  expect(troubleOf(missing('seed'))).toBe('seed fehlt');
  expect(troubleOf(notPermitted('machine', '"moon"', oneOf('quick', 'slow')))).toBe(
    'machine ist "moon"; es muss sein: eines von quick, slow',
  );
});
