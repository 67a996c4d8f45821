/** The views other than the way, without a page: the places and the names of packets in them. */
import { afterEach, expect, test } from 'vitest';
import type { Frame } from '../../core/frame.ts';
import { NONE } from '../../core/core.ts';
import { baseLocale, overwriteGetLocale } from '../../words/generated/runtime.js';
import { machineOf, NO_MACHINE } from '../machine/testing.ts';
import type { CapsuleShape, Rect, Shape } from '../shapes.ts';
import { frameOf, plain, runOf, texts, viewAt, words } from '../testing.ts';
import type { PacketGiven } from '../testing.ts';
import { estimate } from '../text.ts';
import { groundOf, type Ground } from './ground.ts';
import { pictureOf } from './picture.ts';

const busy = [{ context: 'softirq' }, { context: 'kernel', pid: 534 }];
const room = { width: 1400, height: 800, textScale: 1, measure: estimate };

const boxes = (shapes: readonly Shape[]): readonly CapsuleShape[] =>
  shapes.flatMap((shape) => (shape.kind === 'capsule' ? [shape] : []));

const run = runOf(
  [0, 1],
  [
    { kind: 'receive queue', unit: 'bytes', max: 9000, cpu: 1 },
    { kind: 'run queue', cpu: 1 },
  ],
);
const ground = groundOf(run, words, room);
const pictured = (name: 'caches' | 'queues' | 'scheduler', frame: Frame, followed: number) =>
  pictureOf(name, ground, frame, { ...viewAt(frame.time), followed });

const waiting: PacketGiven = {
  packet: 7,
  at: 'receive queue',
  next: 'process',
  nextCpu: 1,
  since: 0,
  until: 90_000,
  queue: 0,
};
const piece: PacketGiven = { ...waiting, packet: 9, pieceOf: { packet: 4, number: 3, of: 6 } };

test('only pieces of a packet wear the band of their kin', () => {
  const frame = frameOf(50_000, [waiting, piece], busy);
  const kin = (name: 'queues' | 'scheduler', packet: number) =>
    boxes(pictured(name, frame, packet).shapes)
      .filter((box) => box.packet === packet)
      .map((box) => box.kin);
  // The followed packet is under its CPU's head and in its place.
  expect(kin('queues', 7)).toEqual([NONE, NONE]);
  expect(kin('queues', 9)).toEqual([4, 4]);
  expect(kin('scheduler', 7)).toEqual([NONE, NONE]);
});

test('a piece is called in every view what it is called on the way', () => {
  const frame = frameOf(50_000, [piece], busy);
  const { shapes } = pictured('scheduler', frame, 9);
  expect(boxes(shapes).map(({ names }) => names[0])).toEqual(['4 · 3/6', '4 · 3/6']);
  expect(texts(shapes)).toContain('4 · 3/6 · receive queue');
  expect(texts(pictured('caches', frame, 9).shapes)).toContain(
    'packet 4 · 3/6 · receive queue → CPU 1',
  );
});

test('the name of a queue is short before it is cut', () => {
  const kinds = ['rx ring', 'socket backlog', 'out-of-order queue', 'receive queue', 'qdisc'];
  const queues = kinds.map((kind) => ({ kind, max: 9, cpu: 0 }));
  const several = runOf([0], queues);
  overwriteGetLocale(() => 'de');
  const narrow = groundOf(several, words, { ...room, width: 800, height: 400 });
  const frame = frameOf(0, [], busy, queues);
  const said = texts(pictureOf('queues', narrow, frame, viewAt(0)).shapes);
  expect(said.filter((text) => text.endsWith('…'))).toEqual([]);
  expect(said).toEqual(expect.arrayContaining(['Empfangsring', 'out of order', 'Empfang']));
});

test('on a phone all tanks are in sight, and each has its name and its depth', () => {
  const kinds = ['rx ring', 'socket backlog', 'receive queue', 'qdisc', 'tx ring'];
  const queues = kinds.map((kind) => ({ kind, label: 'port 5002', max: 9, cpu: 0, depth: 3 }));
  const several = runOf([0, 1, 2, 3], queues);
  const phone = groundOf(several, words, { ...room, width: 374, height: 322 });
  const { height, shapes } = pictureOf('queues', phone, frameOf(0, [], busy, queues), viewAt(0));
  expect(shapes.filter(({ kind }) => kind === 'tank')).toHaveLength(5);
  expect(height).toBeCloseTo(322);
  const said = texts(shapes.filter(({ thing }) => thing?.kind === 'queue'));
  expect(said.filter((text) => !text.startsWith('3 ')).map((text) => text.split(' · ')[0])).toEqual(
    kinds,
  );
  expect(said.filter((text) => text.startsWith('3 '))).toHaveLength(5);
});

