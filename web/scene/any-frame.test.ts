/**
 * Invariants of every frame on every page: nothing overlaps, nothing is cut off, nothing is missing, and
 * the same time gives the same picture.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from './callout.ts';
import { entriesIn } from './scene.ts';
import type { Frame } from '../core/frame.ts';
import type { Slot } from './layout.ts';
import type { Rect, Shape } from './shapes.ts';
import { entriesShown, frameOf, glossary, runOf, shapesOf, staged, viewAt } from './testing.ts';
import type { PacketGiven } from './testing.ts';

const CPUS = [0, 1, 2, 3];
const QUEUES = [
  { kind: 'rx ring', label: 'eth0', max: 200, depth: 17, limit: 256 },
  {
    kind: 'receive queue',
    label: 'port 5001',
    unit: 'bytes',
    max: 90_000,
    depth: 4096,
    limit: 8192,
  },
  {
    kind: 'socket backlog',
    label: 'port 5001',
    unit: 'bytes',
    max: 9000,
    depth: 0,
    limit: 425_984,
  },
  { kind: 'reassembly', max: 6, depth: 3 },
  { kind: 'backlog', label: 'CPU 1', cpu: 1, max: 100, depth: 3, limit: 1000 },
  { kind: 'run queue', label: 'CPU 1', cpu: 1, max: 3, depth: 2, unit: 'tasks' },
];
const run = runOf(CPUS, QUEUES);
const TIME = 10_000;
/** A hair's breadth: sums of fractions are not exact. */
const EPSILON = 0.01;

const packet = fc
  .record({
    station: fc.constantFrom(...glossary.stations),
    next: fc.option(fc.constantFrom(...glossary.stations), { nil: undefined }),
    cpu: fc.constantFrom(...CPUS, 0xffff),
    nextCpu: fc.constantFrom(...CPUS, 0xffff),
    before: fc.integer({ min: 0, max: 2000 }),
    after: fc.integer({ min: 1, max: 2000 }),
    isServed: fc.boolean(),
    bytes: fc.integer({ min: 0, max: 66_000 }),
    parts: fc.integer({ min: 1, max: 45 }),
    group: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    ending: fc.option(fc.constantFrom('delivered', 'merged', 'dropped', 'transmitted'), {
      nil: undefined,
      freq: 4,
    }),
  })
  .map(({ station, next, before, after, group, ending, ...rest }): Omit<PacketGiven, 'packet'> => ({
    ...rest,
    at: station.name,
    since: TIME - before,
    until: ending === undefined ? TIME + after : TIME - Math.min(before, 150),
    ...(next === undefined || ending !== undefined ? {} : { next: next.name }),
    ...(group === undefined
      ? {}
      : { fragment: { group, from: rest.parts * 100, to: rest.parts * 100 + 1480, of: 8000 } }),
    ...(ending === undefined ? {} : { verdict: ending, into: 0, reason: 'SOCKET_RCVBUFF' }),
  }));

const frames = fc
  .tuple(fc.array(packet, { maxLength: 60 }), fc.constantFrom('idle', 'user', 'softirq', 'kernel'))
  .map(([packets, context]) =>
    frameOf(
      TIME,
      packets.map((given, at) => ({ ...given, packet: at })),
      CPUS.map(() => ({ context, pid: 534 })),
      QUEUES,
    ),
  );

type Station = (typeof glossary.stations)[number];

interface Hop {
  readonly at: Station;
  readonly next: Station;
  readonly cpu: number;
  readonly nextCpu: number;
  /** How much of its stay is over. */
  readonly share: number;
  readonly parts: number;
  readonly size: readonly number[];
}

const pages = fc.constantFrom([1280, 640], [1600, 900], [884, 478], [900, 560], [400, 640]);
const textSizes = fc.constantFrom(1, 1.5, 2.5);
const settings = { numRuns: 150 };

/** On the outermost rail, and wider in its next place than where it is. */
const GROWING: [Frame, readonly [1600, 900], 1] = [
  frameOf(
    TIME,
    [
      {
        packet: 0,
        at: 'TCP send',
        next: 'wire',
        cpu: 3,
        nextCpu: 3,
        since: TIME - 3,
        until: TIME + 2,
        bytes: 9,
        parts: 8,
      },
    ],
    CPUS.map(() => ({ context: 'user', pid: 534 })),
    QUEUES,
  ),
  [1600, 900],
  1,
];

