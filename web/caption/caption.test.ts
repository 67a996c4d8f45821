/** Which caption stands when, and what it says at each level. */
import { expect, test } from 'vitest';
import { FAKE_SAID, FAKE_TOLD } from '../core/fake-core.ts';
import type { Saying } from '../core/saying.ts';
import {
  briefLinesOf,
  isBrief,
  linesOf,
  tellingAt,
  wasRead,
  withMore,
  withoutWhy,
} from './caption.ts';

const say = ({ code }: Saying) => code;

/** Beats at these seconds of film, of which some are chosen to be read, from some second on. */
const toldOf = (beats: readonly number[], captions: readonly (readonly [number, number])[]) => ({
  ...FAKE_TOLD,
  beats: { ...FAKE_TOLD.beats, film: Float64Array.from(beats) },
  captions: {
    film: Float64Array.from(captions, ([film]) => film),
    beat: Uint32Array.from(captions, ([, beat]) => beat),
  },
});

test('paused or stepped the last beat stands, while film runs what was chosen to be read', () => {
  const at = (film: number, isRunning: boolean) => tellingAt(FAKE_TOLD, film, isRunning, 1);
  expect([at(-1, true), at(-1, false)]).toEqual([undefined, undefined]);
  expect(at(0.5, true)).toEqual({ read: 0, now: 0, isBehind: false });
  expect(at(6, false)).toEqual({ read: 2, now: 2, isBehind: false });
});

test('a caption stands until it has been read, and so does what follows it', () => {
  // The second of two beats of one moment is read; the fourth comes while the third is read late.
  const told = toldOf([0, 0, 1, 1.6, 2.2, 4.6], [[0, 1], [1.4, 2]]); // prettier-ignore
  const at = (film: number, pace = 1) => tellingAt(told, film, true, pace);
  expect(at(0.5)).toEqual({ read: 1, now: 1, isBehind: false });
  expect(at(1.2)).toEqual({ read: 1, now: 2, isBehind: true });
  expect(at(1.5)).toEqual({ read: 2, now: 2, isBehind: false });
  expect(at(3.7)).toEqual({ read: 2, now: 4, isBehind: true });
  // It has been read by now; what comes 0.8 s later waits until that has been read, too.
  expect([at(3.9)?.read, at(4.7)?.read, at(6.1)?.read, at(6.3)?.read]).toEqual([4, 4, 4, 5]);
  expect(at(4, 2)).toEqual({ read: 2, now: 4, isBehind: true });
});

test('who still waits where the sentence says is not left behind when another packet moves', () => {
  const told = toldOf([0, 1, 3], [[1, 1]]); // prettier-ignore
  const ofPackets = (packets: readonly number[]) => ({
    ...told,
    actors: { film: Float64Array.of(0), packet: Uint32Array.of(7) },
    beats: { ...told.beats, packet: Uint32Array.from(packets) },
  });
  const at = (packets: readonly number[]) => tellingAt(ofPackets(packets), 3.2, true, 1);
  expect(at([7, 7, 8])).toEqual({ read: 1, now: 2, isBehind: false });
  expect(at([7, 7, 7])).toEqual({ read: 1, now: 2, isBehind: true });
});

test('what was read while the film stood keeps its form when it runs', () => {
  const told = toldOf([0, 1, 1.5], [[0, 0], [1, 1]]); // prettier-ignore
  const was = (film: number, begunAt?: number) => {
    const telling = tellingAt(told, film, true, 1);
    return telling && wasRead(telling, told, begunAt, undefined);
  };
  expect([was(0.2, 0.1), was(1.2, 0.1), was(0.2)]).toEqual([true, false, false]);
  // It stands on, but the picture has gone on.
  expect(was(1.6, 1.2)).toBe(false);
});

test('a sentence about the picture comes after what explains the beat', () => {
  const lines = { what: 'GRO', why: 'It is held.', isInferred: false, isBehind: false };
  expect(withMore(lines, 'So far 9 frames.').why).toBe('It is held. So far 9 frames.');
  expect(withMore({ ...lines, why: '' }, 'So far 9 frames.').why).toBe('So far 9 frames.');
  expect(withMore(lines, undefined)).toBe(lines);
});

test('what would stand for a blink before the next caption does not come', () => {
  const told = toldOf([0, 2, 3.2], [[0, 0], [3.2, 2]]); // prettier-ignore
  expect([2.3, 2.5, 3.1, 3.2].map((film) => tellingAt(told, film, true, 1)?.read)).toEqual([
    ...[0, 0, 0, 2],
  ]);
});

test('of several beats of one moment the one of the packet that is looked at is told', () => {
  const told = toldOf([0, 5, 5, 5], []);
  const packets = { ...told, beats: { ...told.beats, packet: Uint32Array.of(1, 225, 293, 293) } };
  const read = (focus?: number) => tellingAt(packets, 5.5, false, 1, focus)?.read;
  expect([read(225), read(293), read(1), read()]).toEqual([1, 3, 3, 3]);
});

