/** Data that only a model has, as shapes: what is drawn, its texts, and that it fits on every page. */
import fc from 'fast-check';
import { describe as group, expect, test } from 'vitest';
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import { NO_CPU, NONE } from '../../core/core.ts';
import { overlaps } from '../callout.ts';
import { describe } from '../describe.ts';
import { explain } from '../explain.ts';
import type { ArcShape, Shape, StackedShape } from '../shapes.ts';
import { frameOf, plain, runOf, shapesOf, staged, words } from '../testing.ts';
import { machineOf, NO_MACHINE } from './testing.ts';
import type { MachineGiven } from './testing.ts';
import { countText } from './texts.ts';

const QUEUES = [
  { kind: 'rx ring', label: 'eth0', max: 9, depth: 3, limit: 384 },
  { kind: 'prequeue', label: 'port 5001', max: 4, depth: 2 },
  { kind: 'socket backlog', label: 'port 5001', unit: 'bytes', max: 9000, depth: 1800 },
  { kind: 'run queue', label: 'CPU 1', cpu: 1, max: 3, depth: 1, unit: 'tasks' },
];

const model = (cpus: readonly number[], more: Partial<Opened['machine']> = {}): Opened =>
  runOf(cpus, QUEUES, {
    origin: 'simulated',
    machine: {
      ...NO_MACHINE,
      caches: cpus.map((cpu) => [cpu]),
      cacheLines: 8192,
      objects: ['data', 'skb', 'sock'],
      locks: ['sock'],
      timers: ['eth0'],
      hasTasks: true,
      longestSlice: 100e6,
      hasProbeCosts: true,
      ...more,
    },
  });

const run = model([0, 1]);

/** A moment at 10 µs; what just happened did so within the last 200 ns. */
function moment(given: MachineGiven): Frame {
  const cpus = [
    { context: 'softirq', pid: 77 },
    { context: 'kernel', pid: 534 },
  ];
  return { ...frameOf(10_000, [], cpus, QUEUES), machine: machineOf(given) };
}

const texts = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => ('text' in shape ? [plain(shape.text)] : []));

const arcs = (shapes: readonly Shape[]) =>
  shapes.filter((shape): shape is ArcShape => shape.kind === 'arc');

const bars = (shapes: readonly Shape[]) =>
  shapes.filter((shape): shape is StackedShape => shape.kind === 'stacked' && shape.isBedded);

const says = (given: MachineGiven, width = 4800) =>
  texts(shapesOf(staged(run, width), moment(given)));

test('numbers take five digits at the most', () => {
  const told = [0, 812, 12_304, 456_000, 2_410_000].map(countText);
  expect(told.map(plain)).toEqual([...['0', '812', '12,304', '456 k', '2.41 M']]);
});

group('caches', () => {
  const held = [
    [0, 0, 4096],
    [0, 1, 2048],
    [1, 0, 23],
  ];

  test('a bar is as long as its cache is full, with a part for each kind', () => {
    const [first, second] = bars(shapesOf(staged(run), moment({ held })));
    if (first === undefined || second === undefined) throw new Error('two bars are missing');
    expect(first.parts.map(({ width }) => width / first.rect.width)).toEqual([0.5, 0.25]);
    expect(second.parts).toHaveLength(1);
    expect(second.parts[0]?.width).toBe(2);
  });

  test('it says how many lines of what it holds, and of how many', () => {
    const said = says({ held });
    expect(said).toEqual(
      expect.arrayContaining([
        ...['packets’ payload 4,096', 'sk_buff 2,048', 'packets’ payload 23'],
      ]),
    );
    expect(said.join()).toContain('6,144 of 8,192 lines');
  });

  test('hyper-threads side by side share one block', () => {
    const shared = model([0, 1, 2, 3], {
      caches: [
        [0, 1],
        [2, 3],
      ],
    });
    const stage = staged(shared, 3200);
    const shapes = shapesOf(stage, moment({ held: [[1, 0, 23]] }));
    expect(bars(shapes)).toHaveLength(2);
    expect(texts(shapes)).toContain('cache of CPU 2, 3 · 23 of 8,192 lines');
  });

  test('hyper-threads apart say whose cache they share', () => {
    const shared = model([0, 1, 2, 3], {
      caches: [
        [0, 2],
        [1, 3],
      ],
    });
    const shapes = shapesOf(staged(shared, 3200), moment({ held: [[0, 0, 23]] }));
    expect(bars(shapes)).toHaveLength(2);
    expect(texts(shapes)).toContain('shares the cache of CPU 1');
  });

  test('a recording keeps its own row, and says that it is inferred', () => {
    const recorded = runOf([0, 1]);
    const shapes = shapesOf(staged(recorded), frameOf(10_000, []));
    expect(shapes.filter(({ kind }) => kind === 'cache')).toHaveLength(2);
    expect(texts(shapes)).toContain('inferred');
  });
});

