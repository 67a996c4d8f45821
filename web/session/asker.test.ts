/** Asking what changes faster than it is answered: what is asked, and which answer is kept. */
import { expect, test } from 'vitest';
import { RunGone } from '../core/run.ts';
import { Asker } from './asker.svelte.ts';

const settle = () => new Promise(setImmediate);

/** An asker about words, which the test answers by hand, the oldest first. */
function scene() {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const waiting: { answer: (text: string) => void; refuse: (error: Error) => void }[] = [];
  const asker = new Asker((word: string, signal: AbortSignal) => {
    asked.push(word);
    signals.push(signal);
    return new Promise<string>((answer, refuse) => waiting.push({ answer, refuse }));
  });
  const answer = (text: string) => (waiting.shift()?.answer(text), settle());
  const refuse = (error: Error) => (waiting.shift()?.refuse(error), settle());
  return { asker, asked, signals, answer, refuse };
}

test('one question at a time, the newest next, those between never; the last answer stays', async () => {
  const { asker, asked, answer } = scene();
  for (const word of ['a', 'b', 'c']) asker.want(word);
  expect([asked, asker.isAsking]).toEqual([['a'], true]);
  await answer('A');
  expect([asked, asker.answer]).toEqual([['a', 'c'], 'A']);
  await answer('C');
  expect([asker.answer, asker.isAsking]).toEqual(['C', false]);
  asker.want('c');
  expect(asked).toEqual(['a', 'c']);
});

test('a question that is taken back is ended, and its answer is not taken', async () => {
  const { asker, signals, answer } = scene();
  asker.want('a');
  asker.want(undefined);
  expect(signals[0]?.aborted).toBe(true);
  await answer('A');
  expect([asker.answer, asker.isAsking]).toEqual([undefined, false]);
});

test('taken back and asked again at once: only the second answer counts', async () => {
  const { asker, asked, answer } = scene();
  asker.want('a');
  asker.want(undefined);
  asker.want('a');
  await answer('old');
  expect([asked, asker.answer]).toEqual([['a', 'a'], undefined]);
  await answer('new');
  expect(asker.answer).toBe('new');
});

test('a refusal is kept to be told, but not that the run is gone; the next answer clears it', async () => {
  const { asker, answer, refuse } = scene();
  asker.want('a');
  await refuse(new Error('no such packet'));
  expect(asker.failure).toBe('no such packet');
  asker.want('b');
  await answer('B');
  expect([asker.failure, asker.answer]).toEqual([undefined, 'B']);
  asker.want('c');
  await refuse(new RunGone('broken', 'out of memory'));
  expect([asker.failure, asker.answer]).toEqual([undefined, 'B']);
});
