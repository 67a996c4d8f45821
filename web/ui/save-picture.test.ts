/** What is written below a saved picture, in lines that fit. */
import { expect, test } from 'vitest';
import { linesOf } from './save-picture.ts';

test('pieces stay together, and what is longer than a line is cut between words', () => {
  expect(linesOf(['one', 'two', 'three'], 11)).toEqual(['one · two', 'three']);
  expect(linesOf(['a b', 'a sentence of words'], 10)).toEqual(['a b · a', 'sentence', 'of words']);
  expect(linesOf([], 10)).toEqual([]);
  expect(linesOf(['unbreakable'], 4)).toEqual(['unbreakable']);
});
