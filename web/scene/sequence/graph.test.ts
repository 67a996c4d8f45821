/** A constructed connection as shapes. */
import { expect, it } from 'vitest';
import type { Sequence, SequenceSegment } from '../../core/sequence.ts';
import { barsPath, countScale, levelAt, scalesOf, segmentAt, sentUpTo, stepPath } from './graph.ts';

const PLOT = { left: 0, right: 100, top: 0, bottom: 100 };

const segment = (at: number, from: number, to: number): SequenceSegment => ({
  ...{ at, from, to, packet: at, kind: 'new', segments: 1 },
});

const graph = (parts: Partial<Sequence>): Sequence => ({
  ...{ flow: 0, total: 0, repaired: 0, ends: ['link'], end: 'link', first: 0 },
  ...{ segments: [], acked: [], window: [], sacks: [], cwnd: [], ssthresh: [], srtt: [] },
  ...parts,
});

it('leaves the data its room where the window is far above it', () => {
  const segments = [segment(0, 0, 500), segment(50, 500, 1000)];
  const near = graph({ segments, window: [{ at: 0, value: 1200 }] });
  const far = graph({ segments, window: [{ at: 0, value: 9_000_000 }] });
  const stretch = { from: 0, to: 100 };
  expect(scalesOf(near, stretch, PLOT).y.domain()).toEqual([0, 1200]);
  expect(scalesOf(far, stretch, PLOT).y.domain()).toEqual([0, 1000]);
  expect(scalesOf(graph({}), stretch, PLOT).y.domain()).toEqual([0, 1]);
});

it('draws bars from first to last byte, none too short to be seen, and lines in steps', () => {
  const segments = [segment(0, 0, 500), segment(50, 500, 501), segment(100, 501, 1000)];
  const scales = scalesOf(graph({ segments }), { from: 0, to: 100 }, PLOT);
  expect(barsPath(segments, scales)).toBe('M0 100V50M50 52.9V49.9M100 49.9V0');
  const acked = [
    { at: 10, value: 0 },
    { at: 60, value: 500 },
  ];
  expect(stepPath(acked, scales.x, scales.y, 100)).toBe('M10 100H60V50H100');
  expect(stepPath([], scales.x, scales.y, 100)).toBe('');
});

it('tells what holds at a moment, and nothing before the first', () => {
  const line = [
    { at: 10, value: 7 },
    { at: 20, value: 9 },
  ];
  expect([5, 10, 19, 20, 99].map((time) => levelAt(line, time))).toEqual([undefined, 7, 7, 9, 9]);
  const segments = [segment(10, 0, 100), segment(20, 300, 400), segment(30, 100, 200)];
  expect([5, 10, 25, 35].map((time) => sentUpTo(segments, time))).toEqual([
    undefined,
    100,
    400,
    400,
  ]);
});

it('finds the bar that is meant, and none where there is none', () => {
  const segments = [segment(20, 0, 500), segment(80, 500, 1000)];
  const scales = scalesOf(graph({ segments }), { from: 0, to: 100 }, PLOT);
  expect(segmentAt(segments, scales, [22, 80])?.at).toBe(20);
  expect(segmentAt(segments, scales, [78, 5])?.at).toBe(80);
  expect(segmentAt(segments, scales, [50, 50])).toBeUndefined();
  expect(segmentAt(segments, scales, [20, 20])).toBeUndefined();
});

it('counts from nothing to the highest of its lines', () => {
  const lines = [[{ at: 0, value: 10 }], [{ at: 0, value: 64 }]];
  expect(countScale(lines, PLOT).domain()).toEqual([0, 80]);
  expect(countScale([], PLOT).domain()).toEqual([0, 1]);
});
