/** The playhead's verbs: where it goes, when it stops, what a step selects. */
import { expect, test } from 'vitest';
import { fakeHandle } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import { Playhead } from './playhead.svelte.ts';
import { Selection } from './selection.svelte.ts';

function loaded() {
  const selection = new Selection();
  const playhead = new Playhead(selection);
  playhead.load(fakeHandle(), 1000);
  return { playhead, selection };
}

test('plays, pauses, and stops at the end; playing again begins anew', () => {
  const { playhead } = loaded();
  playhead.play();
  playhead.tick(500);
  expect([playhead.time, playhead.isPlaying]).toEqual([500, true]);
  playhead.tick(60_000);
  expect([playhead.time, playhead.isPlaying]).toEqual([10_000, false]);
  playhead.toggle();
  expect([playhead.time, playhead.isPlaying]).toEqual([0, true]);
  playhead.pause();
  playhead.tick(500);
  expect(playhead.time).toBe(0);
});

test('plays backwards from the end', () => {
  const { playhead } = loaded();
  playhead.play(true);
  playhead.tick(1000);
  expect([playhead.time, playhead.isReversed]).toEqual([9000, true]);
});

test('seeks stay within the run', () => {
  const { playhead } = loaded();
  for (const [asked, got] of [
    [-5, 0],
    [1e9, 10_000],
    [77.5, 77.5],
  ] as const) {
    playhead.seek(asked);
    expect(playhead.time).toBe(got);
  }
  playhead.seek(NaN);
  expect(playhead.time).toBe(77.5);
});

test('speeds go by the ladder of the pacing', () => {
  const { playhead } = loaded();
  playhead.faster();
  expect(playhead.speed).toBe(2000);
  playhead.setSpeed(300);
  playhead.slower();
  expect(playhead.speed).toBe(200);
  playhead.setPacing('event');
  playhead.faster();
  expect([playhead.rate, playhead.speed]).toEqual([5, 200]);
});

test('a step pauses, goes there, and selects the packet it was about', async () => {
  const { playhead, selection } = loaded();
  playhead.play();
  await playhead.step('event', true);
  expect([playhead.time, playhead.isPlaying, selection.packet]).toEqual([1000, false, undefined]);
  await playhead.step('packet', true);
  expect([playhead.time, selection.packet]).toEqual([2000, 2]);
  await playhead.step('packet', false);
  expect([playhead.time, selection.packet]).toEqual([1000, 1]);
});

test('a hop is asked of the selected packet alone', async () => {
  const selection = new Selection();
  const asked: unknown[] = [];
  const step: RunHandle['step'] = (...question) => {
    asked.push(question);
    return Promise.resolve(undefined);
  };
  const playhead = new Playhead(selection);
  playhead.load(fakeHandle({}, { step }), 1000);
  selection.select(7);
  await playhead.step('hop', true);
  await playhead.step('drop', false);
  expect(asked).toEqual([
    [0, 'hop', true, 7],
    [0, 'drop', false, undefined],
  ]);
});

test('event pacing gives each event the same film, once the events are known', async () => {
  const { playhead } = loaded();
  playhead.setPacing('event');
  expect(playhead.scale).toBe(1000);
  await new Promise(setImmediate);
  expect(playhead.scale).toBe(2000);
  playhead.play();
  playhead.tick(500);
  expect(playhead.time).toBe(1000);
  playhead.tick(250);
  expect(playhead.time).toBe(1500);
});

test('a loop is kept within the run, and an empty one is none', () => {
  const { playhead } = loaded();
  playhead.loopRange({ from: 9000, to: 99_000 });
  expect(playhead.loop).toEqual({ from: 9000, to: 10_000 });
  playhead.loopRange({ from: 5, to: 5 });
  expect(playhead.loop).toBeUndefined();
});