group('lines on their way', () => {
  const flows = [
    [0, 1, 60, 12_000, 23, 4577],
    [1, 0, 6, 1280, 0, 0],
  ];
  const moves = [[0, 1, 0, 23, 4577, 9900]];

  test('they cross from cache to cache, with their number and price', () => {
    const shapes = shapesOf(staged(run, 4800), moment({ flows, moves }));
    const [arc] = arcs(shapes);
    expect(arcs(shapes)).toHaveLength(1);
    expect(arc?.from[0]).toBeLessThan(arc?.to[0] ?? 0);
    expect(arc?.squares?.length).toBeGreaterThan(1);
    expect(texts(shapes)).toContain('23 lines CPU 0 → CPU 1 · 4,577 cycles');
    expect(texts(shapes)).toContain('66 moved');
  });

  test('they are further the later it is, and are there after half a second of film', () => {
    const first = (at: number) =>
      arcs(shapesOf(staged(run), moment({ flows, moves: [[0, 1, 0, 1, 200, at]] })))[0]
        ?.squares?.[0];
    expect(first(10_000)).toBe(0);
    expect(first(9_750)).toBeCloseTo(0.5, 1);
    expect(first(9_450)).toBeUndefined();
  });

  test('both ways have one label', () => {
    const both = [
      [0, 1, 60, 12_000, 23, 4577],
      [1, 0, 6, 1280, 6, 1280],
    ];
    const shapes = shapesOf(staged(run), moment({ flows: both }));
    expect(arcs(shapes)).toHaveLength(2);
    expect(texts(shapes).filter((text) => text.includes('←'))).toHaveLength(1);
  });

  test('without motion the numbers stand alone', () => {
    const shapes = shapesOf(staged(run), moment({ flows, moves }), { travel: 0 });
    expect(arcs(shapes)[0]?.squares).toEqual([]);
    expect(texts(shapes)).toContain('23 lines CPU 0 → CPU 1 · 4,577 cycles');
  });
});

test('a lock is told at who spins and at who holds it', () => {
  const said = says({ locks: [[0, 1]], spins: [[0, 0, 6000]] }, 4800);
  expect(said).toContain('spins 4.00 µs on sock, held by CPU 1');
  expect(said).toContain('holds sock, waited for by CPU 0 for 4.00 µs');
  const free = says({ locks: [[0, NO_CPU]], spins: [[0, 0, 6000]] }, 4800);
  expect(free).toContain('spins 4.00 µs on sock, held by nobody yet');
});

test('a slice belongs to the task that runs', () => {
  const idle = [NONE, 0, NONE, 0];
  const said = says({ tasks: [idle, [534, 43e6, 77, 9000]] }, 4800);
  expect(said).toContain('slice 43.0 ms left');
  expect(said).toContain('pushed out ksoftirqd/1 (77)');
  expect(says({ tasks: [idle, [999, 43e6, NONE, 0]] }).join()).not.toContain('slice');
});

test('an interrupt that is held back is told at the ring', () => {
  const shapes = shapesOf(staged(run, 4800), moment({ timers: [[4000, 84_000, 3]] }));
  expect(texts(shapes)).toContain('rx ring of eth0: 3 of 384 · interrupt in 74.0 µs, 3 held back');
  const bar = shapes.find((shape) => shape.kind === 'strip' && shape.thing?.kind === 'timer');
  if (bar?.kind !== 'strip') throw new Error('no bar is drawn');
  expect((bar.bands[0]?.width ?? 0) / bar.rect.width).toBeCloseTo(74 / 80, 6);
  expect(says({ timers: [[-1, -1, 0]] }).join()).not.toContain('held back');
});

test('prequeue and backlog tell their depth where packets are in them', () => {
  const waits = { at: 'socket backlog', until: 90_000, queue: 2 };
  const { packets } = frameOf(10_000, [{ packet: 1, ...waits }]);
  const said = texts(shapesOf(staged(run, 4800), { ...moment({}), packets }));
  expect(said).toContain('prequeue of port 5001: 2 packets');
  expect(said).toContain('socket backlog of port 5001: 1.8 kB');
});

test('probes tell their sum, and their share of each CPU', () => {
  const costs = [
    [0, 2000, 20, 10],
    [1, 500, 0, 3],
  ];
  const said = says({ costs }, 4800);
  expect(said).toContain('probes');
  expect(said).toContain('2.50 µs');
  expect(said).toContain('now 5 %');
  expect(said).toContain('probes 10 %');
});

