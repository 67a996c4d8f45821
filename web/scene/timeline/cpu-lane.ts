/**
 * A CPU's lane: its segments as boxes by context, and on the wide ones the name of the task or the word for
 * the context. The work is bounded by the segments in view, of which the core returns about one or two for
 * each pixel.
 */
import type { CpuLane } from '../../core/lanes.ts';
import type { Nanos } from '../../core/core.ts';
import { segmentAt } from './columns.ts';
import { lookOf, type ContextLook } from './looks.ts';
import { CPU_LANE, type PlacedRow } from './rows.ts';
import type { BandsShape, LabelShape, LaneShape, Measure } from './shapes.ts';
import { xAt, type Viewport } from './stretch.ts';

export interface LaneInk {
  readonly looks: readonly ContextLook[];
  /** The name of a task, written on its own time. */
  readonly taskName: (pid: number) => string;
  readonly measure: Measure;
  /** A device pixel, in CSS pixels: edges are aligned to whole ones, so that they are sharp. */
  readonly pixel: number;
}

/** Minimum width in pixels of a box with a gap after it, which separates neighbours of one colour. */
const APART = 4;
const PAD = 5;
/** Minimum width in pixels of a box with a text. */
const LABELLED = 28;

export function cpuShapes(
  lane: CpuLane,
  end: Nanos,
  view: Viewport,
  placed: PlacedRow,
  ink: LaneInk,
): readonly LaneShape[] {
  const floor = placed.y + CPU_LANE.top + CPU_LANE.height;
  const labels: LabelShape[] = [];
  const segments = segmentsIn(lane, end, view, ink);
  for (const { look, pid, x0, x1 } of segments) {
    if (x1 - x0 < LABELLED) continue;
    const text = look.isTask ? ink.taskName(pid) : look.order > 1 ? look.word : '';
    const room = x1 - x0 - 2 * PAD;
    if (text === '' || ink.measure(text) > room) continue;
    const height = look.height * CPU_LANE.height;
    labels.push({ kind: 'label', text, colour: look.on, x: x0 + PAD, y: floor - height / 2 });
  }
  return [...bandsOf(segments, floor, CPU_LANE.height), ...labels];
}

/** A stretch in which a CPU did one thing, clipped to the view. */
interface Segment {
  readonly look: ContextLook;
  readonly pid: number;
  readonly x0: number;
  readonly x1: number;
  /** Right end of its colour: before the next segment's start if there is room for a gap. */
  readonly edge: number;
}

/** The segments of a lane that are in view, from left to right. */
export function segmentsIn(
  { start, context, pid }: CpuLane,
  end: Nanos,
  view: Viewport,
  ink: Pick<LaneInk, 'looks' | 'pixel'>,
): readonly Segment[] {
  const snap = (x: number) => Math.round(x / ink.pixel) * ink.pixel;
  const segments: Segment[] = [];
  for (let at = Math.max(0, segmentAt(start, view.from)); at < start.length; at++) {
    if (start[at]! >= view.to) break;
    const x0 = Math.max(0, snap(xAt(view, start[at]!)));
    const until = Math.min(view.width, snap(xAt(view, Math.min(start[at + 1] ?? end, end))));
    const look = lookOf(ink.looks, context[at]!);
    // A segment shorter than a pixel is drawn one pixel wide, but within the view.
    const x1 = Math.min(Math.max(until, x0 + ink.pixel), view.width);
    if (x1 <= x0) continue;
    const gap = x1 - x0 > APART && until < view.width ? 1 : 0;
    segments.push({ look, pid: pid[at]!, x0, x1, edge: x1 - gap });
  }
  return segments;
}

/**
 * Segments as boxes that stand on a floor. The most urgent are last, so that a short interrupt is not
 * covered by the context that it interrupts.
 */
export function bandsOf(
  segments: readonly Segment[],
  floor: number,
  laneHeight: number,
): readonly BandsShape[] {
  const spans = new Map<ContextLook, number[]>();
  for (const { look, x0, edge } of segments) {
    const known = spans.get(look);
    if (known === undefined) spans.set(look, [x0, edge]);
    else known.push(x0, edge);
  }
  return [...spans]
    .sort(([a], [b]) => a.order - b.order)
    .map(([look, pairs]) => {
      const height = look.height * laneHeight;
      return {
        kind: 'bands',
        fill: look.fill,
        isHatched: look.isHatched,
        alpha: 1,
        y: floor - height,
        height,
        spans: pairs,
      };
    });
}
