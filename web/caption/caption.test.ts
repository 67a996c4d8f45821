/** Which caption stands when, and what it says at each level. */
import { expect, test } from 'vitest';
import { FAKE_SAID, FAKE_TOLD } from '../core/fake-core.ts';
import type { Saying } from '../core/saying.ts';
import { frameOf } from '../scene/testing.ts';
import { NONE } from '../core/core.ts';
import {
  briefLinesOf,
  inViewUntil,
  isBrief,
  isOther,
  linesOf,
  pictureOf,
  readOf,
  tellingAt,
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

test('what the picture shows is said whatever is still read, and soon read itself', () => {
  // The second of two beats of one moment is read; the fourth comes while the third is read late.
  const told = toldOf([0, 0, 1, 1.6, 2.2], [[0, 1], [1.4, 2]]); // prettier-ignore
  const at = (film: number, pace = 1) => tellingAt(told, film, true, pace);
  expect(at(0.5)).toEqual({ read: 1, now: 1, isBehind: false });
  expect(at(1.2)).toEqual({ read: 1, now: 2, isBehind: true });
  expect(at(1.5)).toEqual({ read: 2, now: 2, isBehind: false });
  expect(at(1.7)).toEqual({ read: 2, now: 3, isBehind: true });
  // It has been read by now.
  expect(at(4)).toEqual({ read: 4, now: 4, isBehind: true });
  expect(at(4, 2)).toEqual({ read: 2, now: 4, isBehind: true });
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

test('a sentence of a moment that has passed says so beside the words of this one', () => {
  const [read, now] = [FAKE_SAID[0]!, FAKE_SAID[1]!];
  const lines = (one: typeof now, level: 'short' | 'plain' | 'kernel') =>
    briefLinesOf(one, read, level, say);
  expect(lines(read, 'plain')).toMatchObject({ what: 'told.short.gro', why: 'told.gro' });
  expect(lines(now, 'plain')).toMatchObject({
    what: 'told.short.ip',
    why: 'Just before: told.gro',
  });
  expect(lines(now, 'kernel')).toMatchObject({ what: 'told.ip', why: 'Just before: told.gro' });
  expect(lines(now, 'short')).toMatchObject({ what: 'told.short.ip', why: '' });
  const follows = { ...read, plain: { ...read.plain, code: 'told.follows' } };
  expect(briefLinesOf(now, follows, 'plain', say).why).toBe('told.follows');
  // Another packet moves by now: nobody is told any more that the first one is followed.
  const telling = { read: 0, now: 1, isBehind: true };
  const beats = (packets: readonly number[]) => ({
    ...FAKE_TOLD.beats,
    packet: Uint32Array.from(packets),
  });
  expect(readOf(follows, now, telling, beats([7, 7]))).toBe(follows);
  expect(readOf(follows, now, telling, beats([7, 8]))).toBe(now);
  expect(readOf(read, now, telling, beats([7, 8]))).toBe(read);
  // Its title says that it is another one, where it is about a packet at all.
  const others = [[7, 8], [7, 7], [7, NONE], [NONE, 8]].map((two) => isOther(telling, beats(two))); // prettier-ignore
  expect(others).toEqual([true, false, false, false]);
  const what = briefLinesOf(now, read, 'plain', say, true).what;
  expect(what).toBe('Another packet: told.short.ip');
});

test('the words of a drop stand until they have been read, whatever the picture goes on to', () => {
  const told = toldOf([0, 0.3], [[0, 0]]);
  const saying = (code: string) => ({ code, values: {}, isInferred: false });
  const said = (code: string) => ({
    ...{ plain: saying(code), short: saying(code), kernel: saying(code), why: undefined },
  });
  const [drop, ip] = [said('told.short.dropped'), said('told.short.ip')];
  const at = (film: number, read: typeof drop, pace = 1) => pictureOf(told, film, pace, ip, read);
  expect([at(0.4, drop), at(1.4, drop), at(1.6, drop)]).toEqual([drop, drop, ip]);
  expect([at(0.4, ip), at(2.9, drop, 2), at(3.1, drop, 2)]).toEqual([ip, drop, ip]);
});

test('who is left waiting is said until the next one moves', () => {
  const saying = (code: string) => ({ code, values: {}, isInferred: false });
  const [plain, why] = [saying('told.waits_in_ring'), saying('told.follows')];
  const leaves = { plain, why, short: saying('told.short.follows'), kernel: plain };
  const moves = { ...leaves, plain: saying('told.ip'), short: saying('told.short.ip') };
  expect(briefLinesOf(leaves, leaves, 'plain', say).why).toBe('told.waits_in_ring');
  expect(briefLinesOf(moves, leaves, 'plain', say).why).toBe('told.follows');
  const waits = {
    ...moves,
    plain: saying('told.waits_in_ring'),
    short: saying('told.short.waits'),
  };
  expect(briefLinesOf(waits, moves, 'plain', say).why).toBe('told.waits_in_ring');
});

test('what is inferred says so, in either line', () => {
  const why = { code: 'told.why.held', values: {}, isInferred: true };
  const plain = { code: 'told.interrupt', values: {}, isInferred: false };
  const said = { short: plain, plain, kernel: plain, why };
  expect(linesOf(said, 'plain', say).isInferred).toBe(true);
  expect(linesOf(said, 'short', say).isInferred).toBe(false);
});

test('how long a packet has been in view is counted until it ends, and not after it is gone', () => {
  const until = (time: number, packet: number | undefined) => {
    const going = { packet: 1, at: 'ip' };
    const ended = { packet: 2, at: 'process', until: 700, verdict: 'delivered' };
    return inViewUntil(frameOf(time, [going, ended]), packet, time);
  };
  expect([until(900, 1), until(900, 2)]).toEqual([900, 700]);
  expect([until(900, 3), until(900, undefined)]).toEqual([undefined, undefined]);
});
