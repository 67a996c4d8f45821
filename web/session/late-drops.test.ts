/** A drop is told for as long as it takes to read why, whatever else has left the stage by then. */
import { expect, test } from 'vitest';
import { busy, frameOf, runOf, shapesOf, staged, station, texts } from '../scene/testing.ts';
import { lingerAt, type FilmMap } from './film.ts';
import { DROP_SECONDS, hasLateDrop, withLateDrops } from './late-drops.ts';

const dropped = { at: 'TCP', since: 0, verdict: 'dropped', reason: 'NO_SOCKET' };
const longer = frameOf(1000, [
  { ...dropped, packet: 1, until: 300 },
  { packet: 2, at: 'process', since: 0, until: 300, verdict: 'delivered' },
  { ...dropped, packet: 3, until: 950 },
  { packet: 4, at: 'IP', since: 0, until: 9000 },
], busy); // prettier-ignore

test('of what has left the stage the drops are told on', () => {
  const { packets, time } = withLateDrops(longer, 100, longer);
  expect([...packets.packet]).toEqual([1, 3, 4]);
  expect(time).toBe(1000);
  expect([...packets.until]).toEqual([300, 950, 9000]);
});

test('a longer look back is only asked for where it finds one', () => {
  const at = (...drops: number[]) => hasLateDrop(Float64Array.from(drops), 1000, 100, 400);
  expect([at(), at(950), at(600), at(900), at(300, 601)]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('why a queue refused it stands for a second and a half of film and more', () => {
  const map: FilmMap = { filmTo: (time) => (time - 1000) / 400, timeAfter: (s) => 1000 + 400 * s };
  const linger = lingerAt(1000, map);
  const stands = lingerAt(1000, map, DROP_SECONDS);
  expect([linger, stands]).toEqual([200, 640]);
  const at = 'receive queue';
  const queues = [{ kind: at, max: 9, depth: 9, limit: 9 }];
  const full = runOf([0, 1], queues);
  const dropping = { station: station(at), cpu: 0, stays: 5, drops: 2, crossings: 0 };
  const refused = { ...dropped, at, reason: 'SOCKET_RCVBUFF', packet: 1, until: 400 };
  const late = frameOf(1000, [refused], busy, queues);
  const stage = staged({ ...full, visits: [dropping] }, 2600);
  const shapes = shapesOf(stage, withLateDrops(late, linger, late), { ...map, linger });
  expect(texts(shapes).filter((text) => text.includes('SOCKET_RCVBUFF'))).not.toEqual([]);
  expect(shapes.filter(({ kind }) => kind === 'drop')).toEqual([]);
});