const [gro, tcp] = ['GRO', 'TCP'].map((name) =>
  glossary.stations.find((station) => station.name === name),
) as [Station, Station];

/** Wider than its rail, so that it reaches over the rail's edge while it turns onto it, beside GRO's name. */
const TURNING = Array.from({ length: 60 }, (_, at): [Hop] => [
  {
    at: gro,
    next: tcp,
    cpu: 0,
    nextCpu: 0,
    share: 0.4 + at / 500,
    parts: 17,
    size: at % 2 === 0 ? [1280, 640] : [884, 478],
  },
]);

const boxes = (shapes: readonly Shape[], ...kinds: Shape['kind'][]): readonly Rect[] =>
  shapes.filter(({ kind }) => kinds.includes(kind)).map(({ rect }) => shrunk(rect));

const shrunk = ({ x, y, width, height }: Rect): Rect => ({
  x: x + EPSILON,
  y: y + EPSILON,
  width: width - 2 * EPSILON,
  height: height - 2 * EPSILON,
});

test('every packet is in exactly one shape, or counted on a CPU that is not shown', () => {
  fc.assert(
    fc.property(frames, pages, textSizes, (frame, [width, height], textSize) => {
      const stage = staged(run, width, height, textSize);
      const view = { ...viewAt(TIME), linger: 0 };
      const entries = entriesIn(stage, frame, view);
      const hidden = [...entries.hidden.values()].reduce((sum, count) => sum + count, 0);
      const alive = frame.packets.verdict.filter((verdict) => verdict === 0xff).length;
      expect(entries.live.length + hidden).toBe(alive);
      // What ended is drawn too, but stands for nothing in flight.
      const shown = shapesOf(stage, frame, view).filter(
        (shape) => shape.kind !== 'capsule' || frame.packets.verdict[shape.packet] === 0xff,
      );
      expect(entriesShown(shown)).toBe(entries.live.length);
    }),
    settings,
  );
});

test('no two texts overlap', () => {
  fc.assert(
    fc.property(frames, pages, textSizes, (frame, [width, height], textSize) => {
      const shapes = shapesOf(staged(run, width, height, textSize), frame);
      const texts = boxes(
        shapes.filter((shape) => shape.kind !== 'label' || !shape.isPlate),
        'label',
        'pill',
      );
      texts.forEach((text, at) => expect(overlaps(text, texts.slice(at + 1))).toBe(0));
    }),
    settings,
  );
});

test('texts are 12 px or more', () => {
  fc.assert(
    fc.property(frames, pages, (frame, [width, height]) => {
      for (const shape of shapesOf(staged(run, width, height), frame)) {
        if ('size' in shape) expect(shape.size).toBeGreaterThanOrEqual(12);
      }
    }),
    settings,
  );
});

test('all is within the stage', () => {
  fc.assert(
    fc.property(frames, pages, textSizes, (frame, [width, height], textSize) => {
      const stage = staged(run, width, height, textSize);
      for (const { rect, kind } of shapesOf(stage, frame)) {
        const { x, y } = shrunk(rect);
        expect(x, kind).toBeGreaterThanOrEqual(0);
        expect(y, kind).toBeGreaterThanOrEqual(0);
        expect(x + rect.width - 2 * EPSILON, kind).toBeLessThanOrEqual(stage.layout.width);
        expect(y + rect.height - 2 * EPSILON, kind).toBeLessThanOrEqual(stage.layout.height);
      }
    }),
    { ...settings, examples: [GROWING] },
  );
});

test('packets that stand are in their slot and do not overlap', () => {
  fc.assert(
    fc.property(frames, pages, textSizes, (frame, [width, height], textSize) => {
      const stage = staged(run, width, height, textSize);
      const live = { ...frame, packets: frame.packets };
      const shapes = shapesOf(stage, live, { travel: 0, linger: 0 }).filter(
        (shape) => shape.kind !== 'capsule' || frame.packets.verdict[shape.packet] === 0xff,
      );
      const standing = boxes(shapes, 'capsule', 'stack', 'stream', 'assembly');
      standing.forEach((rect, at) => {
        expect(stage.layout.slots.some((slot) => isIn(slot, rect))).toBe(true);
        expect(overlaps(rect, standing.slice(at + 1))).toBe(0);
      });
    }),
    settings,
  );
});

