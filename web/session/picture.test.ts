/** What is asked of a run for a picture, and what is asked once more. */
import { expect, test } from 'vitest';
import { fakeHandle, fakeRun } from '../core/fake-core.ts';
import type { Frame, PacketColumns } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import { filmMapAt } from './film.ts';
import { momentAt, pictureOf } from './picture.ts';
import { film } from './testing.ts';

/** A run that drops packet 7 at 3000 ns; its frames hold what ended within the linger. */
function dropping(asked: unknown[] = []) {
  const at = 3000;
  const frame = (time: number, linger: number) => {
    const isThere = time - linger < at;
    const packets = {
      packet: Uint32Array.from(isThere ? [7] : []),
      until: Float64Array.from(isThere ? [at] : []),
      verdict: Uint8Array.from(isThere ? [2] : []),
      dropReason: Uint8Array.from(isThere ? [1] : []),
      placeCpu: Uint16Array.of(700),
    };
    return Promise.resolve({ time, packets: packets as Partial<PacketColumns> } as Frame);
  };
  const lanes = (...question: unknown[]) => {
    asked.push(question);
    return Promise.resolve({ drops: Float64Array.of(at) } as Partial<Lanes> as Lanes);
  };
  return fakeHandle({}, { frame, lanes });
}

const moment = (time: number) => momentAt(time, filmMapAt(time, film({ speed: 1000 })));

test('a drop stays in the picture for as long as it takes to read why, on whichever stage', async () => {
  const at = async (time: number) => [
    ...(await pictureOf(dropping(), fakeRun(), moment(time), undefined)).frame.packets.packet,
  ];
  expect(await at(3400)).toEqual([7]);
  expect(await at(4500), 'after half a second of film').toEqual([7]);
  expect(await at(4700)).toEqual([]);
});

test('the past is that of five seconds of film; of very many CPUs that of those in sight', async () => {
  const asked: unknown[] = [];
  const run = dropping(asked);
  await pictureOf(run, fakeRun(), moment(8000), undefined);
  const cpus = Array.from({ length: 1000 }, (_, cpu) => cpu);
  const before = await run.frame(0, 0);
  await pictureOf(run, fakeRun({ cpus }), moment(3000), before);
  expect(asked[0]).toEqual([3000, 8000, 240, undefined]);
  const [from, to, , inSight] = asked[1] as [number, number, number, number[]];
  expect([from, to, inSight.length < 1000, inSight.includes(700)]).toEqual([0, 3000, true, true]);
});
