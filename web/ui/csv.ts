/**
 * A table as CSV, for a spreadsheet or a script: RFC 4180, with a row of names first. A text that a
 * spreadsheet would run as a formula is made harmless, as traces come from strangers. The format is Papa
 * Parse's, which is loaded when the first table is copied.
 */

export type Cell = string | number | undefined;

export interface Table {
  /** Names for scripts, with their units: `wait_ns`. They are not translated. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Total number of rows, if these are only the first of them. */
  readonly total?: number;
}

/**
 * The beginning of a text that a spreadsheet would run. Papa Parse's own pattern misses one that has a
 * second line.
 */
const FORMULA = /^[=+\-@\t\r]/;

/** Maximum number of rows copied: a clipboard stalls beyond some tens of megabytes. */
export const MOST_ROWS = 100_000;

export async function csvOf({ columns, rows }: Table): Promise<string> {
  const { default: papa } = await import('papaparse');
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell ?? ''));
  return `${papa.unparse(cells, { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}

/** Collects the rows of a long list in pieces, up to `MOST_ROWS`. */
export async function rowsInPieces(
  count: number,
  piece: (from: number, count: number) => Promise<readonly (readonly Cell[])[]>,
): Promise<readonly (readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  const end = Math.min(count, MOST_ROWS);
  for (let from = 0; from < end; from += PIECE) {
    for (const row of await piece(from, Math.min(PIECE, end - from))) rows.push(row);
  }
  return rows;
}

/** Number of rows that the core returns without delaying a frame. */
const PIECE = 2048;
