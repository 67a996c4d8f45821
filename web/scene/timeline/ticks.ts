/**
 * The time axis: ticks at round numbers, from seconds to single nanoseconds. If a tick's time has many
 * digits, its label is the offset from the round time before it: `1.234 s`, `+100 µs`, `+200 µs`. Digits
 * are exact, never rounded.
 */
import { decimalSign } from '../../numbers/format.ts';
import type { Nanos } from '../../core/core.ts';
import { xAt, type Viewport } from './stretch.ts';

export interface Tick {
  readonly time: Nanos;
  readonly x: number;
  readonly label: string;
  /** Whether it is a round time, written in full, from which the ticks after it count. */
  readonly isAnchor: boolean;
}

export interface Axis {
  readonly ticks: readonly Tick[];
  readonly step: Nanos;
  /** The time from which the first ticks count; empty if all are written in full. */
  readonly base: string;
}

/** Distance between ticks in pixels, for the longest label and its margins. */
const ROOM = 92;
/** Width of a label's letter and of its margin in pixels. */
const LETTER = 6.5;
const MARGIN = 6;
/** Maximum number of digits of a label without an anchor. */
const DIGITS = 4;

const UNITS = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
] as const;

export function axisOf(view: Viewport): Axis {
  const step = tickStep(view);
  const digits = Math.log10(Math.max(view.to, 1) / step) + 1;
  const anchor = 1000 ** (Math.floor(Math.log10(step) / 3 + 1e-9) + 1);
  const isFull = digits <= DIGITS || anchor > 1e9;
  const label = (time: Nanos): Omit<Tick, 'x' | 'time'> =>
    isFull || time % anchor === 0
      ? { label: exact(time, view.to, isFull ? step : anchor), isAnchor: !isFull }
      : { label: `+${exact(time % anchor, anchor - 1, step)}`, isAnchor: false };
  const ticks: Tick[] = [];
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
    const tick = { time, x: xAt(view, time), ...label(time) };
    // The last one is left out where its label would be cut.
    if (tick.x + tick.label.length * LETTER + MARGIN <= view.width) ticks.push(tick);
  }
  const before = Math.floor(view.from / anchor) * anchor;
  return { ticks, step, base: isFull ? '' : exact(before, view.to, anchor) };
}

/** The smallest of 1, 2, 5, 10 ... nanoseconds that leaves room for labels. */
export function tickStep({ from, to, width }: Viewport): Nanos {
  const least = Math.max(1, ((to - from) / Math.max(width, 1)) * ROOM);
  const decade = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return [1, 2, 5, 10].map((times) => times * decade).find((step) => step >= least * 0.999999)!;
}

/** A time in the unit that fits `largest`, with the digits that multiples of `step` need. */
function exact(time: Nanos, largest: Nanos, step: Nanos): string {
  if (time === 0) return '0';
  const [unit, size] = UNITS.find(([, size]) => largest < size * 1000) ?? UNITS[3];
  const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  const [whole = '', fraction = ''] = (time / size).toFixed(decimals).split('.');
  const groups = fraction.match(/\d{1,3}/g) ?? [];
  return `${whole}${groups.length > 0 ? `${decimalSign()}${groups.join('\u202f')}` : ''}\u00a0${unit}`;
}