test('on a phone the name of a queue without a label stands alone', () => {
  const queues = [{ kind: 'rx ring', label: '', max: 9, cpu: 0, depth: 3 }];
  const phone = groundOf(runOf([0], queues), words, { ...room, width: 374, height: 250 });
  const { shapes } = pictureOf('queues', phone, frameOf(0, [], busy, queues), viewAt(0));
  expect(texts(shapes).filter((text) => text.startsWith('rx ring'))).toEqual(['rx ring']);
});

test('where there is one line for it, a queue among others of its kind is called by its label', () => {
  const sockets = ['port 5002', 'port 5003', '192.0.2.1:43050 long'];
  const queues = sockets.map((label) => ({ kind: 'receive queue', label, max: 9, cpu: 0 }));
  const phone = groundOf(runOf([0], queues), words, { ...room, width: 374, height: 250 });
  const { shapes } = pictureOf('queues', phone, frameOf(0, [], busy, queues), viewAt(0));
  for (const label of sockets)
    expect(texts(shapes).filter((text) => text.startsWith(label.slice(0, 9)))).toHaveLength(1);
});

test('the followed packet stands below the head of its CPU, with its frame', () => {
  const { shapes } = pictured('caches', frameOf(50_000, [waiting], busy), 7);
  const heads = shapes.filter(({ kind, thing }) => kind === 'panel' && thing?.kind === 'cpu');
  const bottom = Math.max(...heads.map(({ rect }) => rect.y + rect.height));
  const [box] = boxes(shapes);
  expect(heads).toHaveLength(2);
  // The frame around it and the head's own line take some pixels.
  expect((box?.rect.y ?? 0) - bottom).toBeGreaterThan(6);
});

test('a packet is in the tank of its own queue, also when it is refused', () => {
  const queues = ['port 1', 'port 2'].map((label, at) => ({
    ...{ kind: 'receive queue', label, unit: 'bytes', max: 9000 - at, limit: 9000, depth: 1 },
  }));
  const two = groundOf(runOf([0, 1], queues), words, room);
  const given: readonly PacketGiven[] = [
    { ...waiting, queue: 1 },
    { ...waiting, packet: 8, queue: 1, until: 50_000, verdict: 'dropped', reason: 'NO_SOCKET' },
  ];
  const frame = frameOf(50_000, given, busy, queues);
  const { shapes } = pictureOf('queues', two, frame, { ...viewAt(frame.time), followed: 7 });
  const [first, second] = shapes.filter(({ kind }) => kind === 'tank');
  const split = ((first?.rect.x ?? 0) + (second?.rect.x ?? 0)) / 2;
  const below = first?.rect.y ?? 0;
  const inTanks = shapes.filter(({ rect }) => rect.y >= below);
  const [box] = boxes(inTanks);
  expect(box?.rect.x).toBeGreaterThan(split);
  expect(inTanks.find(({ kind }) => kind === 'drop')?.rect.x).toBeGreaterThan(split);
});

test('words tell of the copy that is drawn', () => {
  const caches = [[0], [1]];
  const model = runOf([0, 1], [], { machine: { ...NO_MACHINE, caches, clockKhz: 1_000_000 } });
  const copies = [
    [0, 7, 0, 10_000, 0, 1, 4, 400],
    [1, 9, 2000, 10_000, 0, 0, 4, 400],
  ];
  const waits = [waiting, { ...waiting, packet: 4 }];
  const frame = { ...frameOf(5000, waits, busy), machine: machineOf({ copies }) };
  const of = (followed: number | undefined, actor?: number) => {
    const view = { ...viewAt(frame.time), followed, actor };
    const { shapes, sentences } = pictureOf('caches', groundOf(model, words, room), frame, view);
    const title = texts(shapes).find((text) => text.includes('copies packet'));
    return [title, plain(sentences().join(' ')).includes(title ?? '?')];
  };
  expect(of(7)).toEqual(['CPU 0 copies packet 7 to the process: 10.0 µs', true]);
  expect(of(undefined)).toEqual(['CPU 1 copies packet 9 to the process: 8.00 µs', true]);
  // The one that is framed is the one that is priced, also while it only waits.
  expect(of(undefined, 7)).toEqual(['CPU 0 copies packet 7 to the process: 10.0 µs', true]);
  expect(of(4)[0]).toBeUndefined();
});

