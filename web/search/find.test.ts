/** What is typed into the search leads to what the page calls so, and to nothing else. */
import { beforeAll, expect, test } from 'vitest';
import type { Glossary, Opened } from '../core/core.ts';
import { engineOnDisk, inputsOnDisk } from '../core/on-disk.ts';
import { packetHits, packetWanted, wordHits, type Hit } from './find.ts';

const engine = engineOnDisk();
let run: Opened;
let glossary: Glossary;

beforeAll(async () => {
  const opened = await engine.open(inputsOnDisk('udp-fragments-loss'), () => undefined);
  if (opened.kind !== 'ok') throw new Error('udp-fragments-loss does not open');
  run = opened.value;
  glossary = await engine.glossary();
});

const words = (query: string) =>
  wordHits(query, {
    run,
    glossary,
    findings: ['A typical journey takes 192 µs', 'The longest wait: 4.43 ms, rx ring'],
    here: { time: 0, duration: run.duration, filmLength: 100 },
  });

async function packets(query: string): Promise<readonly string[]> {
  const wanted = packetWanted(query);
  if (wanted === undefined || wanted.number >= run.journeys.total) return [];
  return packetHits(wanted, await engine.journey(wanted.number)).map((hit) =>
    hit.kind === 'packet' ? hit.name : '',
  );
}

test('a packet is found by the name that the page gives it, however it is typed', async () => {
  const query = { sort: 'start', isDescending: false, verdict: 'delivered' } as const;
  const { ids } = await engine.journeys(query, { from: 0, count: 1 });
  const whole = ids[0] ?? 0;
  const { partNames } = await engine.journey(whole);
  const third = partNames.find((name) => name.startsWith(`${whole} · 3/`)) ?? 'none';
  for (const query of [third, third.replace(' · ', '.'), `packet ${whole} 3`, `#${whole}.3`]) {
    expect(await packets(query), query).toEqual([third]);
  }
  expect(await packets(String(whole))).toContain(String(whole));
  expect(await packets('7 · 99/100')).toEqual([]);
});

test('what is no packet is not taken for one', () => {
  for (const query of ['', 'ip_rcv', '12 ms', '7/6', '-7', '1e9']) {
    expect(packetWanted(query), query).toBeUndefined();
  }
});

test('functions, flows, findings and moments are found by their words', () => {
  const kinds = (query: string) => words(query).map((hit: Hit) => hit.kind);
  expect(words('ip_rcv')[0]).toMatchObject({ kind: 'probe', name: 'ip_rcv' });
  expect(words('netif_receive')[0]).toMatchObject({ kind: 'probe' });
  expect(words('5001')[0]).toMatchObject({ kind: 'flow' });
  expect(words('longest WAIT')).toEqual([
    { kind: 'finding', place: 1, title: 'The longest wait: 4.43 ms, rx ring' },
  ]);
  expect(words('12 ms')).toContainEqual({ kind: 'moment', time: 12_000_000 });
  expect(words('film 12')).toContainEqual({ kind: 'film', film: 12 });
  expect(kinds('')).toEqual([]);
  expect(kinds('no such thing')).toEqual([]);
});

test('only reasons for which something was dropped are found', () => {
  const found = words('drop').flatMap((hit) => (hit.kind === 'drop' ? [hit.name] : []));
  const known = new Set(run.drops.map(({ reason }) => reason));
  expect(found.length).toBeGreaterThan(0);
  for (const name of found) expect(known.has(name), name).toBe(true);
});

test('the passes of a function are gone through one after the other, and begin anew at the end', async () => {
  const { probe: passed } = await engine.events(0, 1);
  const probe = passed[0] ?? 255;
  const first = await engine.nextPass(probe, 0);
  expect(first?.number).toBe(1);
  const second = await engine.nextPass(probe, (first?.time ?? 0) + 1);
  expect(second?.number).toBe(2);
  expect(second?.time).toBeGreaterThan(first?.time ?? Infinity);
  expect(await engine.nextPass(probe, run.duration)).toMatchObject({ number: 1 });
  expect(await engine.nextPass(254, 0)).toBeUndefined();
});
