/** Which caption stands when, and what it says at each level. */
import { expect, test } from 'vitest';
import { FAKE_SAID, FAKE_TOLD } from '../core/fake-core.ts';
import type { Saying } from '../core/saying.ts';
import { briefLinesOf, captionAt, isBrief, linesOf, withoutWhy } from './caption.ts';

const say = ({ code }: Saying) => code;

test('while film runs what was chosen to be read stands, else the last beat', () => {
  const captions = (film: number) => [true, false].map((is) => captionAt(FAKE_TOLD, film, is));
  expect([captions(-1), captions(0.5), captions(6)]).toEqual([
    [undefined, undefined],
    [0, 0],
    [1, 2],
  ]);
});

test('each level says what it has to', () => {
  const said = FAKE_SAID[0];
  if (said === undefined) throw new Error('the fake says something');
  expect(linesOf(said, 'short', say)).toMatchObject({ what: 'told.short.gro', why: '' });
  expect(linesOf(said, 'plain', say)).toMatchObject({ what: 'told.gro', why: 'told.why.ring' });
  expect(linesOf(said, 'kernel', say).why).toBe('told.gro');
  expect(linesOf(withoutWhy(said), 'plain', say)).toMatchObject({ what: 'told.gro', why: '' });
});

test('what is gone before two sentences are read has a few words and one sentence', () => {
  const captions = { film: new Float64Array([0, 1.2, 4]), beat: new Uint32Array([0, 1, 2]) };
  const told = { ...FAKE_TOLD, captions };
  const brief = (film: number, pace: number) => isBrief(told, film, pace);
  expect([brief(0.5, 1), brief(2, 1), brief(5, 1)]).toEqual([true, false, false]);
  // At another pace the same film is there for longer, or less long.
  expect([brief(0.5, 0.25), brief(2, 2)]).toEqual([false, true]);
  const said = FAKE_SAID[0];
  if (said === undefined) throw new Error('the fake says something');
  expect(briefLinesOf(said, say)).toMatchObject({ what: 'told.short.gro', why: 'told.gro' });
});

test('what is inferred says so, in either line', () => {
  const why = { code: 'told.why.held', values: {}, isInferred: true };
  const plain = { code: 'told.interrupt', values: {}, isInferred: false };
  const said = { short: plain, plain, kernel: plain, why };
  expect(linesOf(said, 'plain', say).isInferred).toBe(true);
  expect(linesOf(said, 'short', say).isInferred).toBe(false);
});
