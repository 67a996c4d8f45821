/** The playhead's verbs: where it goes, when it stops, what a step selects. */
import { expect, test } from 'vitest';
import { FAKE_TOLD, fakeHandle } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import { Playhead } from './playhead.svelte.ts';
import { Selection } from './selection.svelte.ts';

function loaded() {
  const selection = new Selection();
  const playhead = new Playhead(selection);
  playhead.load(fakeHandle(), 1000, FAKE_TOLD);
  playhead.setPacing('true');
  playhead.seek(0);
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

test('under a window film stands still, and goes on as it went once that has gone', () => {
  const { playhead } = loaded();
  playhead.seek(5000);
  playhead.play(true);
  playhead.cover(true);
  playhead.tick(500);
  expect([playhead.time, playhead.isPlaying, playhead.isRunning]).toEqual([5000, true, false]);
  playhead.cover(false);
  playhead.tick(500);
  expect([playhead.time, playhead.isRunning]).toEqual([4500, true]);
  // Paused from within the window, it stays so.
  playhead.cover(true);
  playhead.toggle();
  playhead.cover(false);
  expect(playhead.isRunning).toBe(false);
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

test('of quick steps each begins where the one before has come to', async () => {
  const { playhead } = loaded();
  const steps = [1, 2, 3].map(() => playhead.step('event', true));
  const back = playhead.step('event', false);
  const times = [1000, 2000, 3000, 2000];
  expect(await Promise.all([...steps, back])).toMatchObject(times.map((time) => ({ time })));
  expect(playhead.time).toBe(2000);
});

test('a step does not drag back whoever went elsewhere before its answer came, nor end those after it', async () => {
  let answer: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (answer = resolve));
  const step: RunHandle['step'] = (time) =>
    (time === 0 ? slow : Promise.resolve()).then(() => ({ time: time + 10, event: 0, packet: 0 }));
  const playhead = new Playhead(new Selection());
  playhead.load(fakeHandle({}, { step }), 1000, FAKE_TOLD);
  playhead.seek(0);
  const stepped = playhead.step('event', true);
  await Promise.resolve();
  playhead.seek(7000);
  answer();
  expect([await stepped, playhead.time]).toEqual(['moved', 7000]);
  await playhead.step('event', true);
  expect(playhead.time).toBe(7010);
});

test('a hop is asked of the selected packet alone', async () => {
  const selection = new Selection();
  const asked: unknown[] = [];
  const step: RunHandle['step'] = (...question) => {
    asked.push(question);
    return Promise.resolve(undefined);
  };
  const playhead = new Playhead(selection);
  playhead.load(fakeHandle({}, { step }), 1000, FAKE_TOLD);
  selection.select(7);
  await playhead.step('hop', true);
  await playhead.step('drop', false);
  expect(asked).toEqual([
    [1000, 'hop', true, 7],
    [1000, 'drop', false, undefined],
  ]);
});

test('without a selection told film steps from hop to hop of whom it follows, true time of any packet', async () => {
  const hops = { 1: [500, 3000], 9: [1200] } as Readonly<Record<number, readonly number[]>>;
  const step: RunHandle['step'] = (time, _kind, _isForward, packet) => {
    const all = packet === undefined ? Object.values(hops).flat() : (hops[packet] ?? []);
    const next = all.filter((hop) => time < hop).toSorted((a, b) => a - b)[0];
    return Promise.resolve(
      next === undefined ? undefined : { time: next, event: 0, packet: packet ?? 9 },
    );
  };
  const playhead = new Playhead(new Selection());
  playhead.load(fakeHandle({}, { step }), 1000, FAKE_TOLD);
  playhead.seek(1100);
  expect(playhead.actor).toBe(1);
  expect(await playhead.step('hop', true)).toMatchObject({ time: 3000 });
  playhead.seek(1100);
  playhead.setPacing('true');
  expect(await playhead.step('hop', true)).toMatchObject({ time: 1200 });
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

test('told film dwells: film runs while time stands still, forwards and backwards', () => {
  const { playhead } = loaded();
  playhead.setPacing('told');
  playhead.play();
  playhead.tick(1200);
  expect([playhead.time, playhead.film, playhead.actor]).toEqual([1000, 1.2, 1]);
  expect(playhead.piece?.kind).toBe('dwell');
  playhead.tick(800);
  expect([playhead.time, playhead.film]).toEqual([1500, 2]);
  playhead.play(true);
  playhead.tick(1500);
  expect([playhead.time, playhead.film, playhead.actor]).toEqual([500, 0.5, 0]);
});

test('a moment of a dwell is found again by its time and how much of it has passed', () => {
  const { playhead } = loaded();
  playhead.setPacing('told');
  playhead.seek(1000);
  playhead.dwell(0.3);
  expect([playhead.time, playhead.film]).toEqual([1000, 1.3]);
  playhead.seek(2000);
  playhead.dwell(0.3);
  expect(playhead.film).toBe(2.5);
});

test('told film goes faster by its own ladder, and loops by seconds of film', () => {
  const { playhead } = loaded();
  playhead.setPacing('told');
  playhead.faster();
  expect([playhead.pace, playhead.speed]).toEqual([2, 1000]);
  playhead.loopRange({ from: 500, to: 1500 });
  playhead.seek(1000);
  playhead.play();
  playhead.tick(600);
  expect(playhead.film).toBeCloseTo(0.5 + (2.2 - 2), 6);
});

test('told anew from another packet, the moment stays', async () => {
  const selection = new Selection();
  const playhead = new Playhead(selection);
  const focused = {
    ...FAKE_TOLD,
    pieces: { ...FAKE_TOLD.pieces, film: Float64Array.of(0, 2, 2.5, 9) },
  };
  const told = (focus?: number) => Promise.resolve(focus === undefined ? FAKE_TOLD : focused);
  playhead.load(fakeHandle({}, { told }), 1000, FAKE_TOLD);
  playhead.seekFilm(1.2);
  await playhead.tellOf(3);
  expect(playhead.time).toBe(1000);
  expect(playhead.film).toBeCloseTo(2.2, 9);
});

test('told anew where the new film stands still for less or not at all, the moment of the run stays', async () => {
  const shorter = { film: Float64Array.of(0, 1, 1.1, 10.1), time: FAKE_TOLD.pieces.time };
  const none = { film: Float64Array.of(0, 10), time: Float64Array.of(0, 10_000) };
  for (const { pieces, film } of [
    { pieces: { ...shorter, kind: Uint8Array.of(0, 2, 0) }, film: 1.1 },
    { pieces: { ...none, kind: Uint8Array.of(0) }, film: 1 },
  ]) {
    const playhead = new Playhead(new Selection());
    const told = () => Promise.resolve({ ...FAKE_TOLD, pieces });
    playhead.load(fakeHandle({}, { told }), 1000, FAKE_TOLD);
    playhead.seekFilm(1.4);
    await playhead.tellOf(3);
    expect([playhead.time, playhead.film]).toEqual([1000, film]);
  }
});

test('what lies after the time at which it is held is not told by a step', async () => {
  const { playhead } = loaded();
  playhead.hold(4500);
  playhead.seek(3000);
  expect(await playhead.step('event', true)).toMatchObject({ time: 4000 });
  expect(await playhead.step('event', true)).toBeUndefined();
  expect(await playhead.stepFrom('packet', true)).toBeUndefined();
  expect(playhead.time).toBe(4000);
  expect(await playhead.step('event', false)).toMatchObject({ time: 3000 });
});

test('nothing is shown after the time at which it is held, however it is asked for', () => {
  for (const pacing of ['told', 'true'] as const) {
    const { playhead } = loaded();
    playhead.setPacing(pacing);
    playhead.hold(4000);
    playhead.seek(9000);
    expect(playhead.time, pacing).toBe(4000);
    playhead.seekFilm(9);
    expect(playhead.time, pacing).toBe(4000);
    playhead.seek(3500);
    playhead.play();
    playhead.tick(60_000);
    expect([playhead.time, playhead.isPlaying], pacing).toEqual([4000, false]);
    playhead.hold(undefined);
    playhead.seek(9000);
    expect(playhead.time, pacing).toBe(9000);
    playhead.hold(100);
    expect(playhead.time, pacing).toBe(100);
  }
});

test('beats are counted by the seconds that film has run, whatever its pace and direction', () => {
  for (const pace of [0.5, 1, 8]) {
    const { playhead } = loaded();
    playhead.setPacing('told');
    playhead.setPace(pace);
    expect(playhead.beat(4)).toBeUndefined();
    playhead.play();
    playhead.tick(100);
    expect(playhead.beat(4)).toBe(0);
    playhead.tick(160);
    expect(playhead.beat(4)).toBe(1);
    playhead.play(true);
    playhead.tick(50);
    expect([playhead.beat(4), playhead.beat(10)]).toEqual([1, 3]);
    playhead.pause();
    expect(playhead.beat(4)).toBeUndefined();
  }
});
