/** What was found, as CSV: what the list says, when, and about which packets. */
import type { Finding } from '../core/findings.ts';
import type { Table } from '../ui/csv.ts';
import { say, type SayingContext } from '../words/say.ts';

export function findingTable(findings: readonly Finding[], context: SayingContext): Table {
  const columns = [
    ...['number', 'kind', 'severity', 'title', 'detail', 'is_inferred'],
    ...['moment_ns', 'from_ns', 'to_ns', 'packet_ids'],
  ];
  const rows = findings.map((one, place) => [
    place + 1,
    one.kind,
    one.severity,
    say(one.title, context),
    say(one.detail, context),
    String(one.title.isInferred || one.detail.isInferred),
    one.moment,
    one.from,
    one.to,
    one.packets.join(' '),
  ]);
  return { columns, rows };
}
