/**
 * The layout common to the views other than the way: the run, the room, the text size, and which CPUs have
 * a column. It stays the same while time passes, so that nothing jumps.
 *
 * Lengths are CSS pixels. Sizes are multiples of the text size (`em`), so that a view grows as a whole with
 * the window and with the viewer's text size.
 */
import type { Opened } from '../../core/core.ts';
import type { Measure, Rect } from '../shapes.ts';
import { busiestCpus, placeOfCpu, shownCpus } from '../columns.ts';
import type { Words } from '../words.ts';

export interface Ground {
  readonly run: Opened;
  readonly words: Words;
  readonly measure: Measure;
  readonly width: number;
  /** Height of the stage: a view may be higher, and is then scrolled. */
  readonly height: number;
  /** Text size in pixels. */
  readonly em: number;
  /** Space at the edges and between panels. */
  readonly gap: number;
  readonly isCompact: boolean;
  /** The CPUs that have a column, by index in the run's list, from left to right. */
  readonly shown: readonly CpuColumn[];
  /** The CPUs that hardly touched a packet and share one strip, by index in the run's list. */
  readonly folded: readonly number[];
}

export interface CpuColumn {
  /** Its index in the run's list of CPUs. */
  readonly at: number;
  readonly cpu: number;
  readonly x: number;
  readonly width: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
  /** The viewer's factor for texts, on top of the size that fits the room. */
  readonly textScale: number;
  readonly measure: Measure;
}

/** The room in CSS pixels from which texts have a projector's size. */
const FULL = { width: 1500, height: 740, text: 20 } as const;
const SMALLEST_TEXT = 13;
const LARGEST_TEXT = 26;
/** Minimum width of a column, in text sizes: a narrower one could not name its CPU's activity. */
const COLUMN_EM = 14;
const COMPACT_EM = 44;

/** Lays a run out in a room. */
export function groundOf(run: Opened, words: Words, room: Room): Ground {
  const { width, height, measure } = room;
  const natural = FULL.text * Math.min(width / FULL.width, height / FULL.height);
  const em = Math.min(LARGEST_TEXT, Math.max(SMALLEST_TEXT, natural)) * room.textScale;
  const gap = Math.round(em * 0.6);
  const isCompact = width < COMPACT_EM * em;
  const most = isCompact ? 2 : Math.max(1, Math.floor((width - gap) / (COLUMN_EM * em + gap)));
  const { shown, others } = shownCpus(run, most, []);
  const placeOf = (cpu: number) => placeOfCpu(run).get(cpu) ?? -1;
  const columnWidth = (width - gap * (shown.length + 1)) / Math.max(1, shown.length);
  return {
    ...{ run, words, measure, width, height, em, gap, isCompact },
    shown: shown.map((cpu, place) => ({
      at: placeOf(cpu),
      cpu,
      x: gap + place * (columnWidth + gap),
      width: columnWidth,
    })),
    folded: busiestCpus(run, others, shown).map(placeOf),
  };
}

/** Horizontal extent of one of `count` equal columns. */
export function across(ground: Ground, count: number, at: number): Pick<Rect, 'x' | 'width'> {
  const { width, gap } = ground;
  const each = (width - gap * (count + 1)) / Math.max(1, count);
  return { x: gap + at * (each + gap), width: each };
}
