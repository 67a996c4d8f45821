/**
 * Counts as squares: how many lines or tasks a square stands for, where each object's row of
 * squares is in its panel. The squares of a panel add up to what the frame counts: the last
 * square of a row is as wide as the lines that are left for it.
 */

/** The lines that a square may stand for; the smallest with which all fits is taken. */
const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** How many lines a square stands for, so that so many of them fit into some room. */
export function unitFor(lines: number, squares: number): number {
  return UNITS.find((unit) => Math.ceil(lines / unit) <= squares) ?? UNITS.at(-1)!;
}

export interface Squares {
  readonly columns: number;
  /** From one square to the next. */
  readonly pitch: number;
  readonly rows: number;
}

/** Squares of a size in a width, row by row. */
export function squaresIn(width: number, size: number, gap: number, count: number): Squares {
  const pitch = size + gap;
  const columns = Math.max(1, Math.floor((width + gap) / pitch));
  return { columns, pitch, rows: Math.max(1, Math.ceil(count / columns)) };
}
