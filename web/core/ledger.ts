/**
 * The import ledger: what became of every line of the input. A simulation's is empty.
 */
import type { Saying } from './saying.ts';

/** What became of every line. The first numbers, to `leftOut`, add up to `total`. */
export interface LedgerView {
  readonly total: number;
  readonly understood: number;
  readonly skipped: number;
  readonly unknown: number;
  readonly malformed: number;
  readonly lostMarkers: number;
  /** Lines with an event outside the part that was to be opened. */
  readonly leftOut: number;
  readonly lostEvents: number;
  readonly lostByCpu: readonly { readonly cpu: number; readonly events: number }[];
  readonly skippedByName: readonly Tally[];
  readonly unknownByName: readonly Tally[];
  /** How many lines could not be read for each reason. */
  readonly malformedReasons: readonly { readonly why: string; readonly count: number }[];
  /** The first lines that could not be read. */
  readonly malformedLines: readonly (SourceLine & { readonly why: string })[];
  readonly warnings: readonly Saying[];
}

export interface Tally {
  readonly name: string;
  readonly count: number;
  /** The first lines of this kind. */
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
}
