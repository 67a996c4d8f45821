/** What a file would come to, judged by its two ends. */
import { expect, test } from 'vitest';
import { engineOnDisk } from './on-disk.ts';
import { mayNeedMore } from './survey.ts';

/** A line of some 70 bytes for each CPU in turn, a microsecond apart. */
const line = (at: number) =>
  `          <idle>-0       [00${at % 4}] ..s1.  ${100 + Math.floor(at / 1e6)}.${String(at % 1e6).padStart(6, '0')}: softirq_raise: vec=3 [action=NET_RX]\n`;
const trace = (lines: number) =>
  new Blob([`# tracer: nop\n${Array.from({ length: lines }, (_, at) => line(at)).join('')}`]);

test('a file of ten megabytes is judged by its ends', async () => {
  const lines = 120_000;
  const outcome = await engineOnDisk().survey([{ name: 'large', data: trace(lines) }]);
  if (outcome.kind !== 'ok') throw new Error(outcome.kind);
  const { events, cpus, from, to, memory } = outcome.value;
  expect(Math.abs(events / lines - 1)).toBeLessThan(0.01);
  expect(memory / events).toBeGreaterThan(100);
  expect(cpus).toEqual([0, 1, 2, 3]);
  expect([from, to]).toEqual([100e9, 100e9 + (lines - 1) * 1000]);
});

test('a part has one CPU, and the ledger counts what was left out', async () => {
  const inputs = [{ name: 'small', data: trace(100) }];
  const excerpt = { cpu: 3, to: 100e9 + 50_000 };
  const outcome = await engineOnDisk().open(inputs, () => undefined, excerpt);
  if (outcome.kind !== 'ok') throw new Error(outcome.kind);
  const { events, cpus, ledger } = outcome.value;
  expect([events, cpus]).toEqual([12, [3]]);
  expect(ledger).toMatchObject({ total: 101, understood: 13, leftOut: 88 });
});

test('a file that cannot be too large is not surveyed', () => {
  const inputs = [{ name: 'small', data: trace(100) }];
  expect(mayNeedMore(inputs, 2 ** 30)).toBe(false);
  expect(mayNeedMore(inputs, 1000)).toBe(true);
});