test('the width of a count is found once for a layout, and once more in another language', () => {
  const asked: string[] = [];
  const measure: typeof estimate = (text, ...look) => {
    asked.push(text);
    return estimate(text, ...look);
  };
  const objects = ['data', 'sock', 'lock'];
  const mostLines = [54_321, 12, 3];
  const machine = { ...NO_MACHINE, caches: [[0], [1]], objects, mostLines };
  const model = groundOf(runOf([0, 1], [], { machine }), words, { ...room, measure });
  const widest = (time: number) => {
    asked.length = 0;
    const frame = { ...frameOf(time, [], busy), machine: machineOf({ held: [[0, 0, 23]] }) };
    pictureOf('caches', model, frame, viewAt(time));
    return asked.filter((text) => text.includes('54')).length;
  };
  expect([widest(5000), widest(6000)]).toEqual([1, 0]);
  overwriteGetLocale(() => 'de');
  expect([widest(7000), widest(8000)]).toEqual([1, 0]);
});

test('who waits for a CPU stands in its run queue, and who reads is always seen there', () => {
  const tasks = Array.from({ length: 40 }, (_, at) => ({ pid: 100 + at, comm: `task${at}` }));
  const socket = { kind: 'receive queue', cpu: 1, reader: 130, unit: 'bytes', max: 9000 };
  const run = runOf([0, 1], [socket], { machine: { ...NO_MACHINE, hasTasks: true }, tasks });
  const waits = tasks.map(({ pid }, at) => [1, pid, at * 100, 3, 7]);
  const frame = { ...frameOf(50_000, [waiting], busy), machine: machineOf({ waits }) };
  const { shapes, sentences } = pictureOf(
    'scheduler',
    groundOf(run, words, room),
    frame,
    viewAt(50_000),
  );
  const queue = shapes.find((shape) => shape.kind === 'vessel' && shape.rect.x > room.width / 2);
  const reader = shapes.find((shape) => shape.kind === 'label' && shape.text === 'task30 (130)');
  expect(reader?.rect.y).toBeGreaterThan(queue?.rect.y ?? Infinity);
  // Its packet stands at it, and nowhere else.
  const middle = (rect?: Rect) => (rect === undefined ? NaN : rect.y + rect.height / 2);
  const [box, ...others] = boxes(shapes);
  expect(others).toEqual([]);
  expect(Math.abs(middle(box?.rect) - middle(reader?.rect))).toBeLessThan(3);
  expect(sentences()[30]).toMatch(/^CPU 1, number 31: task30 \(130\), 1 packet waits for it, /);
});

test('a reader is seen among those who wait also while no packet waits for it', () => {
  const tasks = Array.from({ length: 40 }, (_, at) => ({ pid: 100 + at, comm: `task${at}` }));
  const socket = { kind: 'receive queue', cpu: 1, reader: 139, unit: 'bytes', max: 9000 };
  const run = runOf([0, 1], [socket, { kind: 'run queue', cpu: 1 }], { tasks });
  const waits = tasks.map(({ pid }, at) => [1, pid, at * 100, 3, 7]);
  const frame = { ...frameOf(50_000, [], busy), machine: machineOf({ waits }) };
  const { shapes } = pictureOf('scheduler', groundOf(run, words, room), frame, viewAt(50_000));
  expect(texts(shapes)).toEqual(expect.arrayContaining(['task0 (100)', 'task39 (139)']));
  expect(texts(shapes)).not.toContain('task38 (138)');
});

test('a CPU that works in a softirq without a task is not said to run nothing', () => {
  const frame = frameOf(50_000, [], [{ context: 'softirq', detail: 3 }, { context: 'idle' }]);
  const said = texts(pictureOf('scheduler', ground, frame, viewAt(50_000)).shapes);
  expect(said).toEqual(expect.arrayContaining(['softirq NET_RX', 'no process runs']));
  expect(said.filter((text) => text === 'nobody runs')).toHaveLength(1);
});

