/**
 * The import ledger as the page shows it: five sums that add up to the lines of the input,
 * each with its entries and their lines. Pure: numbers in, rows out.
 */
import type { LedgerView, SourceLine } from '../core/ledger.ts';
import type { Saying } from '../core/saying.ts';
import { formatShare } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { unreadWord } from '../words/kernel-words.ts';

export type SumKind = 'understood' | 'skipped' | 'unknown' | 'malformed' | 'lost' | 'left-out';

export interface LedgerEntry {
  readonly name: string;
  readonly count: number;
  /** The first of its lines; there may be more than are kept. */
  readonly lines: readonly (SourceLine & { readonly why?: string })[];
}

export interface LedgerSum {
  readonly kind: SumKind;
  readonly label: string;
  /** What it means that a line is counted here. */
  readonly meaning: string;
  readonly count: number;
  readonly share: string;
  readonly entries: readonly LedgerEntry[];
}

const SUMS: readonly {
  readonly kind: SumKind;
  readonly label: () => string;
  readonly meaning: () => string;
}[] = [
  { kind: 'understood', label: m.ledger_understood, meaning: m.ledger_understood_about },
  {
    kind: 'skipped',
    label: m.ledger_skipped,
    meaning: m.ledger_skipped_about,
  },
  { kind: 'unknown', label: m.ledger_unknown, meaning: m.ledger_unknown_about },
  { kind: 'malformed', label: m.ledger_malformed, meaning: m.ledger_malformed_about },
  {
    kind: 'lost',
    label: m.ledger_lost,
    meaning: m.ledger_lost_about,
  },
  { kind: 'left-out', label: m.ledger_left_out, meaning: m.ledger_left_out_about },
];

export function sumsOf(ledger: LedgerView): readonly LedgerSum[] {
  const counts = countsOf(ledger);
  // Who opened the whole file need not wonder what of it was left out.
  const sums = SUMS.filter(({ kind }) => kind !== 'left-out' || ledger.leftOut > 0);
  return sums.map(({ kind, label, meaning }) => ({
    kind,
    label: label(),
    meaning: meaning(),
    count: counts[kind],
    share: formatShare(counts[kind], ledger.total),
    entries: entriesOf(ledger, kind),
  }));
}

/** Every line is counted once. Where it were not so, the page says it rather than hide it. */
export function addsUp(ledger: LedgerView): boolean {
  const counts = Object.values(countsOf(ledger));
  return counts.reduce((sum, count) => sum + count, 0) === ledger.total;
}

/** Why the rest of the input was not read, if it was not: a saying of the core's `import/broken.rs`, or that the file cannot be read on. */
export const brokeOff = (ledger: LedgerView): Saying | undefined =>
  ledger.warnings.find(({ code }) => BREAKS.has(code));

const BREAKS: ReadonlySet<string> = new Set([
  ...['import.cut_off', 'import.damaged', 'import.unreadable'],
  ...['import.followed_by_packed', 'import.followed_by_text'],
]);

/** For the button that leads here: how much of the input counts, and whether to look. */
export function headlineOf(ledger: LedgerView): {
  readonly text: string;
  readonly needsLook: boolean;
} {
  const accounted = ledger.understood + ledger.skipped;
  const opened = ledger.total - ledger.leftOut;
  if (brokeOff(ledger)) return { text: m.ledger_only_a_part(), needsLook: true };
  const needsLook =
    accounted + ledger.lostMarkers + ledger.leftOut < ledger.total || ledger.lostEvents > 0;
  const text =
    ledger.lostEvents > 0
      ? m.ledger_events_lost()
      : m.ledger_accounted({ share: formatShare(accounted, opened) });
  return { text, needsLook };
}

function countsOf(ledger: LedgerView): Readonly<Record<SumKind, number>> {
  const { understood, skipped, unknown, malformed, lostMarkers, leftOut } = ledger;
  return { understood, skipped, unknown, malformed, lost: lostMarkers, 'left-out': leftOut };
}

function entriesOf(ledger: LedgerView, kind: SumKind): readonly LedgerEntry[] {
  switch (kind) {
    case 'understood':
    case 'left-out':
      return [];
    case 'skipped':
      return byCount(ledger.skippedByName);
    case 'unknown':
      return byCount(ledger.unknownByName);
    case 'malformed':
      return byReason(ledger);
    case 'lost':
      return ledger.lostByCpu.map(({ cpu, events }) => ({
        name: m.cpu({ cpu }),
        count: events,
        lines: [],
      }));
  }
}

function byCount(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return entries.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

function byReason(ledger: LedgerView): readonly LedgerEntry[] {
  return byCount(
    ledger.malformedReasons.map(({ why, count }) => {
      const lines = ledger.malformedLines.filter((line) => line.why === why);
      return { name: unreadWord(why), count, lines };
    }),
  );
}
