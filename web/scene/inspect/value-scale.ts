/**
 * A scale for durations, linear or logarithmic: from nanoseconds to a fraction of the axis, with its ticks.
 * Zero, which has no logarithm, is placed at the lower end.
 */
import { scaleLinear, scaleLog } from 'd3-scale';
import type { Nanos } from '../../core/core.ts';

export type ScaleKind = 'linear' | 'log';

export interface ValueTick {
  readonly at: number;
  readonly nanos: Nanos;
}

export interface ValueScale {
  readonly kind: ScaleKind;
  readonly from: Nanos;
  readonly to: Nanos;
  at(nanos: Nanos): number;
  /** The nanoseconds at a fraction of the axis. */
  invert(share: number): Nanos;
  ticks(count: number): readonly ValueTick[];
}

/** A scale that covers all of the values. Linear ones begin at 0. */
export function valueScale(kind: ScaleKind, least: Nanos, most: Nanos): ValueScale {
  const from = kind === 'linear' ? 0 : Math.max(1, least);
  const to = Math.max(most, kind === 'linear' ? from + 1 : from * 2);
  const scale = (kind === 'linear' ? scaleLinear : scaleLog)().domain([from, to]).range([0, 1]);
  const at = (nanos: Nanos) => Math.min(1, Math.max(0, scale(Math.max(nanos, from))));
  const invert = (share: number) => scale.invert(share);
  const ticks = (count: number) =>
    ticksOf(kind, from, to, count, scale.ticks(count)).map((nanos) => ({ at: at(nanos), nanos }));
  return { kind, from, to, at, invert, ticks };
}

/** For a logarithmic scale only powers of ten, thinned to the count, if there are at least two. */
function ticksOf(
  kind: ScaleKind,
  from: Nanos,
  to: Nanos,
  count: number,
  usual: readonly Nanos[],
): readonly Nanos[] {
  if (kind === 'linear') return usual;
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  const powers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i));
  if (powers.length < 2) return thinned(usual, count);
  return thinned(powers, count);
}

function thinned(values: readonly Nanos[], count: number): readonly Nanos[] {
  const step = Math.ceil(values.length / Math.max(1, count));
  return values.filter((_, index) => index % step === 0);
}