test('who waits stands in the order of its scheduler, with what it has to show', () => {
  const tasks = [8, 9, 10].map((pid) => ({ pid, comm: 'task' }));
  const model = { ...NO_MACHINE, hasTasks: true, longestSlice: 40_000_000 };
  const run = runOf([0], [], { machine: model, tasks });
  const told = (waits: readonly (readonly number[])[]) => {
    const frame = { ...frameOf(50_000, [], [{ context: 'idle' }]), machine: machineOf({ waits }) };
    const view = viewAt(50_000);
    const picture = pictureOf('scheduler', groundOf(run, words, room), frame, view);
    const labels = picture.shapes.filter(({ rect }) => rect.y > 100);
    const gauges = labels.flatMap((shape) => (shape.kind === 'gauge' ? [shape.share] : []));
    return { labels: texts(labels).map(plain), gauges, words: picture.sentences().map(plain) };
  };
  // The longest waiting comes last, as its slice is used up.
  const slices = told([
    [0, 8, 10_000, 0, 1, 3, 1, 0],
    [0, 9, 20_000, 0, 1, 1, 1, 30_000_000],
    [0, 10, 30_000, 0, 1, 2, 1, 10_000_000],
  ]);
  expect(slices.labels.filter((text) => text.startsWith('task'))).toEqual([
    'task (9)',
    'task (10)',
    'task (8)',
  ]);
  expect(slices.labels).toContain('3 tasks wait · the next one first');
  expect(slices.labels).toContain('30.0 ms left of its slice');
  expect(slices.gauges).toEqual([0.75, 0.25, 0]);
  expect(slices.words[2]).toMatch(/^CPU 0, number 3: task \(8\), its slice is used up, woken by /);

  const due = told([
    [0, 8, 10_000, 0, 1, 1, 2, 0],
    [0, 9, 20_000, 0, 1, 2, 2, 1_500_000],
    [0, 10, 30_000, 0, 1, 3, 3, 200_000],
  ]);
  for (const text of ['due first', 'due 1.50 ms later', '200 µs ahead of its share']) {
    expect(due.labels).toContain(text);
  }
  expect(due.gauges).toEqual([]);

  // A recording tells when they woke, and no order.
  const recorded = told([
    [0, 8, 10_000, 0, 1],
    [0, 9, 20_000, 0, 1],
  ]);
  expect(recorded.labels).toContain('2 tasks wait · the longest first, as no order is recorded');
  expect(recorded.gauges).toEqual([]);
});

test('the states of cache lines are drawn, named and told; without any told none is', () => {
  const caches = [[0], [1]];
  const states = { ...NO_MACHINE, caches, objects: ['data'], mostLines: [60] };
  const machine = machineOf({
    held: [
      [0, 0, 30, 10, 5, 15, 0],
      [1, 0, 15, 0, 0, 15, 8],
    ],
  });
  const picture = (tellsStates: boolean) => {
    const ground = groundOf(
      runOf([0, 1], [], { machine: { ...states, tellsStates } }),
      words,
      room,
    );
    const frame = { ...frameOf(5000, [], busy), machine };
    return pictureOf('caches', ground, frame, viewAt(frame.time));
  };
  const told = picture(true);
  const grids = told.shapes.flatMap((shape) => (shape.kind === 'grid' ? [shape] : []));
  expect(grids[0]).toMatchObject({ lines: 30, states: { modified: 10, exclusive: 5, shared: 15 } });
  expect(grids[1]).toMatchObject({ lines: 15, invalidated: 8 });
  const legend = ['modified', 'exclusive', 'shared', 'invalidated just now'];
  expect(texts(told.shapes)).toEqual(expect.arrayContaining(legend));
  expect(told.sentences().map(plain)).toContain(
    'Lines in the cache of CPU 1 by state: packets’ payload 15 shared, 8 invalidated just now.',
  );
  const untold = picture(false);
  expect(texts(untold.shapes).filter((text) => legend.includes(text))).toEqual([]);
  expect(untold.sentences().join(' ')).not.toContain('by state');
});