test('paused, what another packet did before is not told beside the packet that is followed', () => {
  // Packet 61 is dropped at second 5, and packet 154 is followed from second 2 on.
  const told = {
    ...toldOf([0, 2, 5], []),
    pieces: {
      film: Float64Array.of(0, 10),
      time: Float64Array.of(0, 1000),
      kind: Uint8Array.of(0),
    },
    actors: { film: Float64Array.of(0, 2), packet: Uint32Array.of(3, 154) },
    beats: {
      film: Float64Array.of(0, 2, 5),
      time: Float64Array.of(0, 200, 500),
      packet: Uint32Array.of(3, 154, 61),
    },
  };
  const read = (film: number) => tellingAt(told, film, false, 1)?.read;
  expect([read(1), read(4.9), read(5), read(5.1)]).toEqual([0, 1, 2, 1]);
});

test('paused within a dwell, what happened at its moment is told', () => {
  const told = {
    ...toldOf([0, 2], []),
    pieces: {
      film: Float64Array.of(0, 2, 3, 10),
      time: Float64Array.of(0, 200, 200, 1000),
      kind: Uint8Array.of(0, 2, 0),
    },
    actors: { film: Float64Array.of(0), packet: Uint32Array.of(154) },
    beats: {
      film: Float64Array.of(0, 2),
      time: Float64Array.of(0, 200),
      packet: Uint32Array.of(154, 61),
    },
  };
  const read = (film: number) => tellingAt(told, film, false, 1)?.read;
  expect([read(2.9), read(3.1)]).toEqual([1, 0]);
});

test('of two beats of one moment the one that was chosen is told', () => {
  const told = toldOf([0, 0], [[0, 0]]);
  expect(tellingAt(told, 0.5, true, 1)).toEqual({ read: 0, now: 0, isBehind: false });
});

test('each level says what it has to', () => {
  const said = FAKE_SAID[0];
  if (said === undefined) throw new Error('the fake says something');
  expect(linesOf(said, 'short', say)).toMatchObject({ what: 'told.short.gro', why: '' });
  expect(linesOf(said, 'plain', say)).toMatchObject({ what: 'told.gro', why: 'told.why.ring' });
  expect(linesOf(said, 'kernel', say).why).toBe('told.gro');
  expect(linesOf(withoutWhy(said), 'plain', say)).toMatchObject({ what: 'told.gro', why: '' });
});

test('what is gone or left behind before two sentences are read has a few words and one sentence', () => {
  const told = toldOf([0, 1, 2, 9], [[0, 0], [1.2, 1], [4, 2]]); // prettier-ignore
  const brief = (film: number, pace: number) => isBrief(told, film, pace);
  expect([brief(0.5, 1), brief(2, 1), brief(5, 1)]).toEqual([true, true, false]);
  // At another pace the same film is there for longer, or less long.
  expect([brief(0.5, 0.25), brief(5, 4)]).toEqual([false, true]);
});

test('a few words and their sentence are of one beat', () => {
  const said = FAKE_SAID[0]!;
  const lines = (level: 'short' | 'plain' | 'kernel') => briefLinesOf(said, level, say, false);
  expect(lines('plain')).toMatchObject({ what: 'told.short.gro', why: 'told.gro' });
  expect(lines('kernel').why).toBe('told.gro');
  expect(lines('short')).toMatchObject({ what: 'told.short.gro', why: '' });
});

test('the few words that say it all are followed by what explains it', () => {
  const saying = (code: string) => ({ code, values: {}, isInferred: false });
  const [short, plain] = [saying('told.short.dropped'), saying('told.dropped')];
  const said = { short, plain, kernel: plain, why: saying('told.why.dropped'), isSaidShort: true };
  expect(briefLinesOf(said, 'plain', say, false).why).toBe('told.why.dropped');
  expect(briefLinesOf(withoutWhy(said), 'plain', say, false).why).toBe('told.dropped');
});

test('what the picture has left behind says so', () => {
  const said = FAKE_SAID[0]!;
  expect(linesOf(said, 'plain', say).isBehind).toBe(false);
  const brief = (isBehind: boolean) => briefLinesOf(said, 'plain', say, isBehind).isBehind;
  expect([brief(false), brief(true)]).toEqual([false, true]);
});

test('what is inferred says so, in either line', () => {
  const why = { code: 'told.why.held', values: {}, isInferred: true };
  const plain = { code: 'told.interrupt', values: {}, isInferred: false };
  const said = { short: plain, plain, kernel: plain, why, isSaidShort: false };
  expect(linesOf(said, 'plain', say).isInferred).toBe(true);
  expect(linesOf(said, 'short', say).isInferred).toBe(false);
});
