/** What a caption adds of the picture: how many frames are one packet, who holds a lock and who waits for it. */
import { expect, test } from 'vitest';
import { NO_CPU } from '../core/core.ts';
import { machineOf, NO_MACHINE } from '../scene/machine/testing.ts';
import { frameOf, plain, runOf, words } from '../scene/testing.ts';
import { picturedSentence } from './pictured.ts';

const { glossary } = words;

test('of a packet that GRO has made of several frames it is said of how many', () => {
  const run = runOf([0], []);
  const at = (station: string, parts: number, packet = 7) => {
    const frame = frameOf(0, [{ packet: 7, at: station, parts }]);
    return picturedSentence(frame, { run, glossary }, { packet, stageView: 'way' });
  };
  expect(at('GRO', 1)).toBeUndefined();
  expect(at('GRO', 9)).toBe('GRO has made one packet of 9 frames so far.');
  expect(at('net core', 17)).toBe('It is 17 frames in one: the layers above handle them once.');
  // A datagram of several fragments is told of where it is put together.
  expect(at('UDP', 6)).toBeUndefined();
  expect(at('GRO', 9, 8)).toBeUndefined();
});

test('at the locks it is said who holds the one that most wait for, and who they are', () => {
  const machine = { ...NO_MACHINE, locks: ['runqueue', 'kernel_lock'] };
  const run = runOf([0, 1, 2, 3], [], { machine });
  const said = (holder: number, stageView: 'locks' | 'way' = 'locks') => {
    const locks = [
      [0, 3],
      [1, holder],
    ];
    const spins = [
      [0, 1, 0],
      [1, 2, 0],
      [1, 0, 0],
    ];
    const frame = { ...frameOf(0, []), machine: machineOf({ locks, spins }) };
    return picturedSentence(frame, { run, glossary }, { packet: undefined, stageView });
  };
  expect(plain(said(3) ?? '')).toBe('CPU 3 holds kernel_lock; waiting for it: CPU 0, CPU 2.');
  // Between two holders.
  expect(said(NO_CPU)).toBeUndefined();
  expect(said(3, 'way')).toBeUndefined();
});
