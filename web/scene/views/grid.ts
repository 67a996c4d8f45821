/**
 * Counts as squares: the number of lines that a square stands for, and the number of squares in a row. The
 * caller decides where the squares are.
 */

/** The possible numbers of lines for a square; the smallest with which all lines fit is used. */
const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** The number of lines that a square stands for, so that `lines` fit into `squares`. */
export function unitFor(lines: number, squares: number): number {
  return unitWith((unit) => Math.ceil(lines / unit) <= squares);
}

/** The smallest unit that fits, else the largest. */
export function unitWith(fits: (unit: number) => boolean): number {
  return UNITS.find(fits) ?? UNITS.at(-1)!;
}

export interface Squares {
  readonly columns: number;
  /** Distance from one square to the next. */
  readonly pitch: number;
  readonly rows: number;
}

/** Places squares of a size in a width, row by row. */
export function squaresIn(width: number, size: number, gap: number, count: number): Squares {
  const pitch = size + gap;
  const columns = Math.max(1, Math.floor((width + gap) / pitch));
  return { columns, pitch, rows: Math.max(1, Math.ceil(count / columns)) };
}
