/** What is made ahead is made once, and ended where it is not wanted. */
import { expect, test } from 'vitest';
import type { Outcome } from '../core/core.ts';
import { fakeHandle } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import { Ahead } from './ahead.ts';

/** A simulator that tells what it begins and ends; a scenario called “bad” fails. */
function simulator() {
  const log: string[] = [];
  const tells: (() => void)[] = [];
  const ahead = new Ahead((scenario, onProgress, signal): Promise<Outcome<RunHandle>> => {
    log.push(`begin ${scenario}`);
    signal.addEventListener('abort', () => log.push(`end ${scenario}`));
    tells.push(() => onProgress(undefined));
    if (scenario === 'bad') return Promise.resolve({ kind: 'failed', message: 'no', details: [] });
    const run = fakeHandle({});
    const told = (focus?: number) => {
      log.push(`told ${scenario}`);
      return run.told(focus);
    };
    const value = { ...run, told, close: () => void log.push(`close ${scenario}`) };
    return Promise.resolve({ kind: 'ok', value });
  });
  const run = (scenario: string, onProgress = () => undefined) =>
    ahead.run(scenario, onProgress, new AbortController().signal);
  return { ahead, log, tells, run };
}

test('a run that was made ahead is not made again, and then belongs to who asked', async () => {
  const { ahead, log, run } = simulator();
  ahead.prepare('a');
  ahead.prepare('a');
  expect((await run('a')).kind).toBe('ok');
  ahead.prepare(undefined);
  expect(log).toEqual(['begin a', 'told a']);
  await run('a');
  expect(log).toEqual(['begin a', 'told a', 'begin a']);
});

test('one that is wanted no longer is ended, and its worker with it', async () => {
  const { ahead, log, run } = simulator();
  ahead.prepare('a');
  ahead.prepare('b');
  await run('b');
  expect(log.filter((act) => act.startsWith('told'))).toEqual(['told a', 'told b']);
  expect(log).toEqual(expect.arrayContaining(['end a', 'close a']));
  expect(log).not.toContain('close b');
});

test('another scenario is made anew, and what is ahead stays', async () => {
  const { ahead, log, run } = simulator();
  ahead.prepare('a');
  await run('b');
  await run('a');
  expect(log.filter((act) => act.startsWith('begin'))).toEqual(['begin a', 'begin b']);
});

test('one that could not be made ahead is tried again when it is asked for', async () => {
  const { ahead, log, run } = simulator();
  ahead.prepare('bad');
  expect((await run('bad')).kind).toBe('failed');
  expect(log).toEqual(['begin bad', 'begin bad']);
});

test('its progress is told from the time at which somebody waits for it', async () => {
  const { ahead, tells, run } = simulator();
  let heard = 0;
  ahead.prepare('a');
  tells[0]?.();
  const coming = run('a', () => {
    heard += 1;
    return undefined;
  });
  tells[0]?.();
  await coming;
  expect(heard).toBe(1);
});
