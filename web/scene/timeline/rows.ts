/**
 * The rows of the time line from top to bottom, their heights, and which of them are in view of a scrolling
 * area. Names and numbers beside the rows are left to the page.
 */
import type { Opened } from '../../core/core.ts';

export type Row =
  /** `at` is the index in the run's CPUs. */
  | { readonly kind: 'cpu'; readonly at: number; readonly cpu: number }
  | { readonly kind: 'drops' }
  | { readonly kind: 'packets' }
  | { readonly kind: 'queue'; readonly queue: number };

export interface PlacedRow {
  readonly key: string;
  readonly row: Row;
  readonly y: number;
  readonly height: number;
}

/** Heights in a CPU's lane, with room below it for a packet's marks. */
export const CPU_LANE = { top: 2, height: 22, marks: 5, gap: 1 } as const;

const HEIGHTS = { cpu: 32, drops: 18, packets: 28, queue: 24 } as const satisfies Record<
  Row['kind'],
  number
>;

export function rowsOf(run: Pick<Opened, 'cpus' | 'queues' | 'drops'>): readonly PlacedRow[] {
  const rows: readonly Row[] = [
    ...run.cpus.map((cpu, at) => ({ kind: 'cpu', at, cpu }) as const),
    ...(run.drops.length > 0 ? [{ kind: 'drops' } as const] : []),
    { kind: 'packets' },
    ...run.queues.flatMap(({ maxDepth }, queue) =>
      maxDepth > 0 ? [{ kind: 'queue', queue } as const] : [],
    ),
  ];
  let y = 0;
  return rows.map((row) => {
    const placed = { key: keyOf(row), row, y, height: HEIGHTS[row.kind] };
    y += placed.height;
    return placed;
  });
}

export function heightOf(rows: readonly PlacedRow[]): number {
  const last = rows.at(-1);
  return last === undefined ? 0 : last.y + last.height;
}

/** The rows that overlap a range of heights. */
export function rowsBetween(
  rows: readonly PlacedRow[],
  top: number,
  bottom: number,
): readonly PlacedRow[] {
  return rows.filter(({ y, height }) => y < bottom && top < y + height);
}

export function rowAt(rows: readonly PlacedRow[], y: number): PlacedRow | undefined {
  return rows.find((row) => row.y <= y && y < row.y + row.height);
}

function keyOf(row: Row): string {
  switch (row.kind) {
    case 'cpu':
      return `cpu ${row.cpu}`;
    case 'queue':
      return `queue ${row.queue}`;
    case 'drops':
    case 'packets':
      return row.kind;
  }
}
