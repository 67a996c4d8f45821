/** The tables that can be copied, on a recording of the shelf: all rows, as the lists show them. */
import { beforeAll, expect, test } from 'vitest';
import type { Glossary, Opened } from '../core/core.ts';
import { engineOnDisk, inputsOnDisk } from '../core/on-disk.ts';
import { findingTable } from '../findings/table.ts';
import { ledgerTable } from '../ledger/table.ts';
import { measureTable } from '../timeline/table.ts';
import { csvOf, type Table } from '../ui/csv.ts';
import { eventTable, journeyTable, layerTable } from './tables.ts';

const engine = engineOnDisk();
let run: Opened;
let glossary: Glossary;

beforeAll(async () => {
  const opened = await engine.open(inputsOnDisk('udp-fragments'), () => undefined);
  if (opened.kind !== 'ok') throw new Error('udp-fragments does not open');
  run = opened.value;
  glossary = await engine.glossary();
});

const firstLines = async (table: Table) => (await csvOf(table)).split('\r\n').slice(0, 2);

test('journeys: all that pass the filter', async () => {
  const query = { sort: 'start', isDescending: false } as const;
  const table = await journeyTable(engine, query, run, glossary);
  expect(table.rows).toHaveLength(run.journeys.total);
  expect(await firstLines(table)).toMatchInlineSnapshot(`
    [
      "packet,direction,flow,start_ns,duration_ns,service_ns,wait_ns,bytes,first_cpu,last_cpu,verdict,drop_reason",
      "5 · 1/6,rx,UDP 192.0.2.1:47899 → 192.0.2.2:5001,189207000,3984000,30000,3954000,1514,0,0,merged,",
    ]
  `);
  const delivered = { ...query, verdict: 'delivered' } as const;
  const some = await journeyTable(engine, delivered, run, glossary);
  expect(some.rows).toHaveLength(run.journeys.delivered);
});

test('events: each once, in order', async () => {
  const table = await eventTable(engine, run, glossary);
  expect(table.rows.map(([event]) => event)).toEqual(
    Array.from({ length: run.events }, (_, event) => event),
  );
  expect(await firstLines(table)).toMatchInlineSnapshot(`
    [
      "event,time_ns,cpu,context,packet,probe,details",
      "0,0,3,kernel,,sched_waking,target_pid 532 prio 120 target_cpu 1",
    ]
  `);
});

test('layer times, measures, findings and the ledger', async () => {
  const times = await engine.layerTimes({ sort: 'start', isDescending: false }, 1000);
  expect(layerTable(times).rows.length).toBe(
    times.layers.reduce((sum, { packet }) => sum + packet.length, 0),
  );
  const measures = measureTable(await engine.measures(0, run.duration), run, glossary);
  expect(measures.rows).toContainEqual(['packets_delivered', '', 50, 'packets']);
  expect(measures.rows.every((row) => row.length === measures.columns.length)).toBe(true);
  const found = findingTable(await engine.findings(), { glossary, opened: run });
  expect(found.rows[1]).toContain('The longest wait: 4.43\u00a0ms, rx ring');
  const ledger = ledgerTable(run.ledger);
  const lines = ledger.rows.filter(([, name]) => name === undefined).map(([, , count]) => count);
  expect(lines.reduce((sum: number, count) => sum + Number(count), 0)).toBe(run.ledger.total);
});
