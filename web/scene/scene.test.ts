/** The stage's geometry, without a page: positions, contents and texts. */
import { expect, test } from 'vitest';
import type { Rect } from './shapes.ts';
import { describe } from './describe.ts';
import { columnOf } from './layout.ts';
import { LANES, rowLabel } from './rows.ts';
import { backdrop } from './scene.ts';
import {
  busy,
  capsule,
  entriesShown,
  frameOf,
  glossary,
  receiving as run,
  ringWith,
  runOf,
  shapesOf,
  staged,
  station,
  texts,
  words,
} from './testing.ts';
import type { PacketGiven } from './testing.ts';

const one = (given: Partial<PacketGiven>, time = 500) =>
  shapesOf(staged(run), frameOf(time, [{ packet: 1, at: 'TCP', ...given }], busy));

test('every station of the kernel has a slot of its own', () => {
  const placed = LANES.flatMap(({ rx, tx }) => [...rx, ...tx].flatMap(({ stations }) => stations));
  expect([...placed].sort()).toEqual(glossary.stations.map(({ name }) => name).sort());
});

test('receive climbs: each layer is above the one before it', () => {
  const way = ['wire', 'rx ring', 'driver', 'net core', 'IP', 'TCP', 'receive queue', 'process'];
  const stage = staged(run);
  const heights = way.map((at) => {
    const slot = stage.layout.slots.find(({ name }) => name.split(', ').includes(at));
    return slot?.body.y ?? Number.NaN;
  });
  expect(heights).toEqual([...heights].sort((a, b) => b - a));
});

test('the way down stands to the right of the way up', () => {
  const up = capsule(one({ at: 'IP', isServed: true }, 999), 1).rect;
  const down = capsule(one({ at: 'IP send' }, 0), 1).rect;
  expect(up.x + up.width).toBeLessThan(down.x);
});

test('a packet that is worked on rises in proportion to its time, one that is sent falls', () => {
  const at = (time: number) => capsule(one({ at: 'IP', isServed: true }, time), 1).rect.y;
  expect(at(500) - at(250)).toBeCloseTo(at(750) - at(500), 6);
  expect(at(500)).toBeLessThan(at(250));
  const sent = (time: number) => capsule(one({ at: 'IP send', isServed: true }, time), 1).rect.y;
  expect(sent(500)).toBeGreaterThan(sent(250));
});

test('a packet that waits stands still', () => {
  const at = (time: number) => capsule(one({ at: 'GRO', next: 'net core' }, time), 1).rect;
  expect(at(300)).toEqual(at(600));
});

test('it hops at the end of its stay and arrives where its next stay begins', () => {
  const before = one({ at: 'IP', next: 'TCP', until: 1000, isServed: true }, 999.999);
  const after = one({ at: 'TCP', since: 1000, until: 2000, isServed: true }, 1000);
  const [from, to] = [capsule(before, 1).rect, capsule(after, 1).rect];
  expect(from.x).toBeCloseTo(to.x, 1);
  expect(from.y).toBeCloseTo(to.y, 1);
});

test('without travel it jumps', () => {
  const stage = staged(run);
  const frame = frameOf(990, [{ packet: 1, at: 'GRO', next: 'net core' }], busy);
  const still = frameOf(400, [{ packet: 1, at: 'GRO', next: 'net core' }], busy);
  const at = (given: typeof frame) => capsule(shapesOf(stage, given, { travel: 0 }), 1).rect;
  expect(at(frame)).toEqual(at(still));
});

test('headers come off layer by layer', () => {
  const worn = (at: string) =>
    capsule(one({ at, isServed: true }), 1).shells.map(({ fill }) => fill);
  expect(worn('net core')).toEqual(['shell-link', 'shell-network', 'shell-transport']);
  expect(worn('IP')).toEqual(['shell-network', 'shell-transport']);
  expect(worn('TCP')).toEqual(['shell-transport']);
  expect(worn('process')).toEqual([]);
});

test('half way through a hop the outermost shell is half off', () => {
  const stay = { at: 'IP', next: 'TCP', since: 0, until: 1000 };
  const [outer] = capsule(one(stay, 950), 1).shells;
  expect(outer).toEqual({ fill: 'shell-network', letters: 'IP', share: 0.5 });
});

test('payload frames of 16 bytes, until they would be too small to see', () => {
  const cells = (bytes: number) => capsule(one({ at: 'process', bytes }), 1).seams.length + 1;
  expect(cells(64)).toBe(4);
  expect(cells(1448)).toBeLessThan(90);
  const { rect, seams } = capsule(one({ at: 'process', bytes: 1448 }), 1);
  expect((rect.width / (seams.length + 1)) * 1.001).toBeGreaterThan(4);
});

