/** The endings of packets are visible: merged, dropped, segmented. */
import { expect, test } from 'vitest';
import type { Rect } from './shapes.ts';
import {
  busy,
  capsule,
  frameOf,
  receiving as run,
  runOf,
  shapesOf,
  staged,
  station,
  texts,
} from './testing.ts';
import type { PacketGiven } from './testing.ts';

test('a drop falls out of the queue that refused it, with its reason', () => {
  const dropped: PacketGiven = {
    packet: 1,
    at: 'receive queue',
    until: 1000,
    verdict: 'dropped',
    reason: 'SOCKET_RCVBUFF',
  };
  const queues = [{ kind: 'receive queue', max: 9, depth: 9, limit: 9 }];
  const full = runOf([0, 1, 2], queues);
  const dropping = { station: station('receive queue'), cpu: 0, stays: 5, drops: 2, crossings: 0 };
  const refusing = {
    ...full,
    visits: [dropping, ...full.visits.filter(({ station: at }) => at !== dropping.station)],
  };
  const given = [dropped, { ...dropped, packet: 2 }];
  const shapesAt = (time: number) =>
    shapesOf(staged(refusing, 2600), frameOf(time, given, busy, queues));
  const at = (time: number) => shapesAt(time).find((shape) => shape.kind === 'drop')?.rect;
  // The reason is told as they fall; they are counted as they come to lie.
  const counted = (time: number) =>
    texts(shapesAt(time)).flatMap((text) => /^(✕.*?) ·.*SOCKET_RCVBUFF$/.exec(text)?.[1] ?? []);
  expect([1050, 1450, 1500].map(counted)).toEqual([['✕'], ['✕ 1'], ['✕ 2']]);
  const [early, late] = [at(1050), at(1450)];
  const slot = staged(refusing, 2600).layout.slots.find(({ bin }) => bin !== undefined);
  if (early === undefined || late === undefined || slot?.bin === undefined) {
    throw new Error('no drop is drawn, or it has nowhere to fall');
  }
  const lid = slot.body.x + slot.body.width;
  expect(early.x).toBeLessThan(lid);
  expect(late.x).toBeGreaterThanOrEqual(lid);
  expect(late.y).toBeGreaterThan(early.y);
});

test('what merges goes to its place in the packet that takes it in, which is empty until it is there', () => {
  const head = { packet: 1, at: 'GRO', until: 50_000, parts: 2 };
  const merged = { packet: 2, at: 'GRO', until: 1000, verdict: 'merged', into: 1 };
  const at = (time: number) => shapesOf(staged(run), frameOf(time, [head, merged], busy));
  const middle = ({ x, width }: Rect) => x + width / 2;
  const [early, late, over] = [at(1010), at(1490), at(1501)];
  expect(capsule(late, 1).awaited).toEqual([1]);
  const last = capsule(late, 1).joints[0] ?? 0;
  const { rect } = capsule(late, 1);
  expect(middle(capsule(late, 2).rect)).toBeCloseTo((last + rect.x + rect.width) / 2, 0);
  expect(middle(capsule(early, 2).rect)).toBeGreaterThan(middle(capsule(late, 2).rect));
  expect(capsule(late, 2).shells).toEqual([]);
  expect(capsule(over, 1).awaited).toEqual([]);
  expect(over.some((shape) => shape.kind === 'capsule' && shape.packet === 2)).toBe(false);
});

test('where told film dwells, a merge and a drop are seen to happen while the run stands still', () => {
  const head = { packet: 1, at: 'GRO', until: 50_000, parts: 2 };
  const merged = { packet: 2, at: 'GRO', until: 1000, verdict: 'merged', into: 1 };
  const dropped = { packet: 3, at: 'TCP', until: 1000, verdict: 'dropped', reason: 'NO_SOCKET' };
  const frame = frameOf(1000, [head, merged, dropped], busy);
  const at = (film: number) => {
    const filmTo = (time: number) => (time > 1000 ? 9 : -film);
    const shapes = shapesOf(staged(run), frame, { filmTo, linger: 1 });
    const drop = shapes.find(({ kind }) => kind === 'drop');
    return { merged: capsule(shapes, 2).rect, dropped: drop?.rect.y ?? 0 };
  };
  const [early, late] = [at(0.1).merged, at(0.4).merged];
  expect(late.width).toBeLessThan(early.width);
  expect(at(0.4).dropped).toBeGreaterThan(at(0.1).dropped);
});

test('a piece is drawn once while it is cut off, also the one that is followed', () => {
  const cut = { packet: 1, at: 'IP send', until: 1000, verdict: 'consumed' };
  const pieces = [1, 2, 3].map((number) => ({
    packet: 1 + number,
    at: 'IP send',
    since: 1000,
    until: 90_000,
    pieceOf: { packet: 1, number, of: 3 },
  }));
  const frame = frameOf(1150, [cut, ...pieces], busy);
  for (const view of [{}, { followed: 3 }, { selected: 3 }, { actor: 3 }]) {
    const drawn = shapesOf(staged(run, 2600), frame, view).flatMap((shape) =>
      shape.kind === 'capsule' ? [shape.packet] : [],
    );
    expect(drawn.sort()).toEqual([2, 3, 4]);
  }
});

test('where nothing may move a step is announced, and the followed packet leaves a ghost where it was', () => {
  const moving = { packet: 1, at: 'IP', next: 'TCP', since: 0, until: 1000 };
  const stage = staged(run);
  const trails = (time: number, at: object) =>
    shapesOf(stage, frameOf(time, [{ ...moving, ...at }], busy), {
      travel: 0,
      followed: 1,
      way: [
        { station: station('IP'), cpu: 0, enter: 0, leave: 1000, service: 10 },
        { station: station('TCP'), cpu: 0, enter: 1000, leave: 9000, service: 10 },
      ],
    }).flatMap((shape) => (shape.kind === 'trail' ? [shape] : []));
  expect(trails(100, {})).toEqual([]);
  const [ahead] = trails(900, {});
  const [behind] = trails(1100, { at: 'TCP', next: 'receive queue', since: 1000, until: 9000 });
  if (ahead === undefined || behind === undefined) throw new Error('no trail is drawn');
  expect(ahead.ghost.y).toBeLessThan(behind.ghost.y);
  expect(trails(4000, { at: 'TCP', next: 'receive queue', since: 1000, until: 9000 })).toEqual([]);
});
