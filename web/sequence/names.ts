/** What a time-sequence graph's parts are called on the page, and its segments as a table. */
import type { Sequence, SequenceEnd, SequenceSegment } from '../core/sequence.ts';
import type { Table } from '../ui/csv.ts';
import { m } from '../words/generated/messages.js';

type Kind = SequenceSegment['kind'];

/** In the order in which they are drawn: what is rare is above. */
export const KINDS: readonly Kind[] = ['new', 'late', 'again'];

export const KIND_NAMES: Readonly<Record<Kind, () => string>> = {
  new: m.sequence_new,
  again: m.sequence_again,
  late: m.sequence_late,
};

export const END_NAMES: Readonly<Record<SequenceEnd, () => string>> = {
  link: m.sequence_at_link,
  sender: m.sequence_at_sender,
  receiver: m.sequence_at_receiver,
};

/** tcptrace's letters: retransmitted, out of order. */
export function markOf(kind: Kind): string {
  return kind === 'again' ? 'R' : 'O';
}

/** What is in sight, by time, for scripts. */
export function sequenceTable({ segments, acked, window, sacks, cwnd, srtt }: Sequence): Table {
  const rows = [
    ...segments.map(({ at, kind, from, to, packet }) => [at, kind, from, to, packet]),
    ...sacks.map(({ at, from, to }) => [at, 'sack', from, to, undefined]),
    ...acked.map(({ at, value }) => [at, 'ack', undefined, value, undefined]),
    ...window.map(({ at, value }) => [at, 'window', undefined, value, undefined]),
    ...cwnd.map(({ at, value }) => [at, 'cwnd', undefined, value, undefined]),
    ...srtt.map(({ at, value }) => [at, 'srtt_us', undefined, value, undefined]),
  ];
  rows.sort(([a], [b]) => Number(a) - Number(b));
  return { columns: ['time_ns', 'what', 'from', 'to', 'packet'], rows };
}
