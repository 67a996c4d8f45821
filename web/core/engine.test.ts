/**
 * The core as the page has it, over the recordings of the shelf: the wasm build gives the
 * runs that the native build gives, and every answer hangs together.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { NO_QUEUE, NONE, type Opened } from './core.ts';
import type { Engine } from './engine.ts';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf } from './on-disk.ts';
import { nameAt } from '../scene/name.ts';

const traces = new URL('../../traces/', import.meta.url);
async function open(slug: string): Promise<{ engine: Engine; opened: Opened }> {
  const engine = engineOnDisk();
  // The trace alone: what the link's capture adds has a test of its own.
  const inputs = inputsOnDisk(slug).slice(0, 1);
  return { engine, opened: runOf(await engine.open(inputs, () => undefined)) };
}

describe('every recording of the shelf', () => {
  it.each(recordingsOnDisk())('%s is the same run in wasm as natively', async (slug) => {
    const { opened } = await open(slug);
    const golden = readFileSync(new URL(`${slug}/summary.golden`, traces), 'utf8');
    expect(golden).toContain(`fingerprint ${opened.fingerprint}`);
    const { ledger } = opened;
    expect(ledger.leftOut).toBe(0);
    expect(
      ledger.understood + ledger.skipped + ledger.unknown + ledger.malformed + ledger.lostMarkers,
    ).toBe(ledger.total);
  });
});

describe('a fragment storm', () => {
  let engine: Engine;
  let opened: Opened;
  beforeAll(async () => {
    ({ engine, opened } = await open('udp-fragments'));
  });

  it('counts its journeys', () => {
    expect(opened.journeys).toMatchObject({ total: 300, delivered: 50, merged: 250, dropped: 0 });
    expect(opened.cpus).toEqual([0, 1, 2, 3]);
  });

  it('says what happened, in codes and values', async () => {
    const found = await engine.findings();
    const reassembly = found.find(({ kind }) => kind === 'reassembly');
    expect(reassembly).toMatchObject({ severity: 'info', view: 'way' });
    expect(reassembly?.title).toEqual({
      code: 'finding.reassembly',
      values: { count: { kind: 'count', value: 50 }, pieces: { kind: 'count', value: 300 } },
      isInferred: false,
    });
  });

  it('has the packet that waited longest first when asked so', async () => {
    const { ids } = await engine.journeys(
      { sort: 'wait', isDescending: true },
      { from: 0, count: 1000 },
    );
    const rows = await engine.journeyRows(ids);
    expect(rows.wait).toEqual(rows.wait.slice().sort((a, b) => b - a));
    const first = await engine.journey(ids[0] ?? NONE);
    expect(first.wait).toBe(rows.wait[0]);
    expect(first.stays.length).toBeGreaterThan(2);
  });

  it('shows a frame in which fragments wait for the rest of their datagram', async () => {
    const glossary = await engine.glossary();
    const reassembly = glossary.stations.findIndex((station) => station.name === 'reassembly');
    const journey = await engine.journey(5);
    const stay = journey.stays.find((candidate) => candidate.station === reassembly);
    const { packets } = await engine.frame(stay?.enter ?? 0, 0);
    const waiting = [...packets.station].filter((station) => station === reassembly);
    expect(waiting.length).toBe(6);
    expect(new Set(packets.group).size).toBe(1);
  });

  it('calls a packet the same in a frame, in a table, in its journey and in the list', async () => {
    const journey = await engine.journey(2);
    expect(journey.name).toBe('5 · 3/6');
    expect([journey.mergedIntoName, (await engine.journey(5)).partNames[2]]).toEqual([
      '5',
      '5 · 3/6',
    ]);
    const { packets } = await engine.frame(journey.end - 1, 0);
    const drawn = [...packets.packet].map((_, index) => nameAt(packets, index));
    expect(drawn).toEqual((await engine.journeyRows(packets.packet)).name);
    expect(drawn).toContain('5 · 3/6');
    const events = await engine.events(journey.events[0]?.event ?? 0, 1);
    expect(events.name).toEqual([journey.name]);
  });

  it('ranks the waits of what arrived, and tells of a journey where it waited', async () => {
    const { packet, from, nanos } = await engine.longestWaits(3);
    expect(nanos).toEqual(nanos.slice().sort((a, b) => b - a));
    const journey = await engine.journey(packet[0] ?? NONE);
    const stay = journey.stays[journey.longestWait ?? -1];
    expect([stay?.wait, stay && stay.leave - stay.wait]).toEqual([nanos[0], from[0]]);
  });

  it('steps forwards and backwards through the same moments', async () => {
    const forward = await engine.step(0, 'hop', true, undefined);
    const next = await engine.step(forward?.time ?? 0, 'hop', true, undefined);
    const back = await engine.step(next?.time ?? 0, 'hop', false, undefined);
    expect(back?.time).toBe(forward?.time);
  });

  it('draws lanes from one end to the other', async () => {
    const lanes = await engine.lanes(0, opened.duration, 800);
    expect(lanes.cpus.map((lane) => lane.cpu)).toEqual([0, 1, 2, 3]);
    for (const lane of lanes.cpus) expect(lane.start[0]).toBe(0);
    expect(lanes.deliveredPerStep.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(lanes.queues.length).toBe(opened.queues.length);
    const some = await engine.lanes(0, opened.duration, 800, [1, 3, 9]);
    expect(some.cpus).toEqual(lanes.cpus.filter(({ cpu }) => cpu === 1 || cpu === 3));
    expect(some.queues).toEqual([]);
  });

  it('measures the layers as the 2005 report does', async () => {
    const measures = await engine.measures(0, opened.duration);
    const hop = measures.layers.find((layer) => layer.name === '8 to 9');
    expect(hop?.count).toBe(50);
    const elapsed = measures.timeByContext.map(({ nanos }) => nanos.reduce((a, b) => a + b, 0));
    expect(elapsed).toEqual(elapsed.map(() => opened.duration));
    const { layers } = await engine.layerTimes({ sort: 'start', isDescending: false }, 1000);
    expect(layers.find((layer) => layer.name === '8 to 9')?.packet.length).toBe(50);
  });

  it('lists events with their fields in words', async () => {
    const events = await engine.events(0, 5);
    expect(events.total).toBe(opened.events);
    expect(events.details[0]).toContain('target_pid 532');
  });
});

it('filters by socket: the packets of six connections apart', async () => {
  const { engine, opened } = await open('several-connections');
  const counts = await Promise.all(
    opened.sockets.map(async ({ id }) => {
      const query = { sort: 'start', isDescending: false, socket: id } as const;
      return (await engine.journeys(query, { from: 0, count: 0 })).total;
    }),
  );
  expect(opened.sockets.length).toBeGreaterThan(5);
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(opened.journeys.total);
});

it('tells the queues of more sockets apart than 16 bits can count', async () => {
  const sockets = 70_000;
  const lines = Array.from({ length: sockets }, (_, at) => {
    const hex = at.toString(16).padStart(8, '0');
    const time = `1.${String(at).padStart(6, '0')}`;
    return `1 ev __udp_enqueue_schedule_skb ts ${time} cpu 0 ctx softirq pid 0 sk ffff8880${hex} skb ffff8881${hex} len 64\n`;
  });
  const end = '1 ev softirq_exit ts 1.100000 cpu 0 ctx softirq pid 0 vec 3\n';
  const data = new Blob(['# kperf 2\n', ...lines, end]);
  const engine = engineOnDisk();
  const opened = runOf(await engine.open([{ name: 'sockets.txt', data }], () => undefined));
  expect(opened.queues).toHaveLength(sockets);
  const { packets } = await engine.frame(opened.duration - 1, 0);
  expect(new Set(packets.queue).size).toBe(sockets);
  expect(packets.queue).not.toContain(NO_QUEUE);
  expect(new Set(packets.nextQueue)).toEqual(new Set([NO_QUEUE]));
});

it('joins a capture of the link, so that what the NIC dropped is seen to drop', async () => {
  const engine = engineOnDisk();
  const part = (name: string) => ({
    name,
    data: new Blob([readFileSync(new URL(`ring-overflow/${name}`, traces))]),
  });
  const outcome = await engine.open([part('wire.pcap.gz'), part('trace.txt.gz')], () => undefined);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  expect(outcome.value.drops).toEqual([{ reason: 'RX_RING_FULL', count: 312 }]);
  expect(outcome.value.wire).toMatchObject({ matchedRx: 88, droppedByNic: 312 });
  const glossary = await engine.glossary();
  const isRing = (queue: { kind: number }) => glossary.queues[queue.kind]?.name === 'rx ring';
  expect(outcome.value.queues.find(isRing)?.maxDepth).toBeGreaterThan(10);
});

it('shows what only a model knows, at any moment and over a range', async () => {
  const engine = engineOnDisk();
  const file = new URL('../e2e/fixtures/two-caches.kperf', import.meta.url);
  const data = new Blob([readFileSync(file)]);
  const outcome = await engine.open([{ name: 'two-caches.kperf', data }], () => undefined);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  const { machine, duration } = outcome.value;
  expect(machine).toMatchObject({
    caches: [[0], [1]],
    cacheLines: 8192,
    lineBytes: 64,
    timers: ['eth0'],
  });
  expect(machine.locks).toEqual(['sock · port 5001']);
  const { held, flows, spins, tasks } = (await engine.frame(23_500, 3000)).machine;
  expect(held.lines.every((lines, row) => lines + (held.invalidated[row] ?? 0) > 0)).toBe(true);
  expect([...spins.cpu]).toEqual([0]);
  expect([...tasks.pid]).toEqual([77, 534]);
  const whole = await engine.measures(0, duration);
  const last = (await engine.frame(duration, 0)).machine;
  const moved = whole.machine.moved.reduce((sum, { lines }) => sum + lines, 0);
  expect(moved).toBe(last.flows.lines.reduce((sum, lines) => sum + lines, 0));
  expect(flows.from.length).toBe(2);
});

it('a recording has nothing that only a model knows', async () => {
  const { engine, opened } = await open('tcp-cross-cpu');
  expect(opened.machine).toMatchObject({ caches: [], objects: [], locks: [], hasTasks: false });
  const { machine } = await engine.frame(opened.duration / 2, 1e6);
  const { held, flows, moves, locks, spins, tasks, waits, timers, costs } = machine;
  const groups = [held, flows, moves, locks, spins, tasks, waits, timers, costs];
  const columns = groups.flatMap((group) => Object.values<ArrayLike<number>>(group));
  expect(columns.every(({ length }) => length === 0)).toBe(true);
});

it('refuses a capture alone, and says what it belongs to', async () => {
  const data = new Blob([readFileSync(new URL('ring-overflow/wire.pcap.gz', traces))]);
  const outcome = await engineOnDisk().open([{ name: 'wire.pcap', data }], () => undefined);
  const said = (code: string, values: object = {}) => ({ kind: 'said', value: { code, values } });
  const found = said('refused.found', { found: said('found.capture') });
  expect(outcome).toMatchObject({
    kind: 'failed',
    refusal: { code: 'refused.named', values: { why: said('refused.accepted', { why: found }) } },
  });
});

it('says what a file is that is no trace, and keeps the run that was open', async () => {
  const { engine } = await open('udp-small');
  const data = new Blob(['<html><body>no trace</body></html>\n'.repeat(300)]);
  const outcome = await engine.open([{ name: 'page.html', data }], () => undefined);
  expect(outcome).toMatchObject({
    kind: 'failed',
    refusal: {
      code: 'refused.named',
      values: { name: { kind: 'name', value: 'page.html' }, why: { kind: 'said' } },
    },
  });
  await expect(engine.journey(0)).resolves.toMatchObject({ packet: 0 });
});
