/**
 * How large things are on the way: one number for all of it, from the room there is and the
 * viewer's text size; the other views have theirs in `views/ground.ts`. On a projector of 1920 by 1080 labels are 20 px or more, so that the
 * last row of a hall reads them.
 */
import type { Viewport } from './shapes.ts';

export interface Scale {
  /** 1 where texts are 12 px high: lengths of the drawing are multiples of it. */
  readonly unit: number;
  /** Size of labels, in CSS pixels. */
  readonly text: number;
  /** Height of a line of text. */
  readonly line: number;
  /** There is room for one CPU only: a phone, or a window beside others. */
  readonly isCompact: boolean;
}

/** The room in which labels are as large as they need to be in a hall. */
const HALL = { width: 1290, height: 590, text: 20.4 } as const;
const SMALLEST = 12;
/** More than this helps nobody: room beyond it goes to the packets. */
const LARGEST = 21;
const COMPACT_BELOW = 560;

/** Whether a stage of so many pixels has room for one CPU only. */
export function isNarrow(width: number): boolean {
  return width < COMPACT_BELOW;
}

export function scaleOf({ width, height, textSize = 1 }: Viewport): Scale {
  const isCompact = isNarrow(width);
  const room = Math.min(width / HALL.width, height / HALL.height);
  const fitting = isCompact ? SMALLEST + 1 : HALL.text * room;
  const text = Math.min(LARGEST, Math.max(SMALLEST, fitting)) * textSize;
  return { unit: text / 12, text, line: text * 1.25, isCompact };
}