test('no packet that hops covers the name of a place', () => {
  const cpus = fc.constantFrom(...CPUS);
  const hop: fc.Arbitrary<Hop> = fc.record({
    at: fc.constantFrom(...glossary.stations),
    next: fc.constantFrom(...glossary.stations),
    cpu: cpus,
    nextCpu: cpus,
    share: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
    // What is merged of many frames is wider than its rail.
    parts: fc.constantFrom(1, 17),
    size: fc.constantFrom([1280, 640], [1600, 900], [884, 478], [1900, 860]),
  });
  fc.assert(
    fc.property(hop, ({ at, next, cpu, nextCpu, share, parts, size: [width = 0, height = 0] }) => {
      // What is received is not sent on in these kernels; what is sent to oneself is received.
      fc.pre(at.direction === next.direction || at.direction === 'tx');
      const stage = staged(run, width, height);
      const since = TIME - 100 * share;
      const stay = { since, until: since + 100, cpu, nextCpu, parts, bytes: parts * 1448 };
      const given = [{ packet: 0, at: at.name, next: next.name, ...stay }];
      const shapes = shapesOf(stage, frameOf(TIME, given, [], QUEUES));
      const flying = boxes(shapes, 'capsule');
      const names = shapes.filter(
        (shape) => shape.kind === 'label' && shape.rect.y >= (stage.layout.lanes[0]?.rect.y ?? 0),
      );
      for (const rect of flying) expect(overlaps(rect, boxes(names, 'label'))).toBe(0);
    }),
    { numRuns: 400 + TURNING.length, examples: TURNING },
  );
});

test('the same moment is the same picture, whatever came between', () => {
  const stage = staged(run);
  fc.assert(
    fc.property(frames, frames, (one, other) => {
      const before = JSON.stringify(shapesOf(stage, one));
      shapesOf(stage, other);
      expect(JSON.stringify(shapesOf(stage, one))).toBe(before);
    }),
    { numRuns: 40 },
  );
});

/** A slot with the way that its packets rise while they are worked on. */
function roomOf({ body, rise }: Slot): Rect {
  return { ...body, y: body.y - rise, height: body.height + rise };
}

/** On its rail or in its vessel, or beside the rail where others wait. */
function isIn(slot: Slot, rect: Rect): boolean {
  const room = roomOf(slot);
  const { spill } = slot;
  if (spill === undefined) return contains(room, rect);
  // One that is alone on its rail may reach over its edge into the free middle of the lane.
  const x = Math.min(room.x, spill.x);
  const right = Math.max(room.x + room.width, spill.x + spill.width);
  return [room, spill, { ...room, x, width: right - x }].some((one) => contains(one, rect));
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

test('no packet jumps from one moment to the next', () => {
  const few = fc.array(packet, { minLength: 1, maxLength: 3 });
  const stage = staged(run);
  const where = (packets: readonly Omit<PacketGiven, 'packet'>[], time: number) => {
    const given = packets.map((each, at) => ({ ...each, packet: at }));
    const shapes = shapesOf(stage, frameOf(time, given, [], QUEUES), { linger: 1000 });
    return new Map(
      shapes.flatMap((shape) => (shape.kind === 'capsule' ? [[shape.packet, shape.rect]] : [])),
    );
  };
  fc.assert(
    fc.property(few, fc.integer({ min: 0, max: 900 }), (packets, after) => {
      const lasting = packets.map((each) => ({ ...each, until: (each.until ?? 0) + 1000 }));
      const [before, then] = [where(lasting, TIME + after), where(lasting, TIME + after + 0.01)];
      for (const [id, rect] of then) {
        const last = before.get(id);
        if (last !== undefined)
          expect(Math.hypot(rect.x - last.x, rect.y - last.y)).toBeLessThan(2);
      }
    }),
    settings,
  );
});
