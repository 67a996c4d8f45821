/** The way of a packet and of its carriers has one name and one end. */
import { expect, test } from 'vitest';
import { NONE } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import { carrierAt, lineageOf } from './lineage.ts';

const nothing = { code: '', values: {}, isInferred: false };

/** A received packet at one station; what is not given is as of any. */
function journey(packet: number, name: string, given: Partial<Journey>): Journey {
  const [start, end] = [given.start ?? 0, given.end ?? 0];
  return {
    ...{ packet, name, label: nothing, ending: nothing, direction: 'rx', flow: '', bytes: 0 },
    ...{ start, end, payload: 0, parts: 1, verdict: 'open', dropReason: NONE, service: 0, wait: 0 },
    ...{ mergedInto: NONE, cutFrom: NONE, partPackets: [], partNames: [] },
    ...{ mergedIntoName: '', cutFromName: '', longestWait: undefined, mark: undefined, stays: [] },
    ...{ events: [], socketTime: undefined },
    ...given,
  };
}

const piece = journey(1, '3 · 1/2', { end: 100, verdict: 'merged', mergedInto: 3 });
const whole = journey(3, '3', { start: 50, end: 300, verdict: 'delivered' });
const ask = (packet: number) => Promise.resolve(packet === 1 ? piece : whole);

test('a way is called as the packet that was asked for, and ends as what carries it on does', async () => {
  const lineage = await lineageOf(1, ask);
  expect(lineage.name).toBe('3 · 1/2');
  expect(lineage.end).toEqual({ time: 300, verdict: 'delivered' });
  expect([50, 99, 100, 299].map((time) => carrierAt(lineage, time))).toEqual([1, 1, 3, 3]);
});

test('an end that was not seen is none', async () => {
  const open = journey(5, '5', { end: 100 });
  const lineage = await lineageOf(5, () => Promise.resolve(open));
  expect(lineage.end).toBeUndefined();
});

test('only of a datagram the times begin as its last fragment comes, not of what GRO merged', async () => {
  const parts = { partPackets: [1, 2], verdict: 'delivered' as const };
  const of = (partNames: readonly string[]) =>
    lineageOf(3, () => Promise.resolve(journey(3, '3', { ...parts, partNames })));
  expect((await of(['3 · 1/2', '3 · 2/2'])).isSinceLastFragment).toBe(true);
  expect((await of(['1', '2'])).isSinceLastFragment).toBe(false);
});
