/**
 * The inspector's tables as CSV: all rows that pass the filters, in view or not, with times in nanoseconds
 * since the start of the run.
 */
import { NO_CPU, NONE, type Glossary, type Opened } from '../core/core.ts';
import type { JourneyQuery } from '../core/journeys.ts';
import type { LayerTimes } from '../core/measures.ts';
import type { RunQuestions } from '../core/run.ts';
import { MOST_ROWS, rowsInPieces, type Table } from '../ui/csv.ts';

export async function journeyTable(
  run: RunQuestions,
  query: JourneyQuery,
  { flows }: Pick<Opened, 'flows'>,
  { verdicts, dropReasons }: Pick<Glossary, 'verdicts' | 'dropReasons'>,
): Promise<Table> {
  const { total } = await run.journeys(query, { from: 0, count: 0 });
  const rows = await rowsInPieces(total, async (from, count) => {
    const { ids } = await run.journeys(query, { from, count });
    const some = await run.journeyRows(ids);
    return Array.from(some.id, (_, at) => [
      some.name[at],
      some.direction[at] === 1 ? 'tx' : 'rx',
      flows[some.flow[at]!],
      some.start[at],
      some.duration[at],
      some.service[at],
      some.wait[at],
      some.bytes[at],
      cpu(some.firstCpu[at]!),
      cpu(some.lastCpu[at]!),
      verdicts[some.verdict[at]!]?.name,
      dropReasons[some.dropReason[at]!]?.name,
    ]);
  });
  const columns = [
    ...['packet', 'direction', 'flow', 'start_ns', 'duration_ns', 'service_ns', 'wait_ns'],
    ...['bytes', 'first_cpu', 'last_cpu', 'verdict', 'drop_reason'],
  ];
  return { columns, rows, total };
}

export async function eventTable(
  run: RunQuestions,
  { events }: Pick<Opened, 'events'>,
  { contexts, probes }: Pick<Glossary, 'contexts' | 'probes'>,
): Promise<Table> {
  const rows = await rowsInPieces(events, async (from, count) => {
    const some = await run.events(from, count);
    return Array.from(some.index, (event, at) => [
      event,
      some.time[at],
      cpu(some.cpu[at]!),
      contexts[some.context[at]!]?.name,
      some.packet[at] === NONE ? undefined : some.name[at],
      probes[some.probe[at]!]?.name,
      some.details[at],
    ]);
  });
  const columns = ['event', 'time_ns', 'cpu', 'context', 'packet', 'probe', 'details'];
  return { columns, rows, total: events };
}

/** Each packet's time in each layer: a row for each packet that passed the layer. */
export function layerTable({ layers }: LayerTimes): Table {
  const total = layers.reduce((sum, { packet }) => sum + packet.length, 0);
  const rows = layers.flatMap(({ name, packet, nanos }) =>
    Array.from(packet.subarray(0, MOST_ROWS), (id, at) => [name, id, nanos[at]]),
  );
  return { columns: ['layer', 'packet_id', 'time_ns'], rows: rows.slice(0, MOST_ROWS), total };
}

function cpu(number: number): number | undefined {
  return number === NO_CPU ? undefined : number;
}
