/** What the palette offers for what was typed. */
import { computeCommandScore } from 'bits-ui';
import { expect, test } from 'vitest';
import { scoreIn } from './palette-score.ts';

const score = (title: string, typed: string, others: string[] = []) =>
  scoreIn([title, ...others], typed, computeCommandScore(title, typed, others));

test('scattered letters are no hit, words are, and letters left out are a lesser one', () => {
  expect(score('Next hop of the selected packet', 'export')).toBe(0);
  expect(score('Leave the stage alone', 'lesson')).toBe(0);
  const lesson = score('The way of one datagram', 'lesson', ['Lessons']);
  expect(lesson).toBeGreaterThan(0.5);
  expect(score('Zoom to the whole run', 'whole run')).toBeGreaterThan(0.5);
  const left = score('Scheduler', 'schdl');
  expect(left).toBeLessThan(lesson);
});
