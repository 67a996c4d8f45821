/** What the palette offers for what was typed. */
import { computeCommandScore } from 'bits-ui';
import { expect, test } from 'vitest';
import { COMMANDS } from '../session/command-list.ts';
import { m } from '../words/generated/messages.js';
import { scoreIn } from './palette-score.ts';

const score = (title: string, typed: string, others: string[] = []) =>
  scoreIn([title, ...others], typed, computeCommandScore(title, typed, others));

test('scattered letters are no hit, words are, and letters left out are a lesser one', () => {
  expect(score(m.command_step_hop_next(), 'export')).toBe(0);
  expect(score(m.command_look_letgo(), 'lesson')).toBe(0);
  const lesson = score('The way of one datagram', 'lesson', ['Lessons']);
  expect(lesson).toBeGreaterThan(0.5);
  expect(score('Zoom to the whole run', 'whole run')).toBeGreaterThan(0.5);
  const left = score('Scheduler', 'schdl');
  expect(left).toBeLessThan(lesson);
});

test('what saves a run is found by what other programs call it', () => {
  for (const typed of ['export', 'download', 'Wireshark', 'pcap', 'Perfetto', 'png']) {
    const found = COMMANDS.map((one) => ({
      id: one.id,
      score: score(one.title(), typed, one.otherWords?.().split(' ')),
    })).filter(({ score }) => score > 0);
    expect(found[0]?.id, typed).toBe('page.save');
    expect(found, typed).toHaveLength(1);
  }
});
