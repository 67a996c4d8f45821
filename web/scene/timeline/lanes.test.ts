/**
 * The lanes without a page: shapes are printed as rows of letters, a letter for each ten pixels, and
 * invariants are checked for many lanes and views.
 */
import { expect, test } from 'vitest';
import type { Journey, StayRow } from '../../core/journeys.ts';
import type { Lanes } from '../../core/lanes.ts';
import { NONE, type Opened } from '../../core/core.ts';
import { looksOf } from './looks.ts';
import { heightOf, rowsBetween, rowsOf } from './rows.ts';
import { laneShapes, type LaneInput } from './scene.ts';
import type { BandsShape, LaneShape } from './shapes.ts';
import type { Viewport } from './stretch.ts';

const CONTEXTS = ['unknown', 'idle', 'user', 'kernel', 'softirq', 'hardirq', 'nmi', 'spinning'];
const word = (name: string) => ({ name, sentence: '', function: '', version: '' });
const looks = looksOf({ contexts: CONTEXTS.map(word) });
const LETTERS: Readonly<Record<string, string>> = {
  ...{ line: '.', idle: '_', user: 'u', kernel: 'k', softirq: 's', hardirq: 'H', lock: 'x' },
};

/** `idle 0, softirq 40`: segments with their starts. */
function lanesOf(cpus: readonly string[], to: number, more: Partial<Lanes> = {}): Lanes {
  return {
    from: 0,
    to,
    cpus: cpus.map((text, cpu) => {
      const parts = text.split(', ').map((part) => part.split(' '));
      return {
        cpu,
        start: Float64Array.from(parts, ([, start]) => Number(start)),
        context: Uint8Array.from(parts, ([name]) => CONTEXTS.indexOf(name ?? '')),
        pid: Uint32Array.from(parts, ([, , pid]) => Number(pid ?? 0)),
      };
    }),
    queues: [],
    drops: new Float64Array(),
    deliveredPerStep: new Uint32Array(10),
    arrivedPerStep: new Uint32Array(10),
    ...more,
  };
}

type Run = Pick<Opened, 'cpus' | 'queues' | 'drops'>;

function sceneOf(lanes: Lanes, view: Viewport, more: Partial<LaneInput> = {}, run?: Run) {
  const ofRun = run ?? { cpus: lanes.cpus.map(({ cpu }) => cpu), queues: [], drops: [] };
  const rows = rowsOf(ofRun);
  return laneShapes({
    run: ofRun,
    lanes,
    limits: undefined,
    rows,
    view,
    bottom: heightOf(rows),
    ink: { looks, taskName: (pid) => `task${pid}`, measure: (text) => text.length * 7, pixel: 1 },
    selected: undefined,
    hovered: undefined,
    ...more,
  });
}

function checkLanes(cpus: readonly string[], view: Viewport, picture: string): void {
  const shapes = sceneOf(lanesOf(cpus, 100), view);
  const drawn = cpus.map((_, at) => pictureOf(shapes, view.width, at));
  expect(`\n${drawn.join('\n')}\n`).toBe(picture.replaceAll(/^ +/gm, ''));
}

const ROW = 32;

/** A row's bands and labels; what is drawn later stands above. */
function pictureOf(shapes: readonly LaneShape[], width: number, row: number): string {
  const cells = Array.from({ length: width / 10 }, () => ' ');
  for (const shape of shapes) {
    if (!('y' in shape) || Math.floor(shape.y / ROW) !== row) continue;
    if (shape.kind === 'bands') {
      for (let at = 0; at < shape.spans.length; at += 2) {
        const first = Math.floor(shape.spans[at]! / 10);
        const last = Math.max(first + 1, Math.round(shape.spans[at + 1]! / 10));
        cells.fill(LETTERS[shape.fill] ?? '?', first, last);
      }
    } else if (shape.kind === 'label') {
      const first = Math.round((shape.x - 5) / 10);
      shape.text.split('').forEach((letter, at) => (cells[first + at] = letter));
    }
  }
  return cells.join('');
}

test('a lane is drawn by context, and wide segments say whose they are', () => {
  checkLanes(
    ['idle 0, kernel 20 7, idle 70', 'softirq 0, hardirq 50, user 60 3'],
    { from: 0, to: 100, width: 400 },
    `
    ________task7kkkkkkkkkkkkkkk____________
    softirqsssssssssssssHHHHtask3uuuuuuuuuuu
    `,
  );
});

test('zoomed in, the segments under way fill the view', () => {
  checkLanes(
    ['idle 0, kernel 20 7, idle 70'],
    { from: 40, to: 80, width: 400 },
    `
    task7kkkkkkkkkkkkkkkkkkkkkkkkk__________
    `,
  );
});

test('an interrupt too short for a pixel is still seen, above what it interrupts', () => {
  checkLanes(
    ['kernel 0, hardirq 50, idle 50.01'],
    { from: 0, to: 100, width: 200 },
    `
    task0kkkkkH_________
    `,
  );
});

test('what is not recorded is a line, and spinning is hatched', () => {
  const shapes = sceneOf(lanesOf(['unknown 0, spinning 50'], 100), VIEW_OF_ALL);
  const bands = shapes.filter((shape): shape is BandsShape => shape.kind === 'bands');
  expect(bands.map(({ fill, isHatched, height }) => ({ fill, isHatched, height }))).toEqual([
    { fill: 'line', isHatched: false, height: 22 * 0.06 },
    { fill: 'lock', isHatched: true, height: 22 * 0.8 },
  ]);
});