test('a backlog stands on the CPU that will empty it', () => {
  const stage = staged(run);
  const given = { packet: 1, at: 'backlog', cpu: 0, next: 'net core', nextCpu: 1 };
  const at = capsule(shapesOf(stage, frameOf(500, [given], busy)), 1).rect;
  expect(at.x).toBeGreaterThan(stage.layout.columns[1]?.rect.x ?? Infinity);
});

test('segments fuse into a stream without gaps', () => {
  const segments = [1, 2, 3].map((packet) => ({
    packet,
    at: 'receive queue',
    since: packet,
    until: 10_000,
    next: 'process',
  }));
  const shapes = shapesOf(staged(run), frameOf(5000, segments, busy));
  const stream = shapes.find((shape) => shape.kind === 'stream');
  expect(stream?.segments.map(({ packet }) => packet)).toEqual([1, 2, 3]);
  stream?.segments.slice(1).forEach(({ x }, at) => {
    const before = stream.segments[at];
    expect(x).toBeCloseTo((before?.x ?? 0) + (before?.width ?? 0), 6);
  });
});

test('fragments stand at their places, with a hole where one is missing', () => {
  const whole = { group: 7, of: 4000 };
  const withReassembly = staged(runOf([0], [{ kind: 'reassembly' }]));
  const fragments = [
    { packet: 1, from: 0, to: 1480 },
    { packet: 2, from: 2960, to: 4000 },
  ].map(({ packet, from, to }) => ({
    packet,
    at: 'reassembly',
    until: 90_000,
    fragment: { ...whole, from, to },
  }));
  const shapes = shapesOf(withReassembly, frameOf(5000, fragments, busy));
  const assembly = shapes.find((shape) => shape.kind === 'assembly');
  if (assembly === undefined) throw new Error('no assembly is drawn');
  const { rect, pieces } = assembly;
  const share = (x: number) => (x - rect.x) / rect.width;
  expect(pieces.map(({ x, width }) => [share(x), share(x + width)])).toEqual([
    [0, expect.closeTo(0.37, 6)],
    [expect.closeTo(0.74, 6), expect.closeTo(1, 6)],
  ]);
  expect(texts(shapes)).toContain('reassembly · 2 fragments, 2.52 kB of 4.00 kB');
  // A third one is counted when it has come to its hole.
  const third = {
    packet: 3,
    at: 'IP',
    next: 'reassembly',
    fragment: { ...whole, from: 1480, to: 2960 },
  };
  const coming = shapesOf(withReassembly, frameOf(990, [...fragments, third], busy));
  expect(texts(coming)).toContain('reassembly · 2 fragments, 2.52 kB of 4.00 kB');
  const come = { ...third, at: 'reassembly', since: 1000, until: 90_000 };
  const there = shapesOf(withReassembly, frameOf(1000, [...fragments, come], busy));
  expect(texts(there)).toContain('reassembly · 3 fragments, 4.00 kB of 4.00 kB');
});

test('the device cuts a large segment on the wire', () => {
  const cut = (time: number) =>
    capsule(one({ at: 'wire out', bytes: 23_168, parts: 16 }, time), 1).split;
  expect(cut(0)).toBe(0);
  expect(cut(900)).toBeGreaterThan(1);
});

test('more packets than fit become a stack with their number', () => {
  const many = Array.from({ length: 40 }, (_, packet) => ({
    packet,
    at: 'qdisc',
    since: packet,
    until: 90_000,
  }));
  const shapes = shapesOf(staged(run), frameOf(5000, many, busy));
  const stack = shapes.find((shape) => shape.kind === 'stack');
  expect(stack?.count).toBeGreaterThan(30);
  expect(stack?.text).toMatch(new RegExp(`^×\\s?${stack?.count}$`));
  expect(entriesShown(shapes)).toBe(40);
});

test('the chosen packet is never lost in a stack', () => {
  const many = Array.from({ length: 40 }, (_, packet) => ({
    packet,
    at: 'qdisc',
    since: packet,
    until: 90_000,
  }));
  const frame = frameOf(5000, many, busy);
  const shapes = shapesOf(staged(run), frame, { selected: 25, selectedLabel: 'skb …e40' });
  expect(capsule(shapes, 25).mark).toBe('chosen');
  expect(texts(shapes)).toContain('skb …e40 · 1.45 kB');
  expect(entriesShown(shapes)).toBe(40);
});

