/**
 * Flags on the time line: times marked with a sign and, if there is room, a few words beside it. They are
 * placed by rank: a flag that would cover one of higher rank joins it, and words are written only where
 * they cover no flag and no other words. Pure arithmetic, independent of what a flag is about (a finding, a
 * note).
 */
import type { Nanos } from '../../core/core.ts';
import type { Measure } from './shapes.ts';
import { isWithin, xAt, type Viewport } from './stretch.ts';

export interface Flag {
  readonly key: string;
  readonly time: Nanos;
  /** The text in the flag itself. */
  readonly sign: string;
  /** The text beside it, if there is room. */
  readonly words: string;
}

export interface PlacedFlag {
  readonly flag: Flag;
  /** Flags of lower rank that would cover it. */
  readonly joined: readonly Flag[];
  /** Left edge and width of the flag itself, in CSS pixels. */
  readonly x: number;
  readonly width: number;
  /** Maximum width of its words in CSS pixels; `undefined` if there is no room for any. */
  readonly room: number | undefined;
}

/** Lengths in CSS pixels. */
const HEAD = 18;
const GAP = 4;
/** Maximum width of words, and the minimum below which none are written. */
const WORDS = { least: 64, most: 240 } as const;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The flags in view; the given list is in order of rank, the highest first. */
export function placeFlags(
  flags: readonly Flag[],
  view: Viewport,
  measure: Measure,
): readonly PlacedFlag[] {
  const heads: { flag: Flag; joined: Flag[]; span: Span }[] = [];
  for (const flag of flags) {
    if (!isWithin(view, flag.time)) continue;
    const span = spanOf(flag, view, measure);
    const other = heads.find((head) => overlaps(head.span, span));
    if (other === undefined) heads.push({ flag, joined: [], span });
    else other.joined.push(flag);
  }
  const taken = heads.map(({ span }) => span);
  return heads.map(({ flag, joined, span }) => {
    const room = roomAfter(span.to, taken, view.width);
    const width = Math.min(measure(flag.words) + 2 * GAP, WORDS.most, room);
    const fits = width >= Math.min(WORDS.least, measure(flag.words) + 2 * GAP);
    if (fits) taken.push({ from: span.to, to: span.to + width });
    return {
      flag,
      joined,
      x: span.from,
      width: span.to - span.from,
      room: fits && flag.words !== '' ? width : undefined,
    };
  });
}

/** The extent of a flag: its left edge is at its time, but it stays within the view. */
function spanOf({ sign, time }: Flag, view: Viewport, measure: Measure): Span {
  const width = Math.max(HEAD, measure(sign) + 2 * GAP);
  const from = Math.max(0, Math.min(xAt(view, time), view.width - width));
  return { from, to: from + width };
}

/** The free width to the right of a position. */
function roomAfter(from: number, taken: readonly Span[], end: number): number {
  const next = Math.min(end, ...taken.filter((span) => span.from >= from).map((span) => span.from));
  const isTaken = taken.some((span) => span.from < from && from < span.to);
  return isTaken ? 0 : next - from - GAP;
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}
