/**
 * The order in which one worker is asked, what is never sent, and the count of what is unanswered.
 * That questions settle when the worker goes away is tested through the client.
 */
import { expect, test } from 'vitest';
import { fakeCalls } from './fake-core.ts';
import { Line, type Urgency } from './line.ts';

/** A line whose questions are words; the test answers them by hand. */
function scene() {
  const sent: string[] = [];
  const answers = new Map<string, () => void>();
  const line = new Line({
    calls: fakeCalls(),
    broken: new Promise(() => undefined),
    end: () => undefined,
  });
  const counts: number[] = [];
  line.watch((count) => counts.push(count));
  const ask = (word: string, urgency: Urgency, signal?: AbortSignal) =>
    line.ask(
      () => {
        sent.push(word);
        return new Promise<string>((resolve) => answers.set(word, () => resolve(word)));
      },
      urgency,
      signal,
    );
  const answer = async (word: string) => {
    answers.get(word)?.();
    await new Promise(setImmediate);
  };
  return { line, ask, answer, sent, counts };
}

test('a frame is sent at once; of the others one at a time, tables last', async () => {
  const { ask, answer, sent } = scene();
  const asked = [
    ask('table', 'later'),
    ask('rows', 'later'),
    ask('lanes', 'soon'),
    ask('frame', 'now'),
  ];
  expect(sent).toEqual(['table', 'frame']);
  await answer('frame');
  expect(sent).toEqual(['table', 'frame']);
  await answer('table');
  expect(sent).toEqual(['table', 'frame', 'lanes']);
  await answer('lanes');
  await answer('rows');
  expect(await Promise.all(asked)).toEqual(['table', 'rows', 'lanes', 'frame']);
});

test('a question that is taken back while it is held back is never sent', async () => {
  const { ask, answer, sent } = scene();
  const taken = new AbortController();
  const first = ask('table', 'later');
  const second = ask('rows', 'later', taken.signal);
  taken.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await answer('table');
  expect([await first, sent]).toEqual(['table', ['table']]);
  await expect(ask('late', 'now', taken.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('what was sent and then taken back holds the next one back until it is answered', async () => {
  const { ask, answer, sent } = scene();
  const taken = new AbortController();
  const first = ask('table', 'later', taken.signal).catch(() => 'taken back');
  const second = ask('rows', 'later');
  taken.abort();
  expect([await first, sent]).toEqual(['taken back', ['table']]);
  await answer('table');
  await answer('rows');
  expect(await second).toBe('rows');
});

test('the count is that of questions without an answer, however they end', async () => {
  const { line, ask, answer, counts } = scene();
  const taken = new AbortController();
  const all = [
    ask('frame', 'now'),
    ask('table', 'later'),
    ask('rows', 'later', taken.signal),
    ask('events', 'later'),
  ].map((one) => one.catch(() => undefined));
  await answer('frame');
  taken.abort();
  line.close();
  await Promise.all(all);
  expect(counts).toEqual([0, 1, 2, 3, 4, 3, 2, 1, 0]);
});

test('what the worker refuses is an error that keeps its saying', async () => {
  const { line } = scene();
  const refusal = { code: 'data.no_name', values: {}, isInferred: false };
  // As it comes from a worker, which hands on what was thrown.
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
  const refused = line.ask(() => Promise.reject(refusal));
  await expect(refused).rejects.toMatchObject({ message: 'data.no_name', refusal });
});