test('nor in a pile on the rail', () => {
  const many = Array.from({ length: 12 }, (_, packet) => ({
    ...{ packet, at: 'IP', since: packet, until: 90_000 },
  }));
  const shapes = shapesOf(staged(run), frameOf(5000, many, busy), { followed: 7 });
  const [oldest, chosen] = [capsule(shapes, 0).rect, capsule(shapes, 7).rect];
  const pile = shapes.find(({ kind }) => kind === 'stack');
  expect(oldest.x + oldest.width).toBeLessThan(chosen.x);
  expect(chosen.x + chosen.width).toBeLessThan(pile?.rect.x ?? 0);
  expect(entriesShown(shapes)).toBe(12);
});

test('what a run never uses has no place on the stage', () => {
  const names = ['GRO', 'net core', 'IP', 'UDP', 'receive queue'];
  const visits = names.map((name) => ({
    station: station(name),
    cpu: name === 'receive queue' ? 1 : 0,
    stays: 9,
    drops: 0,
    crossings: 0,
  }));
  const { layout } = staged({ ...runOf([0, 1, 2, 3]), visits });
  expect(layout.lanes.map(({ label }) => label)).toEqual([
    'process',
    'socket',
    'UDP',
    'IP',
    'net core',
    'driver',
  ]);
  expect(layout.slots.map(({ name, column }) => `${name.split(',')[0]} ${column}`).sort()).toEqual([
    'GRO 0',
    'IP 0',
    'TCP 0',
    'net core 0',
    'receive queue 1',
  ]);
  expect(layout.columns.map(({ cpu, txRail }) => [cpu, txRail])).toEqual([
    [0, undefined],
    [1, undefined],
  ]);
  expect(layout.chips.map(({ cpu }) => cpu)).toEqual([2, 3]);
});

test('a row is called as the places in it are, on the stage as in captions and tables', () => {
  const places = (id: string) =>
    LANES.filter((lane) => lane.id === id).flatMap(({ rx }) =>
      rx.map(({ stations }) => stations[0]),
    );
  for (const { id, row } of LANES.filter((lane) =>
    ['process', 'ip', 'net-core', 'driver', 'wire'].includes(lane.id),
  )) {
    expect(places(id)).toContain(rowLabel(row));
  }
  expect(places('ring')).toEqual([`rx ${rowLabel('ring')}`]);
});

test('a vessel is full when, and only when, its queue is at its limit', () => {
  const fill = (depth: number) => {
    const { shapes, body, share } = ringWith(depth, 16);
    const vessel = shapes.find((shape) => shape.kind === 'vessel' && shape.rect === body);
    if (vessel?.kind !== 'vessel') throw new Error('no ring is drawn');
    return [vessel.isFull, share] as const;
  };
  const [isHalf, half] = fill(15);
  const [isFull, full] = fill(16);
  expect([isHalf, isFull]).toEqual([false, true]);
  expect(half).toBeLessThan(0.99);
  expect(full).toBeGreaterThan(0.98);
});

test('hand-overs between caches are marked as inferred in a recording', () => {
  const given = { packet: 1, at: 'receive queue', cpu: 0, next: 'process', nextCpu: 1 };
  const shapes = shapesOf(staged(run, 2600), frameOf(500, [given], busy));
  expect(shapes.filter(({ kind }) => kind === 'arc')).toHaveLength(1);
  expect(texts(shapes)).toContain('1 packet will go from CPU 0 to CPU 1 · inferred');
  const simulated = staged({ ...run, origin: 'simulated' });
  expect(texts(shapesOf(simulated, frameOf(500, [given], busy))).join()).not.toContain('inferred');
});

test('a narrow page shows the busiest CPU and chips for all', () => {
  const visits = [10, 50, 1].map((stays, cpu) => ({
    station: 0,
    cpu,
    stays,
    drops: 0,
    crossings: 0,
  }));
  const { layout } = staged({ ...run, visits }, 400, 700);
  expect(layout.columns.map(({ cpu }) => cpu)).toEqual([1]);
  expect(layout.chips.map(({ cpu }) => cpu)).toEqual([0, 1, 2]);
});

