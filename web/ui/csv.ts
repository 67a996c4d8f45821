/**
 * A table as CSV, to be copied into a spreadsheet or read by a script: RFC 4180, with a row of names first.
 * A text that a spreadsheet would run as a formula is made harmless, as traces come from strangers.
 * The format is Papa Parse's, which is fetched when the first table is copied.
 */

export type Cell = string | number | undefined;

export interface Table {
  /** Names for scripts, with their units: `wait_ns`. They are not translated. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows there are in all, where these are only the first of them. */
  readonly total?: number;
}

/** How a text begins that a spreadsheet would run. Papa Parse's own pattern lets it pass when it has a second line. */
const FORMULA = /^[=+\-@\t\r]/;

/** A clipboard takes no more than some tens of megabytes without a halt. */
export const MOST_ROWS = 100_000;

export async function csvOf({ columns, rows }: Table): Promise<string> {
  const { default: papa } = await import('papaparse');
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell ?? ''));
  return `${papa.unparse(cells, { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}

/** Gathers the rows of a long list in pieces, up to the most that are copied. */
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

/** The core answers so many rows without keeping a frame waiting. */
const PIECE = 2048;
