/** The run beside the one on the stage: what stands there, what is alike, and where both part. */
import { expect, test, vi } from 'vitest';
import type { Abreast, Parting } from '../core/abreast.ts';
import { NONE, type Outcome } from '../core/core.ts';
import { fakeCore, fakeHandle } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import { createRingside } from './context.ts';

const parting = (at: number, here: number | undefined, there: number | undefined): Parting => ({
  ...{ at, kind: 'cpu', packets: [here, there] },
  saying: { code: 'abreast.end', values: {}, isInferred: false },
});

const partings = [
  parting(100, 1, 2),
  parting(300, 3, 4),
  parting(300, undefined, 5),
  parting(900, 6, 6),
];
const BOTH: Abreast = {
  ...{ shift: 20, first: parting(100, 1, 2), partings, total: 4, alike: 2 },
  likes: [Uint32Array.of(NONE, 2, 3, 4), Uint32Array.of(NONE, NONE, 1, 2, 3, NONE)],
};

async function scene(abreast: Partial<Abreast> = {}) {
  const core = fakeCore({ abreast: () => Promise.resolve({ ...BOTH, ...abreast }) });
  const ringside = createRingside(core);
  await ringside.session.simulate('{}');
  return { ...ringside, core };
}

test('of a run that stands beside, packets have their like and times are on one clock', async () => {
  const { beside } = await scene();
  expect([beside.isThere, beside.likeOf(1, 0)]).toEqual([false, undefined]);
  expect(await beside.simulate('{"seed":2}', 'Another')).toBe(true);
  expect([beside.source?.title, beside.opening]).toEqual(['Another', undefined]);
  expect([beside.likeOf(0, 0), beside.likeOf(1, 0), beside.likeOf(2, 1)]).toEqual([
    undefined,
    2,
    1,
  ]);
  expect(beside.timeOf(120)).toBe(100);
  expect([beside.selected(1), beside.selected(undefined)]).toEqual([2, undefined]);
});

test('it is gone to the first parting, then from moment to moment, one by one within a moment', async () => {
  const { beside } = await scene();
  await beside.simulate('{}', 'Another');
  const seen = (by: 1 | -1, time: number) => beside.turn(by, time)?.packets;
  expect(seen(1, 5000)).toEqual([1, 2]);
  expect(seen(1, 100)).toEqual([3, 4]);
  expect(seen(1, 300)).toEqual([undefined, 5]);
  expect(beside.selected(undefined)).toBe(5);
  expect(seen(1, 300)).toEqual([6, 6]);
  expect(seen(1, 900)).toBeUndefined();
  // From a moment that the viewer went to: what is next to it.
  expect(seen(-1, 500)).toEqual([undefined, 5]);
  expect(beside.at).toBe(2);
});

test('the first pair that parts is of a packet that is in both', async () => {
  const pairOf = async (given: Partial<Abreast>) => {
    const { beside } = await scene({ first: undefined, ...given });
    await beside.simulate('{"seed":2}', 'Another');
    return beside.firstPair?.packets;
  };
  const alone = [parting(50, 8, undefined), parting(60, undefined, 9)];
  expect(await pairOf({ partings: [...alone, ...partings] })).toEqual([1, 2]);
  expect(await pairOf({ partings: alone })).toBeUndefined();
});

test('another time alone is a first moment, and no parting of ways', async () => {
  const { beside } = await scene({ first: { ...parting(40, 0, 1), kind: 'time' } });
  await beside.simulate('{}', 'Another');
  expect([beside.total, beside.partings.length]).toEqual([5, 5]);
  expect(beside.turn(1, 0)?.at).toBe(40);
});

test('with the run on the stage its second one is closed: its worker has the memory of a whole run', async () => {
  const { beside, session, core } = await scene();
  let isClosed = false;
  const handle = { ...fakeHandle(), close: () => (isClosed = true) };
  core.simulate = () => Promise.resolve({ kind: 'ok', value: handle });
  await beside.simulate('{}', 'Another');
  core.simulate = () => Promise.resolve({ kind: 'ok', value: fakeHandle() });
  expect(isClosed).toBe(false);
  await session.simulate('{"seed":3}');
  expect(isClosed).toBe(true);
});

test('another run on the stage stands alone, and so does one whose second run is put away', async () => {
  const { beside, session } = await scene();
  await beside.simulate('{}', 'Another');
  await session.simulate('{"seed":3}');
  expect([beside.isThere, beside.handle, beside.partings.length]).toEqual([false, undefined, 0]);
  await beside.simulate('{}', 'Another');
  beside.close();
  expect(beside.isThere).toBe(false);
});

test('a run that opens beside leaves what opens on the stage alone, and closing it ends it alone', async () => {
  const { session, core, beside } = await scene();
  const signals: (AbortSignal | undefined)[] = [];
  core.open = (_inputs, _onProgress, _excerpt, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  core.simulate = (_scenario, _onProgress, _machines, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  void session.open([], { kind: 'own', title: 'mine.txt' });
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  void beside.simulate('{}', 'Second');
  await vi.waitFor(() => expect(signals).toHaveLength(2));
  beside.close();
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, true]);
  session.cancel();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test('a run that is refused is said, and what comes too late is closed', async () => {
  const { session, core, beside } = await scene();
  const ends: ((outcome: Outcome<RunHandle>) => void)[] = [];
  core.simulate = () => new Promise((resolve) => ends.push(resolve));
  const refused = beside.simulate('{}', 'Wrong');
  expect(beside.opening).toBe('Wrong');
  ends[0]!({ kind: 'failed', message: 'machine: nothing is called so' });
  expect(await refused).toBe(false);
  expect([beside.failure, beside.opening]).toEqual([
    { kind: 'failed', message: 'machine: nothing is called so' },
    undefined,
  ]);

  const late = beside.simulate('{}', 'Late');
  beside.close();
  let isClosed = false;
  const handle = { ...fakeHandle(), close: () => (isClosed = true) };
  ends[1]!({ kind: 'ok', value: handle });
  expect([await late, isClosed, beside.isThere]).toEqual([false, true, false]);
  expect(session.run).toBeDefined();
});