test('of 32 CPUs those with packets have columns, the others fold to one strip', () => {
  const cpus = Array.from({ length: 32 }, (_, cpu) => cpu);
  const visits = [3, 17].map((cpu) => ({ station: 6, cpu, stays: 9, drops: 0, crossings: 0 }));
  const { layout } = staged({ ...runOf(cpus), visits }, 1280, 560);
  expect(layout.columns.map(({ cpu }) => cpu)).toEqual([3, 17]);
  expect(layout.chips).toHaveLength(30);
  expect(layout.width).toBe(1280);
});

test('of 65,000 CPUs only those are laid out and told of that can be told apart', () => {
  const cpus = Array.from({ length: 65_000 }, (_, cpu) => cpu);
  const visits = [{ station: 6, cpu: 64_999, stays: 9, drops: 0, crossings: 0 }];
  const many = { ...runOf(cpus), visits };
  for (const [width, height] of [
    [1280, 560],
    [400, 700],
  ] as const) {
    const stage = staged(many, width, height);
    const { layout } = stage;
    expect(layout.columns.map(({ cpu }) => cpu)).toEqual([64_999]);
    expect(layout.chips.length).toBeLessThan(500);
    expect(Math.min(...layout.chips.map(({ rect }) => rect.width))).toBeGreaterThanOrEqual(4);
    expect(layout.height).toBeLessThan(2000);
    const named = new Set([64_999, ...layout.chips.map(({ cpu }) => cpu)]);
    expect(layout.rest?.count).toBe(65_000 - named.size);
    expect([5, 64_999, 0xffff].map((cpu) => columnOf(layout, cpu))).toEqual([-1, 0, 0]);
    const shapes = shapesOf(stage, frameOf(500, [], busy));
    expect(shapes.length).toBeLessThan(1500);
    expect(texts(shapes).join()).toMatch(/[\d,]+ more CPUs/);
  }
  const told = describe(frameOf(500, [], busy), many, words);
  expect(told.length).toBeLessThan(100);
  expect(told.join()).toContain('64,936 more CPUs');
});

test('a run without CPUs has one column', () => {
  const shapes = shapesOf(
    staged(runOf([])),
    frameOf(0, [{ packet: 1, at: 'transport', cpu: 0xffff }]),
  );
  expect(texts(shapes)).toContain('CPU not recorded');
  expect(entriesShown(shapes)).toBe(1);
});

test('the backdrop knows no frame and stays within the stage', () => {
  const stage = staged(run);
  const inside = ({ x, y, width, height }: Rect) =>
    0 <= x && 0 <= y && x + width <= stage.layout.width && y + height <= stage.layout.height;
  expect(backdrop(stage).filter(({ rect }) => !inside(rect))).toEqual([]);
});

test('the head names the softirq, or the task where there is room', () => {
  const cpus = [
    { context: 'softirq', detail: 3 },
    { context: 'user', pid: 534 },
    { context: 'idle' },
  ];
  const said = texts(shapesOf(staged(run, 2600), frameOf(0, [], cpus)));
  expect(said).toContain('NET_RX');
  expect(said).toContain('urecv (534)');
});

test('a task that is interrupted is pushed out by what interrupts it', () => {
  const cards = (time: number) =>
    shapesOf(
      staged(run, 2600),
      frameOf(time, [], [{ context: 'softirq', pid: 534, detail: 3 }]),
    ).flatMap((shape) => (shape.kind === 'card' ? [shape] : []));
  const [displaced, occupant] = cards(900);
  expect([displaced?.text, displaced?.isDisplaced]).toEqual(['urecv (534)', true]);
  expect([occupant?.text, occupant?.isDisplaced]).toEqual(['softirq NET_RX', false]);
  expect(displaced?.rect.x).toBeGreaterThan((occupant?.rect.x ?? 0) + (occupant?.rect.width ?? 0));
  expect(cards(0)[0]?.rect.x).toBeLessThan(displaced?.rect.x ?? 0);
});

test('on a laptop all rows are on the page without scrolling', () => {
  // 1280 x 800, with inspector, time line and transport around the stage.
  expect(staged(run, 884, 478).layout.height).toBe(478);
});

test('who passes goes behind those that stand, and the followed one before all', () => {
  const stands = { packet: 1, at: 'IP', until: 90_000, isServed: true };
  const passes = { packet: 2, at: 'net core', next: 'TCP', until: 1000 };
  const order = (view: object) =>
    shapesOf(staged(run), frameOf(960, [stands, passes], busy), view).flatMap((shape) =>
      shape.kind === 'capsule' ? [shape.packet] : [],
    );
  expect(order({})).toEqual([2, 1]);
  expect(order({ followed: 2 })).toEqual([1, 2]);
});