test('a cache line is as long as the machine’s', () => {
  const caches = [[0], [1]];
  const scale = (lineBytes: number) => {
    const machine = { ...NO_MACHINE, caches, objects: ['data'], mostLines: [8], lineBytes };
    const ground = groundOf(runOf([0, 1], [], { machine }), words, room);
    const frame = { ...frameOf(5000, [], busy), machine: machineOf({ held: [[0, 0, 8]] }) };
    return texts(pictureOf('caches', ground, frame, viewAt(frame.time)).shapes);
  };
  expect(scale(32)).toContain('a square is 1 lines of 32 bytes');
  expect(scale(64)).toContain('a square is 1 lines of 64 bytes');
  // Without lines told, a packet's bytes are as many as it takes.
  const lines = (lineBytes: number) => {
    const machine = { ...NO_MACHINE, lineBytes };
    const ground = groundOf(runOf([0, 1], [], { machine }), words, room);
    const frame = frameOf(50_000, [{ ...waiting, bytes: 640 }], busy);
    const { shapes } = pictureOf('caches', ground, frame, viewAt(frame.time));
    return shapes.flatMap((shape) => (shape.kind === 'grid' ? [shape.lines] : []));
  };
  expect(lines(32)).toEqual([20]);
  expect(lines(64)).toEqual([10]);
});

test('who is pushed out has its name all the way and never covers who pushes it', () => {
  const tasks = [
    { pid: 8, comm: 'old' },
    { pid: 9, comm: 'new' },
  ];
  const run = runOf([0], [], { machine: { ...NO_MACHINE, hasTasks: true }, tasks });
  const machine = machineOf({ waits: [[0, 8, 50_000, 3, 9]] });
  for (const time of [50_000, 50_050, 50_200, 51_000]) {
    const frame = { ...frameOf(time, [], [{ context: 'user', pid: 9 }]), machine };
    const { shapes } = pictureOf('scheduler', groundOf(run, words, room), frame, viewAt(time));
    const label = (text: string) =>
      shapes.findLast((shape) => shape.kind === 'label' && shape.text === text)?.rect;
    const [old, running] = [label('old (8)'), label('new (9)')];
    expect(old, `${time}`).toBeDefined();
    expect(old?.y, `${time}`).toBeGreaterThan((running?.y ?? Infinity) + (running?.height ?? 0));
  }
});

afterEach(() => {
  overwriteGetLocale(() => baseLocale);
});

test('what was laid out in one language is told in another as if laid out in it', () => {
  const structures = ['sock', 'lock', 'runqueue', 'task', 'stack', 'one', 'two', 'three', 'four'];
  const objects = ['data', 'user', 'skb', ...structures, 'five', 'six', 'seven', 'eight'];
  const mostLines = objects.map(() => 8);
  const machine = { ...NO_MACHINE, caches: [[0], [1]], objects, mostLines };
  const model = runOf([0, 1], [{ kind: 'receive queue', max: 9000, cpu: 1 }], { machine });
  const frame = frameOf(50_000, [waiting], busy);
  for (const name of ['queues', 'caches', 'scheduler', 'locks'] as const) {
    const told = (from: Ground) => texts(pictureOf(name, from, frame, viewAt(frame.time)).shapes);
    const kept = groundOf(model, words, room);
    const english = told(kept);
    overwriteGetLocale(() => 'de');
    expect(told(kept), name).toEqual(told(groundOf(model, words, room)));
    expect(told(kept), name).not.toEqual(english);
    overwriteGetLocale(() => baseLocale);
  }
});

test('in a narrow window two queues and what came of all packets are above the edge', () => {
  const queues = ['rx ring', 'receive queue'].map((kind) => ({ kind, max: 9, cpu: 0 }));
  const narrow = { ...room, width: 374, height: 290 };
  const picture = pictureOf(
    ...(['queues', groundOf(runOf([0, 1], queues), words, narrow)] as const),
    frameOf(0, [], busy, queues),
    viewAt(0),
  );
  expect(texts(picture.shapes).join()).toContain('so far');
  expect(picture.height).toBeLessThan(291);
});

test('on a phone the caches of two CPUs stand beside each other, both in sight', () => {
  const phone = groundOf(run, words, { ...room, width: 376, height: 320 });
  expect(phone.isCompact).toBe(true);
  const frame = frameOf(50_000, [waiting], busy);
  const { height, shapes } = pictureOf('caches', phone, frame, viewAt(50_000));
  const panels = shapes.flatMap((shape) =>
    shape.kind === 'panel' && shape.thing?.kind === 'cache' ? [shape.rect] : [],
  );
  expect(panels).toHaveLength(2);
  expect(panels[0]?.y).toBe(panels[1]?.y);
  expect(height).toBeLessThanOrEqual(320);
});