const VIEW_OF_ALL: Viewport = { from: 0, to: 100, width: 1000 };

test('a queue is drawn in steps, with its limit where that is near', () => {
  const queue = {
    ...{ kind: 0, label: '', cpu: 0, unit: 'frames', maxDepth: 8, home: 0, reader: NONE, limit: 0 },
  };
  const run = { cpus: [], queues: [queue], drops: [] };
  const lane = { queue: 0, start: Float64Array.of(0, 50), depth: Uint32Array.of(0, 8) };
  const lanes = lanesOf([], 100, { queues: [lane] });
  const heights = (limit: number) => {
    const shapes = sceneOf(lanes, VIEW_OF_ALL, { limits: Uint32Array.of(limit) }, run);
    const steps = shapes.find((shape) => shape.kind === 'steps' && shape.points.length > 4);
    const rule = shapes.find((shape) => shape.kind === 'rule' && shape.isDashed);
    return {
      points: shapes
        .filter((shape) => shape.kind === 'steps')
        .at(-1)
        ?.points.map(Math.round),
      limit: rule?.kind === 'rule' ? Math.round(rule.y0) : undefined,
      found: steps !== undefined,
    };
  };
  // The row is 24 high below the packets' 28: its floor at 49, its ceiling at 32.
  expect(heights(0)).toMatchObject({ points: [0, 49, 500, 49, 500, 32, 1000, 32] });
  expect(heights(16)).toMatchObject({ points: [0, 49, 500, 49, 500, 41, 1000, 41], limit: 32 });
  expect(heights(4096)).toMatchObject({ limit: undefined });
});

test('drops are marks, and those too near to each other are one', () => {
  const run = { cpus: [], queues: [], drops: [{ reason: 'NO_SOCKET', count: 4 }] };
  const lanes = lanesOf([], 100, { drops: Float64Array.of(10, 10.1, 60, 120) });
  const drops = sceneOf(lanes, VIEW_OF_ALL, {}, run).find(({ kind }) => kind === 'drops');
  expect(drops).toMatchObject({ xs: [100, 600] });
});

test('a packet is a tint from start to end, and a box for each stay on its CPU', () => {
  const stay = (cpu: number, enter: number, leave: number, service: number): StayRow => ({
    ...{ station: 0, cpu, context: 4, piece: 0, enter, leave },
    ...{ service, wait: leave - enter - service },
  });
  const stays = [stay(0, 10, 20, 10), stay(0, 20, 40, 0), stay(1, 40, 50, 10)];
  const journey = { packet: 1, start: 10, end: 50, stays } as unknown as Journey;
  const lanes = lanesOf(['idle 0', 'idle 0'], 100);
  const shapes = sceneOf(lanes, VIEW_OF_ALL, { selected: journey });
  expect(shapes[0]).toMatchObject({ kind: 'bands', fill: 'packet', spans: [100, 500] });
  expect(shapes.filter(({ kind }) => kind === 'frame')).toMatchObject([
    { x: 100, width: 100, isFilled: true, y: 25 },
    { x: 200, width: 200, isFilled: false, y: 25 },
    { x: 400, width: 100, isFilled: true, y: 57 },
  ]);
  expect(shapes.at(-2)).toMatchObject({ kind: 'rule', x0: 400, y0: 25, y1: 62 });
});

test('only rows in view are drawn', () => {
  const rows = rowsOf({ cpus: [0, 1, 2, 3], queues: [], drops: [] });
  expect(rowsBetween(rows, 40, 80).map(({ key }) => key)).toEqual(['cpu 1', 'cpu 2']);
});

test('whatever the lanes and the view, segments are contiguous and nothing leaves the view', () => {
  const next = randomFrom(7);
  for (let round = 0; round < 300; round++) {
    const width = 100 + Math.floor(next() * 900);
    const to = 1 + next() * 10 ** (next() * 9);
    const starts = Array.from({ length: 1 + Math.floor(next() * 200) }, () => next() * to).sort(
      (a, b) => a - b,
    );
    starts[0] = 0;
    const text = starts.map((start) => `${CONTEXTS[Math.floor(next() * 8)]} ${start} 1`).join(', ');
    const from = next() * to * 0.9;
    const view = { from, to: from + (to - from) * (0.001 + next() * 0.999), width };
    const covered = coverageOf(sceneOf(lanesOf([text], to), view), width);
    expect(covered, `round ${round}`).toEqual({ outside: 0, holes: 0 });
  }
});

/** Pixels of the first row that no band covers, gaps between boxes aside, and bands beyond the edges. */
function coverageOf(shapes: readonly LaneShape[], width: number) {
  const filled = new Uint8Array(width);
  let outside = 0;
  for (const shape of shapes) {
    if (shape.kind !== 'bands') continue;
    for (let at = 0; at < shape.spans.length; at += 2) {
      const [x0, x1] = [shape.spans[at]!, shape.spans[at + 1]!];
      if (x0 < 0 || x1 > width || x1 <= x0) outside += 1;
      filled.fill(1, x0, Math.min(x1 + 1, width));
    }
  }
  return { outside, holes: filled.filter((pixel) => pixel === 0).length };
}

/** The same numbers every time: a linear congruential generator (Numerical Recipes, ranqd1). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
