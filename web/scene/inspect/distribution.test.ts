/** Scales, summaries and bars of layer times. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binsOf, summaryOf } from './distribution.ts';
import { valueScale } from './value-scale.ts';

const times = fc
  .array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 300 })
  .map((values) => Float64Array.from(values).sort());
const kinds = fc.constantFrom('linear' as const, 'log' as const);

test('the numbers of one to hundred', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);
  expect(summaryOf(hundred)).toEqual({
    count: 100,
    least: 1,
    most: 100,
    mean: 50.5,
    median: 50,
    p95: 95,
    p99: 99,
    trimmedMean: 50.5,
  });
});

test('the trimmed mean is not moved by an outlier, the mean is', () => {
  const values = Float64Array.from({ length: 40 }, (_, index) => (index === 39 ? 1e9 : 10));
  expect(summaryOf(values)?.trimmedMean).toBe(10);
  expect(summaryOf(values)?.mean).toBeGreaterThan(1e7);
});

test('of nothing there is no summary', () => {
  expect(summaryOf(new Float64Array())).toBeUndefined();
});

test('a summary lies within its values, in order', () => {
  fc.assert(
    fc.property(times, (sorted) => {
      const { least, most, median, p95, p99, mean, trimmedMean } = summaryOf(sorted)!;
      expect(least <= median && median <= p95 && p95 <= p99 && p99 <= most).toBe(true);
      for (const value of [mean, trimmedMean]) {
        expect(value).toBeGreaterThanOrEqual(least - 1e-6);
        expect(value).toBeLessThanOrEqual(most + 1e-6);
      }
    }),
  );
});

test('every value is in one bar, and the bars stand side by side', () => {
  fc.assert(
    fc.property(times, kinds, fc.integer({ min: 1, max: 80 }), (sorted, kind, count) => {
      const scale = valueScale(kind, sorted[0]!, sorted[sorted.length - 1]!);
      const bins = binsOf(sorted, scale, count);
      expect(bins).toHaveLength(count);
      expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(sorted.length);
      expect(bins[0]!.left).toBe(0);
      expect(bins[count - 1]!.right).toBe(1);
    }),
  );
});

test('a scale keeps order, stays on the axis and has its ticks on it', () => {
  fc.assert(
    fc.property(times, kinds, (sorted, kind) => {
      const scale = valueScale(kind, sorted[0]!, sorted[sorted.length - 1]!);
      const places = Array.from(sorted, (nanos) => scale.at(nanos));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      for (const place of places) expect(0 <= place && place <= 1).toBe(true);
      for (const { at } of scale.ticks(5)) expect(0 <= at && at <= 1).toBe(true);
    }),
  );
});

test('a logarithmic axis is marked at powers of ten, few of them', () => {
  const nanos = (least: number, most: number) =>
    valueScale('log', least, most)
      .ticks(4)
      .map((tick) => tick.nanos);
  expect(nanos(1000, 1_000_000)).toEqual([1e3, 1e4, 1e5, 1e6]);
  expect(nanos(1, 1e9)).toEqual([1, 1e3, 1e6, 1e9]);
});
