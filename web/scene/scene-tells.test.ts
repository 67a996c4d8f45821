/** What the stage shows at a time: for whom packets wait, what has arrived, which packet is behind which. */
import { expect, test } from 'vitest';
import { describe } from './describe.ts';
import { explain } from './explain.ts';
import { cameraAt } from './follow.ts';
import { layoutOf, layoutWithin } from './layout.ts';
import { machineOf } from './machine/testing.ts';
import { LANES, type SlotSpec } from './rows.ts';
import { backdrop, type Stage } from './scene.ts';
import type { Shape } from './shapes.ts';
import type { Frame } from '../core/frame.ts';
import {
  busy,
  capsule,
  frameOf,
  plain,
  receiving as run,
  runOf,
  shapesOf,
  staged,
  station,
  texts,
  viewAt,
  words,
} from './testing.ts';
import { estimate } from './text.ts';
import type { PacketGiven } from './testing.ts';

test('of two on one rail the later one stays back, so that both can be read', () => {
  const pieces = [1000, 1030].map((until, at) => ({
    ...{ packet: at, at: 'net core', next: 'IP', since: 0, until, isServed: true, bytes: 1500 },
  }));
  const covered = [0.94, 0.96, 0.98].map((share) => {
    const shapes = shapesOf(staged(run), frameOf(share * 1000, pieces, busy));
    const [first, second] = [capsule(shapes, 0).rect, capsule(shapes, 1).rect];
    const across =
      Math.min(first.x + first.width, second.x + second.width) - Math.max(first.x, second.x);
    const down =
      Math.min(first.y + first.height, second.y + second.height) - Math.max(first.y, second.y);
    return (Math.max(0, across) * Math.max(0, down)) / (first.width * first.height);
  });
  expect(Math.max(...covered)).toBeLessThan(0.35);
});

test('what waits in a socket stays there until its reader has the CPU', () => {
  const waits = { packet: 7, at: 'receive queue', next: 'process', since: 0, until: 1000 };
  const isOnItsWay = (time: number, ready: number) =>
    shapesOf(staged(run), frameOf(time, [{ ...waits, ready }], busy)).some(
      (shape) => shape.kind === 'capsule' && shape.packet === 7,
    );
  expect(isOnItsWay(950, 0)).toBe(true);
  expect(isOnItsWay(950, 960)).toBe(false);
  expect(isOnItsWay(990, 960)).toBe(true);
});

test('on a phone the CPU is shown that the packet is with whom the eye is with', () => {
  const crosses = {
    packet: 7,
    at: 'receive queue',
    next: 'process',
    cpu: 1,
    since: 0,
    until: 1000,
  };
  const frame = frameOf(500, [{ packet: 3, at: 'IP', cpu: 0 }, crosses], busy);
  const shown = (actor: number | undefined) => {
    const free = { cpu: undefined, isNarrow: true };
    const focus = cameraAt(frame, run, words, { ...viewAt(500), actor }, free);
    const phone = { width: 380, height: 300, measure: estimate };
    return layoutOf(run, words, phone, focus).columns.map(({ cpu }) => cpu);
  };
  expect(shown(undefined)).toEqual([0]);
  expect(shown(7)).toEqual([1]);
  expect(shown(3)).toEqual([0]);
});

test('on a phone every row has its name, beside the column', () => {
  const stage = staged(runOf([0, 1]), 376, 300);
  const names = backdrop(stage).flatMap((shape) => (shape.kind === 'label' ? [shape] : []));
  expect(names.map(({ text }) => text)).toEqual([
    'process',
    'socket',
    'TCP · UDP',
    'IP',
    'net core',
    'driver',
    'ring',
    'wire',
  ]);
  const beside = stage.layout.columns[0]?.rect.x ?? 0;
  for (const { rect, size } of names) {
    expect(size).toBeGreaterThanOrEqual(12);
    expect(rect.x + rect.width).toBeLessThanOrEqual(beside);
  }
});

test('a stage that is too high for a low room is laid out smaller, until its text would be too small', () => {
  const heights = (height: number) => {
    const room = { width: 380, height, measure: estimate };
    return [layoutOf(run, words, room).height, layoutWithin(run, words, room).height];
  };
  const [least = 0] = heights(0);
  expect(heights(least * 0.8)).toEqual([least, expect.closeTo(least * 0.8, -1)]);
  expect(heights(least * 0.2)[1]).toBeCloseTo(least * 0.72, -1);
  expect(heights(2 * least)).toEqual([2 * least, 2 * least]);
});