test('what was waited at locks says what it counts, also where there is little room', () => {
  const stage = staged(model([0, 1], { hasProbeCosts: false }), 1280);
  const machine = { ...machineOf({}), lockWaits: 39, lockWaited: 20_200 };
  const said = texts(shapesOf(stage, { ...moment({}), machine }));
  const at = said.indexOf('39 so far');
  expect(said.slice(at - 1, at + 2)).toEqual(['lock waits', '39 so far', '20.2 µs']);
});

test('all of it is told in words, too', () => {
  const frame = moment({
    held: [[0, 0, 23]],
    flows: [[0, 1, 60, 12_000, 23, 4577]],
    locks: [[0, 1]],
    spins: [[0, 0, 6000]],
    waits: [[1, 77, 0, 0, 0]],
    timers: [[4000, 84_000, 3]],
  });
  const told = plain(describe(frame, run, words).join(' '));
  expect(told).toContain('Lines in the cache of CPU 0: packets’ payload 23.');
  expect(told).toContain('From the cache of CPU 0 to CPU 1: 60 lines so far, 23 lines just now.');
  expect(told).toContain('CPU 0: spins 4.00 µs on sock, held by CPU 1.');
  expect(told).toContain('CPU 1: in the run queue: ksoftirqd/1 (77).');
  expect(told).toContain('eth0 holds 3 frames back for another 74.0 µs.');
  const move = explain({ kind: 'hand-over', from: 0, to: 1 }, frame, run, words);
  expect(move.lines.join(' ').replaceAll('\u202f', ' ')).toContain(
    'just now: 23 lines for 4,577 cycles, 199 each',
  );
});

group('on any page, whatever is told', () => {
  const cpu = fc.integer({ min: 0, max: 3 });
  const count = fc.integer({ min: 1, max: 9_000_000 });
  const rows = (...cells: fc.Arbitrary<number>[]) => fc.array(fc.tuple(...cells), { maxLength: 6 });
  const kind = fc.integer({ min: 0, max: 2 });
  const time = fc.integer({ min: 0, max: 10_000 });
  const frames = fc
    .record({
      held: rows(cpu, kind, count),
      flows: rows(cpu, cpu, count, count, count, count),
      moves: rows(cpu, cpu, kind, count, count, time),
      locks: fc.constantFrom([], [[0, 1]], [[0, NO_CPU]]),
      spins: rows(fc.constant(0), cpu, time),
      tasks: fc.constantFrom(
        [],
        [0, 1, 2, 3].map(() => [534, 43e6, 77, 9000]),
      ),
      timers: fc.constantFrom([[-1, -1, 0]], [[4000, 84_000, 3]]),
      costs: rows(cpu, count, count, count),
    })
    .map((given) => ({
      ...frameOf(
        10_000,
        [],
        [0, 1, 2, 3].map(() => ({ context: 'spinning', pid: 534 })),
        QUEUES,
      ),
      machine: machineOf(given),
    }));
  const pages = fc.constantFrom([1280, 640], [1600, 900], [884, 478], [900, 560], [400, 640]);
  const runs = fc.constantFrom(
    model([0, 1, 2, 3]),
    model([0, 1, 2, 3], {
      caches: [
        [0, 1],
        [2, 3],
      ],
    }),
    model([0, 1], { cacheLines: 0 }),
  );
  const textSizes = fc.constantFrom(1, 1.5, 2.5);

  test('no two texts overlap, and all is within the stage', () => {
    fc.assert(
      fc.property(frames, pages, runs, textSizes, (frame, [width, height], run, textSize) => {
        const { layout, ...stage } = staged(run, width, height, textSize);
        const shapes = shapesOf({ layout, ...stage }, frame);
        const labels = shapes
          .filter(({ kind }) => kind === 'label' || kind === 'pill')
          .map(({ rect }) => ({
            x: rect.x + 0.01,
            y: rect.y + 0.01,
            width: rect.width - 0.02,
            height: rect.height - 0.02,
          }));
        labels.forEach((label, at) => expect(overlaps(label, labels.slice(at + 1))).toBe(0));
        for (const { rect, kind } of shapes) {
          expect(rect.x, kind).toBeGreaterThanOrEqual(0);
          expect(rect.x + rect.width, kind).toBeLessThanOrEqual(layout.width + 0.01);
          expect(rect.y + rect.height, kind).toBeLessThanOrEqual(layout.height + 0.01);
        }
        for (const { rect, parts } of bars(shapes)) {
          const end = parts.reduce((right, part) => Math.max(right, part.x + part.width), rect.x);
          expect(end).toBeLessThanOrEqual(rect.x + rect.width + 0.01);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('on a laptop all rows are on the page without scrolling', () => {
    expect(staged(run, 884, 478).layout.height).toBeCloseTo(478);
  });
});
