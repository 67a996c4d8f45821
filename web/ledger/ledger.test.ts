/** The ledger's sums as shown, with what each leads to. */
import { expect, test } from 'vitest';
import { CLEAN_LEDGER } from '../core/fake-core.ts';
import { addsUp, headlineOf, sumsOf } from './ledger.ts';

const damaged = {
  ...CLEAN_LEDGER,
  total: 1000,
  understood: 900,
  skipped: 60,
  unknown: 30,
  malformed: 8,
  malformedReasons: [
    { why: 'no event name', count: 1 },
    { why: 'no time stamp', count: 7 },
  ],
  lostMarkers: 2,
  lostEvents: 412,
  lostByCpu: [{ cpu: 1, events: 412 }],
  skippedByName: [
    { name: 'rcu_utilization', count: 10, lines: [{ number: 7, text: 'rcu' }] },
    { name: 'timer_start', count: 50, lines: [{ number: 3, text: 'timer' }] },
  ],
  unknownByName: [{ name: 'my_event', count: 30, lines: [{ number: 12, text: 'my_event: 1' }] }],
  malformedLines: [
    { number: 4, text: '@@', why: 'no time stamp' },
    { number: 9, text: '##', why: 'no event name' },
    { number: 11, text: '@!', why: 'no time stamp' },
  ],
};

test('the sums add up, and the largest entries come first', () => {
  expect(addsUp(damaged)).toBe(true);
  expect(sumsOf(damaged).map(({ label, count }) => `${label} ${count}`)).toEqual([
    'Understood 900',
    'Not needed 60',
    'Unknown 30',
    'Damaged 8',
    'Loss marks 2',
  ]);
  const entries = sumsOf(damaged).map(({ entries: of }) =>
    of.map(({ name, count }) => `${name} ${count}`),
  );
  expect(entries).toEqual([
    [],
    ['timer_start 50', 'rcu_utilization 10'],
    ['my_event 30'],
    ['no time stamp 7', 'no event name 1'],
    ['CPU 1 412'],
  ]);
});

test('an entry leads to its lines', () => {
  expect(sumsOf(damaged)[3]?.entries[0]?.lines.map(({ number }) => number)).toEqual([4, 11]);
});

test('a sum that does not add up is not hidden', () => {
  expect(addsUp({ ...damaged, total: 1001 })).toBe(false);
});

test('what was left out by choice is a sum of its own, and no reason to look', () => {
  const part = { ...CLEAN_LEDGER, total: CLEAN_LEDGER.total + 50, leftOut: 50 };
  expect(addsUp(part)).toBe(true);
  expect(sumsOf(part).at(-1)).toMatchObject({ kind: 'left-out', label: 'Left out', count: 50 });
  expect(headlineOf(part)).toEqual(headlineOf(CLEAN_LEDGER));
});

test('the headline of a file of which only a part could be read says so', () => {
  const cut = { code: 'import.cut_off', values: {}, isInferred: false };
  const other = { ...cut, code: 'import.clipped' };
  const part = { ...CLEAN_LEDGER, warnings: [other, cut] };
  expect(headlineOf(part)).toEqual({ text: 'only a part was read', needsLook: true });
  expect(headlineOf({ ...part, warnings: [other] }).needsLook).toBe(false);
});

test('the headline says whether to look', () => {
  expect(headlineOf(CLEAN_LEDGER)).toEqual({ text: '100\u00a0% accounted', needsLook: false });
  expect(headlineOf({ ...damaged, lostEvents: 0 })).toEqual({
    text: '96\u00a0% accounted',
    needsLook: true,
  });
  expect(headlineOf(damaged).text).toBe('events lost');
});
