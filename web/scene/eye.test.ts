/** Whom the stage follows, as packets come, are put together and end. */
import { expect, test } from 'vitest';
import type { PacketId } from '../core/core.ts';
import type { Told } from '../core/told.ts';
import { eyeAt, isAwaitedAt } from './eye.ts';
import type { Lineage } from './lineage.ts';

function way(packets: readonly PacketId[], from: number, to: number): Lineage {
  return {
    name: String(packets[0]),
    carriers: packets.map((packet, at) => ({ packet, until: at + 1 === packets.length ? to : 50 })),
    way: [{ station: 0, cpu: 0, enter: from, leave: to, service: 0 }],
    end: { time: to, verdict: 'delivered' },
    isSinceLastFragment: false,
  };
}

const ways = new Map([
  [1, way([1, 3], 10, 90)],
  [3, way([3], 40, 90)],
  [7, way([7], 100, 120)],
]);
const at = (
  time: number,
  chosen?: PacketId,
  actor?: PacketId,
  before?: PacketId,
  awaited = false,
) => eyeAt({ chosen, actor, before }, ways, time, awaited);

test('what was chosen is followed while it is under way, then whom the film tells of', () => {
  expect([40, 60, 90].map((time) => at(time, 3, 7))).toEqual([3, 3, 3]);
  expect([at(39, 3, 7), at(91, 3, 7)]).toEqual([7, 7]);
  expect(at(91, 3), 'nobody else is told of').toBe(3);
  expect(at(91, 1, 3), 'what carries it on is told of').toBe(1);
});

test('a chosen packet that comes in a moment is waited for', () => {
  expect(at(39, 3, 7, undefined, true)).toBe(3);
  const beats = {
    film: Float64Array.of(2, 4, 6),
    time: Float64Array.of(20, 40, 60),
    packet: Uint32Array.of(7, 3, 3),
  };
  const told: Told = {
    ...{ opensWith: undefined, opensAt: 0, beats },
    pieces: { film: new Float64Array(), time: new Float64Array(), kind: new Uint8Array() },
    actors: { film: new Float64Array(), packet: new Uint32Array() },
    captions: { film: new Float64Array(), beat: new Uint32Array() },
  };
  const when = [2.4, 2.6, 3.9, 4, 5].map((film) => isAwaitedAt(told, film, 3));
  expect(when).toEqual([false, true, true, false, false]);
  expect(isAwaitedAt(told, 1, undefined)).toBe(false);
});

test('the film goes on with a fragment as its datagram, and no time that was shown changes', () => {
  expect(at(60, undefined, 3, 1)).toBe(1);
  expect(at(60, undefined, 3, 7)).toBe(3);
  expect(at(60, 3, 3, 1), 'unless the datagram itself was chosen').toBe(3);
});
