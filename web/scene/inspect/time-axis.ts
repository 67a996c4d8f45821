/**
 * The time axis of a waterfall: from nanoseconds to a fraction of its width, 0 to 1. Either true to scale,
 * or with long stretches in which the packet is not processed folded: compressed to a narrow strip that is
 * drawn as a break and labelled with its duration, so that the elapsed time stays visible.
 */
import { ticks } from 'd3-array';
import type { Nanos, Stretch } from '../../core/core.ts';

/** A stretch of time that takes a fixed, small part of the width. */
export interface Fold extends Stretch {
  /** Fractions of the width. */
  readonly left: number;
  readonly right: number;
}

export interface TimeAxis {
  readonly start: Nanos;
  readonly end: Nanos;
  readonly folds: readonly Fold[];
  at(nanos: Nanos): number;
}

export interface Tick {
  readonly at: number;
  /** Nanoseconds since the start of the axis. */
  readonly nanos: Nanos;
}

/** Width of a fold, as a fraction of the axis. */
const FOLD_WIDTH = 0.1;
/** Minimum length of a stretch to be folded, as a fraction of the whole time. */
const LONG = 0.3;

/** An axis that is true to scale. */
export function trueAxis(start: Nanos, end: Nanos): TimeAxis {
  return axisOf(start, end, []);
}

/** An axis in which long stretches without busy time are folded. */
export function foldedAxis(start: Nanos, end: Nanos, busy: readonly Stretch[]): TimeAxis {
  const quiet = quietBetween(start, end, busy);
  const isLong = ({ from, to }: Stretch) => to - from > LONG * (end - start);
  return axisOf(start, end, quiet.filter(isLong));
}

/** Round times along the axis, except inside folds, as many as `count` allows. */
export function axisTicks(axis: TimeAxis, count: number): readonly Tick[] {
  const { start, end, folds } = axis;
  const open = unfolded(start, end, folds);
  const all = open.flatMap(({ from, to }) => {
    const room = axis.at(to) - axis.at(from);
    const marks = ticks(from - start, to - start, Math.max(1, Math.floor(count * room)));
    return marks
      .filter((nanos) => from - start <= nanos && nanos <= to - start)
      .map((nanos) => ({ at: axis.at(start + nanos), nanos }));
  });
  // Next to a fold two round times can be too close to each other to be legible.
  return all.reduce<readonly Tick[]>((kept, tick) => {
    const last = kept.at(-1);
    return last === undefined || tick.at - last.at >= 0.85 / count ? [...kept, tick] : kept;
  }, []);
}

function axisOf(start: Nanos, end: Nanos, folded: readonly Stretch[]): TimeAxis {
  const whole = end - start;
  const foldedTime = folded.reduce((sum, { from, to }) => sum + to - from, 0);
  const shown = whole - foldedTime;
  const room = 1 - folded.length * FOLD_WIDTH;
  const perNano = shown > 0 ? room / shown : 0;
  const foldWidth = shown > 0 ? FOLD_WIDTH : 1 / Math.max(1, folded.length);
  const folds: Fold[] = [];
  let x = 0;
  let time = start;
  for (const { from, to } of folded) {
    x += (from - time) * perNano;
    folds.push({ from, to, left: x, right: x + foldWidth });
    x += foldWidth;
    time = to;
  }
  const at = (nanos: Nanos): number => {
    const within = Math.min(Math.max(nanos, start), end);
    let left = 0;
    let since = start;
    for (const fold of folds) {
      if (within < fold.from) break;
      if (within < fold.to) {
        return fold.left + ((within - fold.from) / (fold.to - fold.from)) * foldWidth;
      }
      left = fold.right;
      since = fold.to;
    }
    return Math.min(1, left + (within - since) * perNano);
  };
  return { start, end, folds, at };
}

function unfolded(start: Nanos, end: Nanos, folds: readonly Fold[]): readonly Stretch[] {
  const edges = [start, ...folds.flatMap(({ from, to }) => [from, to]), end];
  return edges.flatMap((from, index) =>
    index % 2 === 0 && from < edges[index + 1]! ? [{ from, to: edges[index + 1]! }] : [],
  );
}

function quietBetween(start: Nanos, end: Nanos, busy: readonly Stretch[]): readonly Stretch[] {
  const sorted = [...busy].sort((a, b) => a.from - b.from);
  const quiet: Stretch[] = [];
  let time = start;
  for (const { from, to } of sorted) {
    if (from > time) quiet.push({ from: time, to: Math.min(from, end) });
    time = Math.max(time, to);
  }
  if (time < end) quiet.push({ from: time, to: end });
  return quiet;
}