test('a narrow column tells bytes with their unit', () => {
  const queue = { kind: 'receive queue', unit: 'bytes', depth: 8448, max: 100_000, cpu: 0 };
  const queues = [{ ...queue, limit: 212_992 }];
  const cpus = [0, 1, 2, 3];
  const visits = cpus.map((cpu) => ({
    ...{ station: station('receive queue'), cpu, stays: 9, drops: 0, crossings: 0 },
  }));
  const said = Array.from({ length: 12 }, (_, at) => 600 + 50 * at).flatMap((width) => {
    const narrow = staged(runOf(cpus, queues, { visits }), width);
    const waits = { packet: 0, at: 'receive queue', until: 90_000, queue: 0 };
    return texts(shapesOf(narrow, frameOf(0, [waits], [], queues)));
  });
  expect(said.filter((text) => /8,?448$/.test(text))).toEqual([]);
  expect(said).toContain('recv queue 8.45 kB');
});

test('the name of a vessel is never cut: it is short, or small, or not there', () => {
  const cpus = [0, 1, 2, 3];
  const kinds = ['rx ring', 'tx ring', 'backlog', 'socket backlog', 'prequeue', 'receive queue'];
  const queues = cpus.flatMap((cpu) => kinds.map((kind) => ({ kind, cpu, max: 9, depth: 2 })));
  const said = Array.from({ length: 30 }, (_, at) => 360 + 40 * at).flatMap((width) =>
    texts(vesselLabels(staged(runOf(cpus, queues), width), frameOf(0, [], [], queues))),
  );
  expect(said.filter((text) => text.endsWith('…'))).toEqual([]);
  expect(said).toEqual(expect.arrayContaining(['tx', 'preq', 'ofo']));
  // Of the two backlogs each says whose it is, and so does a queue, however little room there is.
  expect(said.filter((text) => /^(?:backlog|bklg|queue)\b/.test(text))).toEqual([]);
  expect(said).toEqual(expect.arrayContaining(['CPU bklg', 'recv q']));
  const vessels = LANES.flatMap(({ rx, tx }) => [...rx, ...tx]).filter(
    ({ kind }) => kind !== 'work',
  );
  const called = ({ title, shortTitle, leastTitle }: SlotSpec) => [
    title(),
    shortTitle(),
    leastTitle(),
  ];
  const names = vessels.flatMap((vessel) => [...new Set(called(vessel))]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('pieces that wait at IP for their turn are told apart', () => {
  const pieces = [1, 2, 3, 4].map((number) => ({
    ...{ packet: number, at: 'IP', since: 0, until: 1000 * number, bytes: 1500 },
    fragment: { group: 7, from: 1480 * number, to: 1480 * (number + 1), of: 7400 },
  }));
  const stage = staged(runOf([0, 1], [{ kind: 'reassembly' }]), 1280);
  const shapes = shapesOf(stage, frameOf(500, pieces, busy));
  const rects = shapes.flatMap((shape) => (shape.kind === 'capsule' ? [shape.rect] : []));
  expect(rects).toHaveLength(4);
  const ordered = rects.sort((a, b) => a.x - b.x);
  ordered.slice(1).forEach((rect, at) => {
    const before = ordered[at];
    expect(rect.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
  });
});

test('what is whole again and worked on at IP leaves the name of the place beside it free', () => {
  const stage = staged(runOf([0, 1], [{ kind: 'reassembly' }]), 1280);
  const worked = [0, 0.3, 0.6, 0.95].flatMap((share) => {
    const whole = { packet: 1, at: 'IP', since: 0, until: 1000, isServed: true, bytes: 9000 };
    const shapes = shapesOf(stage, frameOf(1000 * share, [{ ...whole, parts: 6 }], busy));
    const capsule = shapes.find((shape) => shape.kind === 'capsule')?.rect;
    const name = [...backdrop(stage), ...shapes].find(
      (shape) => shape.kind === 'label' && shape.thing?.kind === 'queue',
    )?.rect;
    return capsule && name ? [{ capsule, name }] : [];
  });
  expect(worked).toHaveLength(4);
  for (const { capsule, name } of worked) {
    // It goes over the edge of its rail, to where the name stands.
    expect(capsule.x + capsule.width).toBeGreaterThan(name.x);
    expect(capsule.y).toBeGreaterThanOrEqual(name.y + name.height - 1);
  }
});

test('the ribbon goes on when what is whole is seen to leave its frame', () => {
  const whole = { group: 7, of: 3000 };
  const own = {
    packet: 2,
    at: 'IP',
    since: 1000,
    until: 90_000,
    fragment: { ...whole, from: 1480, to: 3000 },
  };
  const piece = {
    packet: 1,
    at: 'reassembly',
    until: 1000,
    verdict: 'merged',
    into: 2,
    fragment: { ...whole, from: 0, to: 1480 },
  };
  const stations = ['reassembly', 'IP'].map(station);
  const way = stations.map((at, place) => ({
    station: at,
    cpu: 0,
    enter: place * 1000,
    leave: place === 0 ? 1000 : 90_000,
    service: 0,
  }));
  const now = (time: number) => {
    const shapes = shapesOf(
      staged(runOf([0], [{ kind: 'reassembly' }])),
      frameOf(time, [own, piece], busy),
      { followed: 2, way },
    );
    return texts(shapes.filter((shape) => shape.kind === 'label' && shape.isBold)).filter(
      (text) => text === 'IP' || text === 'reassembly',
    );
  };
  expect(now(1100)).toContain('reassembly');
  expect(now(1501)).not.toContain('reassembly');
});

test('the ribbon says how the way ended, once it has, and however little room there is', () => {
  const names = ['IP', 'UDP', 'receive queue', 'process', 'IP', 'UDP', 'receive queue'];
  const way = names.map((name, place) => ({
    ...{ station: station(name), cpu: 0, service: 0 },
    ...{ enter: place * 1000, leave: (place + 1) * 1000 },
  }));
  const wayEnd = { time: 7000, verdict: 'delivered' } as const;
  const said = (time: number, width: number) =>
    texts(shapesOf(staged(runOf([0]), width), frameOf(time, []), { followed: 2, way, wayEnd }));
  for (const width of [400, 1200]) {
    expect(said(6999, width)).not.toContain('delivered');
    expect(said(7000, width)).toContain('delivered');
  }
});

test('of a way that does not fit the longest stay is shown, and the rest as one sum', () => {
  const stays = [172_000, 21_000, 13_000, 34_000, 7000, 5000, 5000, 18_000, 10_000];
  const names = [
    ...['rx ring', 'GRO', 'net core', 'IP', 'reassembly', 'IP', 'UDP', 'receive queue', 'process'],
  ];
  const total = stays.reduce((sum, nanos) => sum + nanos, 0);
  const wayOf = (order: readonly number[]) => {
    let enter = 0;
    return order.map((at) => {
      const stay = { station: station(names[at] ?? ''), cpu: 0, service: 0, enter };
      enter += stays[at] ?? 0;
      return { ...stay, leave: enter };
    });
  };
  const said = (width: number, order: readonly number[]) => {
    const wayEnd = { time: total, verdict: 'delivered' } as const;
    const ended = { followed: 2, way: wayOf(order), wayEnd };
    return texts(shapesOf(staged(runOf([0]), width), frameOf(total, []), ended)).map(plain);
  };
  const micros = (all: readonly string[]) =>
    all.flatMap((text) => (text.endsWith(' µs') ? [Number.parseFloat(text)] : []));
  const first = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  for (const order of [first, first.toReversed()]) {
    expect(said(2000, order)).not.toContain('…');
    for (const width of [400, 500, 600]) {
      const shown = said(width, order);
      expect(shown).toContain('…');
      expect(shown).toContain('172 µs');
      expect(shown).toContain('delivered');
      // What is shown of the stays is as long as the way.
      expect(micros(shown).reduce((sum, each) => sum + each, 0)).toBe(285 + 285);
    }
  }
});

test('of what is ahead of a packet there is a sign, too, where it does not fit', () => {
  const names = ['rx ring', 'GRO', 'net core', 'IP', 'UDP', 'receive queue', 'process'];
  const way = names.map((name, at) => ({
    ...{ station: station(name), cpu: 0, service: 0 },
    ...{ enter: at * 1000, leave: (at + 1) * 1000 },
  }));
  const said = (width: number) =>
    texts(shapesOf(staged(runOf([0]), width), frameOf(500, []), { followed: 2, way }));
  expect(said(400)).toContain('…');
  expect(said(2000)).not.toContain('…');
});

test('before its first event a CPU has no state, and after a gap it says that none is recorded', () => {
  const states = (since: number) => {
    const frame = frameOf(9000, [], [{ context: 'unknown' }]);
    const cpus = { ...frame.cpus, since: Float64Array.of(since) };
    return shapesOf(staged(runOf([0])), { ...frame, cpus }).flatMap((shape) =>
      shape.kind === 'pill' ? [shape.text] : [],
    );
  };
  expect(states(0)).toEqual([]);
  expect(states(5000)).toEqual(['not recorded']);
});

test('memory of a packet that is being read is charged, as on every view, and is called memory', () => {
  const socket = { kind: 'receive queue', cpu: 0, unit: 'bytes', limit: 213_000, max: 11_800 };
  const own = runOf([0], [socket]);
  const given = { packet: 1, at: 'process', bytes: 8000, until: 90_000 };
  const frame = frameOf(5000, [given], busy, [{ ...socket, depth: 11_800 }]);
  const all = texts(shapesOf(staged(own, 2600), frame)).map(plain);
  expect(all.filter((text) => text.startsWith('receive queue'))).toEqual([
    'receive queue of receive queue: 11.8 of 213 kB, still charged',
  ]);
  expect(describe(frame, own, words).map(plain).join(' ')).toContain('11.8 of 213 kB of memory');
  const card = explain({ kind: 'queue', queue: 0 }, frame, own, words);
  expect(card.lines.map(plain).join(' ')).toMatch(/memory.*truesize/);
});

test('memory without a packet is drawn and called charged, where no limit is known, too', () => {
  const socket = { kind: 'socket backlog', cpu: 0, unit: 'bytes', max: 20_000 };
  const own = runOf([0], [socket]);
  const shapes = (depth: number, at?: string) => {
    const given = at === undefined ? [] : [{ packet: 1, at, queue: 0, until: 90_000 }];
    return shapesOf(staged(own, 2600), frameOf(5000, given, busy, [{ ...socket, depth }]));
  };
  const level = (depth: number) =>
    shapes(depth).flatMap((shape) =>
      shape.kind === 'vessel' && shape.level !== undefined ? [shape.level] : [],
    );
  expect([...level(0), ...level(5000)]).toEqual([0, 0.25]);
  const title = (...of: Parameters<typeof shapes>) =>
    texts(shapes(...of)).filter((text) => text.startsWith('socket backlog'));
  expect(title(5000)).toEqual(['socket backlog of socket backlog: 5 kB, still charged']);
  expect(title(5000, 'socket backlog')).toEqual(['socket backlog of socket backlog: 5 kB']);
});

test('packets are tied to the task that reads them, and to no other that lost its CPU', () => {
  const sockets = [{ kind: 'receive queue', cpu: 0, reader: 534, unit: 'bytes', max: 9000 }];
  const own = runOf([0], sockets, { tasks: [534, 7].map((pid) => ({ pid, comm: `task${pid}` })) });
  const given = { packet: 1, at: 'receive queue', queue: 0, until: 90_000 };
  const ties = (lost: number, more: Partial<PacketGiven> = {}) => {
    const machine = machineOf({ waits: [[0, lost, 0, 3, 9]] });
    const frame = {
      ...frameOf(5000, [{ ...given, ...more }], [{ context: 'user', pid: 9 }]),
      machine,
    };
    return shapesOf(staged(own, 2600), frame).filter(({ kind }) => kind === 'tether').length;
  };
  expect(ties(534)).toBe(1);
  expect(ties(7)).toBe(0);
  expect(ties(534, { verdict: 'delivered', until: 4990 })).toBe(0);
});

test('of two that lost a CPU the one for which packets wait is shown', () => {
  const sockets = [{ kind: 'receive queue', cpu: 0, reader: 534, unit: 'bytes', max: 9000 }];
  const own = runOf([0], sockets, { tasks: [534, 7].map((pid) => ({ pid, comm: `task${pid}` })) });
  const machine = machineOf({
    waits: [
      [0, 534, 0, 3, 9],
      [0, 7, 4000, 3, 9],
    ],
  });
  const shown = (packets: readonly PacketGiven[]) => {
    const frame = { ...frameOf(5000, packets, [{ context: 'user', pid: 9 }]), machine };
    return shapesOf(staged(own, 2600), frame).flatMap((shape) =>
      shape.kind === 'card' && shape.isDisplaced ? [shape.text] : [],
    );
  };
  expect(shown([])).toEqual(['task7 (7)']);
  expect(shown([{ packet: 1, at: 'receive queue', queue: 0, until: 90_000 }])).toEqual([
    'task534 (534)',
  ]);
});

/** The labels that name vessels and places. */
function vesselLabels(stage: Stage, frame: Frame): readonly Shape[] {
  return shapesOf(stage, frame).filter(
    (shape) =>
      shape.kind === 'label' && (shape.thing?.kind === 'queue' || shape.thing?.kind === 'station'),
  );
}
