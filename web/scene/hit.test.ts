/** Pointing at the stage by pointer and by key, and the text about what is pointed at. */
import { expect, test } from 'vitest';
import { describe as inWords } from './describe.ts';
import { explain } from './explain.ts';
import { again, neighbour, targetAt, targetsOf } from './hit.ts';
import type { Shape } from './shapes.ts';
import { frameOf, runOf, shapesOf, staged, words } from './testing.ts';

const run = runOf([0, 1], [{ kind: 'qdisc', label: 'eth0', max: 9 }]);
const stage = staged(run);
const queued = { at: 'receive queue', until: 90_000, next: 'process' };
const frame = frameOf(
  5000,
  [
    { packet: 12, at: 'TCP', isServed: true, since: 3600, until: 8000 },
    { packet: 3, ...queued, since: 1 },
    { packet: 4, ...queued, since: 2 },
    { packet: 5, at: 'qdisc', until: 4990, verdict: 'dropped', reason: 'NO_SOCKET' },
  ],
  [
    { context: 'softirq', packet: 12 },
    { context: 'kernel', pid: 534 },
  ],
  [{ kind: 'qdisc', depth: 2, limit: 1000 }],
);
const shapes = shapesOf(stage, frame);

function middleOf(isMeant: (shape: Shape) => boolean): readonly [x: number, y: number] {
  const found = shapes.find(isMeant);
  if (found === undefined) throw new Error('not drawn');
  const { x, y, width, height } = found.rect;
  return [x + width / 2, y + height / 2];
}

test('a packet is found under the pointer', () => {
  const at = middleOf((shape) => shape.kind === 'capsule' && shape.packet === 12);
  expect(targetAt(shapes, ...at)?.thing).toEqual({ kind: 'packet', packet: 12, piece: 0 });
});

test('in a stream it is the segment that is found', () => {
  const stream = shapes.find((shape) => shape.kind === 'stream');
  const last = stream?.segments.at(-1);
  if (stream === undefined || last === undefined) throw new Error('no stream');
  const found = targetAt(shapes, last.x + last.width - 1, stream.rect.y + 2);
  expect(found?.thing).toEqual({ kind: 'packet', packet: 4, piece: 0 });
});

test('where nothing is, nothing is found', () => {
  expect(targetAt([], 10, 10)).toBeUndefined();
});

test('a packet is found again after it has moved', () => {
  const at = middleOf((shape) => shape.kind === 'capsule' && shape.packet === 12);
  const before = targetAt(shapes, ...at);
  if (before === undefined) throw new Error('nothing there');
  const later = shapesOf(stage, { ...frame, time: 7000 });
  expect(again(later, before)?.rect.y).toBeLessThan(before.rect.y);
});

test('keys move from a packet to what stands beside and above it', () => {
  const targets = targetsOf(shapes);
  const start = targets.find(({ thing }) => thing.kind === 'packet' && thing.packet === 12);
  const above = neighbour(targets, start, 'up');
  expect(above?.rect.y).toBeLessThan(start?.rect.y ?? 0);
  expect(neighbour(targets, undefined, 'down')).toBe(targets[0]);
});

test('from any thing every other can be reached by keys', () => {
  const targets = targetsOf(shapes);
  const reached = new Set([targets[0]]);
  const open = [targets[0]];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const way of ['left', 'right', 'up', 'down'] as const) {
      const next = neighbour(targets, from, way);
      if (next === undefined || reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  expect(reached.size).toBeGreaterThan(targets.length * 0.9);
});

test('a packet is explained by where it is and for how long', () => {
  const { title, lines, source } = explain(
    { kind: 'packet', packet: 12, piece: 0 },
    frame,
    run,
    words,
  );
  expect(title).toBe('packet 12 · 1.45\u00a0kB');
  expect(lines[0]).toBe('worked on at TCP on CPU 0 for 1.40\u00a0µs');
  expect(source).toBe('TCP() (v6.12)');
});

test('a drop is explained by its reason', () => {
  const { title, lines } = explain({ kind: 'drop', packet: 5, reason: 1 }, frame, run, words);
  expect([title, lines[0]]).toEqual(['packet 5 dropped at qdisc', 'NO_SOCKET']);
});

test('the frame in words', () => {
  expect(inWords(frame, run, words)).toEqual([
    'CPU 0: softirq, works on packet 12.',
    'CPU 1: kernel, urecv (534).',
    'TCP on CPU 0: packet 12 (worked on).',
    'receive queue on CPU 0: packet 3, packet 4.',
    'qdisc eth0: 2 of 1,000.',
    'Just dropped: 1 packet, NO_SOCKET.',
  ]);
});

test('a queue that is past its limit says how that comes', () => {
  const lines = (depth: number) =>
    explain(
      { kind: 'queue', queue: 0 },
      { ...frame, queueDepth: Uint32Array.of(depth) },
      run,
      words,
    ).lines.join(' ');
  expect(lines(1001)).toContain('The kernel compares with the limit before it adds a packet');
  expect(lines(1000)).not.toContain('The kernel compares');
});
