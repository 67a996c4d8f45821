/**
 * Sizes of the way view: one scale factor, from the room available and the viewer's text size. The other
 * views have theirs in `views/ground.ts`. On a projector of 1920 by 1080 pixels labels are at least 20 px
 * high, legible from the last row of a hall.
 */
import type { Viewport } from './shapes.ts';

export interface Scale {
  /** 1 at a text height of 12 px: lengths in the drawing are multiples of it. */
  readonly unit: number;
  /** Size of labels, in CSS pixels. */
  readonly text: number;
  /** Height of a line of text. */
  readonly line: number;
  /** True if there is room for one CPU only: a phone, or a window beside others. */
  readonly isCompact: boolean;
}

/** The room, in CSS pixels, at which labels have the size that a hall needs. */
const HALL = { width: 1290, height: 590, text: 20.4 } as const;
const SMALLEST = 12;
/** Maximum text size in CSS pixels: room beyond it goes to the packets. */
const LARGEST = 21;
const COMPACT_BELOW = 560;

/** Whether a stage of this size, in CSS pixels, has room for one CPU only. */
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
