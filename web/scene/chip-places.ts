/**
 * The places of the cells of CPUs without a column: as many as can be distinguished. A run may have tens of
 * thousands of CPUs; the rest is counted in words and not laid out.
 */
import type { Rect } from './shapes.ts';

export interface Cells {
  readonly rects: readonly Rect[];
  /** Number of CPUs without a cell, and the place of that text. */
  readonly rest: { readonly count: number; readonly rect: Rect } | undefined;
}

/** Height of a cell and of the gap between two, in lines of text. */
const CELL = { height: 2.4, gap: 0.25 } as const;
/** Minimum width of a cell, in CSS pixels. */
const NARROWEST = 4;
/** Maximum number of rows of cells above a narrow stage. */
const LINES_ABOVE = 12;

/** Cells in a strip: one below the other, and side by side if there are too many. */
export function cellsIn(strip: Rect, count: number, line: number): Cells {
  const gap = CELL.gap * line;
  const fitting = Math.max(1, Math.floor((strip.height + gap) / (CELL.height * line + gap)));
  const most = fitting * Math.max(1, Math.floor((strip.width + gap) / (NARROWEST + gap)));
  if (count > most) {
    // The last line says how many more there are.
    const said = { ...strip, y: strip.y + strip.height - line, height: line };
    const above = { ...strip, height: Math.max(line, strip.height - line - gap) };
    const fewer = Math.min(most, Math.max(1, fitting - 1) * Math.floor(most / fitting));
    const { rects } = cellsIn(above, fewer, line);
    return { rects, rest: { count: count - rects.length, rect: said } };
  }
  const across = Math.max(1, Math.ceil(count / fitting));
  const down = Math.max(1, Math.ceil(count / across));
  const height = Math.min(CELL.height * line, (strip.height - gap * (down - 1)) / down);
  const width = (strip.width - gap * (across - 1)) / across;
  const rects = Array.from({ length: count }, (_, at) => ({
    x: strip.x + (at % across) * (width + gap),
    y: strip.y + Math.floor(at / across) * (height + gap),
    width,
    height,
  }));
  return { rects, rest: undefined };
}

/** Rows of cells above a narrow stage, and their total height. */
export function chipsAbove(
  count: number,
  width: number,
  margin: number,
  text: number,
  line: number,
): Cells & { readonly height: number } {
  const perLine = Math.max(1, Math.floor((width - margin) / (7 * text)));
  const [gap, height] = [0.3 * line, 2.5 * line];
  const own = (width - 2 * margin - gap * (perLine - 1)) / perLine;
  const most = perLine * LINES_ABOVE;
  const shown = Math.min(count, most);
  const lines = Math.ceil(shown / perLine);
  const rects = Array.from({ length: shown }, (_, at) => ({
    x: margin + (at % perLine) * (own + gap),
    y: margin + Math.floor(at / perLine) * (height + gap),
    width: own,
    height,
  }));
  const end = lines * (height + gap);
  if (count <= most) return { rects, rest: undefined, height: end };
  const rect = { x: margin, y: margin + end, width: width - 2 * margin, height: line };
  return { rects, rest: { count: count - shown, rect }, height: end + line + gap };
}
