/** What went wrong, in the page’s words. */
import { expect, test } from 'vitest';
import { troubleOf } from './trouble.ts';

test.each([
  ['duration_us is missing', 'Duration, ms: How long it is to run has to stand here.'],
  [
    'duration_us is 1.8446744073709552e+22, must be a whole number from 1 to 60000000',
    'Duration, ms: From 1\u00a0µs to 60\u00a0s.',
  ],
  ['seed is missing', 'seed is missing'],
])('%s', (message, sentence) => {
  expect(troubleOf(message)).toBe(sentence);
});
