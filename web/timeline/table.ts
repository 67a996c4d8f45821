/**
 * The measures of a range as one CSV: a row a number, with what it is measured of and its unit, so that
 * totals, CPUs, layers, queues and what only a model knows stand in one table.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Measures } from '../core/measures.ts';
import type { Cell, Table } from '../ui/csv.ts';
import { queueName } from './names.ts';

export function measureTable(measures: Measures, run: Opened, glossary: Glossary): Table {
  const { from, to, machine } = measures;
  const rows: readonly (readonly Cell[])[] = [
    ['range_from', '', from, 'ns'],
    ['range_to', '', to, 'ns'],
    ['bytes_delivered', '', measures.bytesDelivered, 'B'],
    ['packets_delivered', '', measures.packetsDelivered, 'packets'],
    ['interrupts', '', measures.interrupts, 'interrupts'],
    ['napi_polls', '', measures.polls, 'polls'],
    ['frames_polled', '', measures.framesPolled, 'frames'],
    ['handed_to_another_cpu', '', measures.crossCpu, 'packets'],
    ...measures.drops.map(({ reason, count }) => ['dropped', reason, count, 'packets']),
    ...measures.timeByContext.flatMap(({ cpu, nanos }) =>
      nanos.map((time, at) => [
        'cpu_time',
        `CPU ${cpu} ${glossary.contexts[at]?.name ?? ''}`,
        time,
        'ns',
      ]),
    ),
    ...measures.layers.flatMap(({ name, count, mean, median, p95, p99, trimmedMean }) => [
      ['layer_packets', name, count, 'packets'],
      ['layer_mean', name, mean, 'ns'],
      ['layer_median', name, median, 'ns'],
      ['layer_p95', name, p95, 'ns'],
      ['layer_p99', name, p99, 'ns'],
      ['layer_trimmed_mean', name, trimmedMean, 'ns'],
    ]),
    ...measures.queues.flatMap(({ queue, max, mean }) => {
      const [name, unit] = [queueName(run, glossary, queue), run.queues[queue]?.unit];
      return [
        ['queue_max', name, max, unit],
        ['queue_mean', name, mean, unit],
      ];
    }),
    ...machine.moved.flatMap(({ object, from: giver, to: taker, lines, cycles }) => {
      const of = `${object} CPU ${giver} to CPU ${taker}`;
      return [
        ['cache_lines_moved', of, lines, 'lines'],
        ['cache_lines_cost', of, cycles, 'cycles'],
      ];
    }),
    ...machine.locks.flatMap(({ lock, waits, nanos }) => [
      ['lock_waits', lock, waits, 'waits'],
      ['lock_wait_time', lock, nanos, 'ns'],
    ]),
    ...machine.probeCosts.flatMap(({ cpu, nanos, probes }) => [
      ['probes', `CPU ${cpu}`, probes, 'probes'],
      ['probe_time', `CPU ${cpu}`, nanos, 'ns'],
    ]),
  ];
  return { columns: ['measure', 'of', 'value', 'unit'], rows };
}
