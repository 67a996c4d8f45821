/** The inspector's sentences about a wait, and about a CPU's activity during it. */
import { expect, test } from 'vitest';
import { NONE, type Glossary, type Opened, type Word } from '../core/core.ts';
import type { CpuLane } from '../core/lanes.ts';
import { journeyOf } from '../scene/inspect/samples.ts';
import { filterCount, sortedBy, withFilter, withoutFilters } from './journey-query.ts';
import { microsFormat, momentToMicros } from './micros.ts';
import { cpuSpan, doings, waitStory } from './words.ts';

const word = (name: string): Word => ({ name, sentence: '', function: '', version: '' });
const contexts = ['unknown', 'idle', 'user', 'kernel', 'softirq', 'hardirq', 'nmi', 'spinning'];
const glossary: Glossary = {
  stations: [
    { ...word('UDP'), direction: 'rx', isQueue: false },
    { ...word('receive queue'), direction: 'rx', isQueue: true },
    { ...word('process'), direction: 'rx', isQueue: false },
  ],
  probes: [{ ...word('skb_consume_udp'), station: 2 }],
  contexts: contexts.map(word),
  queues: [],
  verdicts: [],
  dropReasons: [],
};
const run = {
  tasks: [
    { pid: 534, comm: 'urecv' },
    { pid: 600, comm: 'hog' },
    { pid: 601, comm: 'hog' },
  ],
} as unknown as Opened;
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** The longest wait of a journey as told. */
function told(picture: string, at: number, task = ''): readonly string[] {
  const stays = journeyOf(picture);
  const time = stays.stays[at]!.leave;
  const event = { event: 9, time, probe: 0, cpu: 1, context: 3, task, line: 7, details: '' };
  const journey = { ...stays, events: [event] };
  const micros = microsFormat(journey.stays.map(({ wait }) => wait));
  const { what, until } = waitStory(journey, journey.stays[at]!, micros, { glossary, opened: run });
  return [plain(what), plain(until)];
}

test('a wait in a queue says who put it there and who took it up', () => {
  expect(
    told(
      `0 0 4 0-1000       1000
       1 0 4 1000-377800  0
       2 1 3 377800-380000 2200`,
      1,
      'urecv-534',
    ),
  ).toEqual([
    'Waited 376.8 µs in the receive queue, put there by CPU 0: 99.2 % of its way.',
    'It went on to the process on CPU 1, in a process’s kernel context (urecv-534), seen at skb_consume_udp.',
  ]);
});

test('what was not recorded is not told', () => {
  expect(told('0 ? 0 0-1000 1000\n1 ? 0 1000-3000 0\n2 ? 0 3000-3000 0', 1)).toEqual([
    'Waited 2 µs in the receive queue: 67 % of its way.',
    'It went on to the process, seen at skb_consume_udp.',
  ]);
});

test('a wait with nothing after it ended as the journey did', () => {
  expect(told('0 0 4 0-1000 1000\n1 0 4 1000-3000 0', 1)[1]).toBe(
    'With that its way ended: delivered to urecv (534).',
  );
});

test('tasks of one name are told together, interrupts as what they are', () => {
  const lane: CpuLane = {
    cpu: 1,
    start: Float64Array.of(0, 40, 70, 80, 95),
    context: Uint8Array.of(2, 2, 4, 1, 3),
    pid: Uint32Array.of(600, 601, 601, NONE, 534),
  };
  expect(doings(lane, 100, glossary, run).map(({ what, nanos }) => [what, nanos])).toEqual([
    ['hog (2 tasks)', 70],
    ['idle', 15],
    ['softirq', 10],
    ['urecv (534)', 5],
  ]);
});

test('times of a journey have the decimals that the record has', () => {
  expect([1000, 376_800_000].map(microsFormat([1000, 2000]))).toEqual(['1', '376,800']);
  expect(microsFormat([1500])(376_840)).toBe('376.8');
  expect(microsFormat([43])(43)).toBe('0.043');
  expect(plain(momentToMicros(12_408_331, 90_000_000))).toBe('12.408 ms');
  expect(plain(momentToMicros(1_012_408_331, 9_000_000_000))).toBe('1.012 408 s');
  expect(plain(momentToMicros(408, 900))).toBe('408 ns');
});

test('the CPUs of a journey', () => {
  expect([cpuSpan(0, 0), plain(cpuSpan(0, 1)), cpuSpan(0xffff, 0xffff)]).toEqual([
    '0',
    '0 → 1',
    '–',
  ]);
});

test('filters are set, lifted and counted; the order stays', () => {
  const all = { sort: 'wait', isDescending: true } as const;
  const dropped = withFilter(withFilter(all, 'verdict', 'dropped'), 'cpu', 0);
  expect(dropped).toEqual({ ...all, verdict: 'dropped', cpu: 0 });
  expect(filterCount(dropped)).toBe(2);
  expect(withFilter(dropped, 'cpu', undefined)).toEqual({ ...all, verdict: 'dropped' });
  expect(withoutFilters(dropped)).toEqual(all);
});

test('a column of numbers sorts largest first, and turns round', () => {
  const byStart = { sort: 'start', isDescending: false } as const;
  const byWait = sortedBy(byStart, 'wait');
  expect(byWait).toEqual({ sort: 'wait', isDescending: true });
  expect(sortedBy(byWait, 'wait').isDescending).toBe(false);
  expect(sortedBy(byWait, 'start')).toEqual(byStart);
});
