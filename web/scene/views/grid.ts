/**
 * Counts as squares: how many lines a square stands for, and how many squares stand in a row of
 * some width. Whose squares stand where is said by who draws them.
 */

/** The lines that a square may stand for; the smallest with which all fits is taken. */
const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** How many lines a square stands for, so that so many of them fit into some room. */
export function unitFor(lines: number, squares: number): number {
  return unitWith((unit) => Math.ceil(lines / unit) <= squares);
}

/** The finest unit that is good enough, else the coarsest. */
export function unitWith(fits: (unit: number) => boolean): number {
  return UNITS.find(fits) ?? UNITS.at(-1)!;
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
