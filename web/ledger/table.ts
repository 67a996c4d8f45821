/** The import ledger as CSV: each kind of line with what it is called and how many there are. */
import type { LedgerView } from '../core/ledger.ts';
import type { Table } from '../ui/csv.ts';
import { sumsOf } from './ledger.ts';

/** The sums first, each with an empty name; then what each is made of. */
export function ledgerTable(ledger: LedgerView): Table {
  const sums = sumsOf(ledger);
  const rows = [
    ...sums.map(({ kind, count }) => [kind, undefined, count, undefined]),
    ...sums.flatMap(({ kind, entries }) =>
      entries.map(({ name, count, lines }) => [kind, name, count, lines[0]?.number]),
    ),
  ];
  return { columns: ['kind', 'name', 'lines', 'first_line'], rows };
}
