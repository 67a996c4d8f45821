/** Steps from hop to hop of the packets that told film follows. */
import { expect, test } from 'vitest';
import { NONE } from '../core/core.ts';
import { FAKE_TOLD } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import type { Told } from '../core/told.ts';
import { hopOfFollowed } from './hops.ts';

/** Film of one second for each 100 ns, that follows each packet from a second on. */
const following = (acts: readonly (readonly [film: number, packet: number])[]): Told => ({
  ...FAKE_TOLD,
  pieces: { film: Float64Array.of(0, 10), time: Float64Array.of(0, 1000), kind: Uint8Array.of(0) },
  actors: {
    film: Float64Array.from(acts, ([film]) => film),
    packet: Uint32Array.from(acts, ([, packet]) => packet),
  },
});

/** A run in which packets hop at these times. */
const hopping = (hops: Readonly<Record<number, readonly number[]>>): Pick<RunHandle, 'step'> => ({
  step: (time, _kind, isForward, packet = NONE) => {
    const all = hops[packet] ?? [];
    const found = isForward ? all.find((hop) => time < hop) : all.findLast((hop) => hop < time);
    return Promise.resolve(found === undefined ? undefined : { time: found, event: 0, packet });
  },
});

/** Times and packets of all steps from a second of film on. */
async function steps(told: Told, run: Pick<RunHandle, 'step'>, film: number, isForward: boolean) {
  const all: string[] = [];
  for (let at = film; ;) {
    const step = await hopOfFollowed(run, told, at, isForward);
    if (step === undefined) return all.join(' ');
    all.push(`${step.packet}@${step.time}`);
    at = step.time / 100;
  }
}

test('a step goes to the next hop of the packet that is followed, not to that of another', async () => {
  const told = following([[1, 2]]);
  const run = hopping({ 2: [100, 200, 500], 3: [210, 220, 230] });
  expect(await steps(told, run, 1.5, true)).toBe('2@200 2@500');
  expect(await steps(told, run, 5, false)).toBe('2@200 2@100');
});

test('where the film leaves a packet, steps go on with the next one, there and back', async () => {
  const told = following([[0, NONE], [1, 1], [3, 2], [6, 1]]); // prettier-ignore
  // Packet 1 waits from 200 to 700, and packet 2 comes meanwhile; it hops again when it is no longer followed.
  const run = hopping({ 1: [100, 200, 700], 2: [300, 400, 650] });
  expect(await steps(told, run, 0, true)).toBe('1@100 1@200 2@300 2@400 1@700');
  expect(await steps(told, run, 8, false)).toBe('1@700 2@400 2@300 1@200 1@100');
});
