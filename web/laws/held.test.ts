/** What the tests of the core pinned is read whole, and said rightly. */
import { expect, test } from 'vitest';
import { closenessOf, furthest, heldLaws, isShort, readHeld } from './held.ts';

const TEXT = `held           2.0000       1.0000  0.5000  a queue  {"duration_us":20000}
held           4.0000       4.4000  1.1000  a queue  {"duration_us":20000}
held           1.0000       1.0000  1.0000  another one  {"duration_us":900000}
broken         5.0000       0.0000  0.0000  a host  {"duration_us":1}
`;

test('the furthest number is the worst, on either side, and a broken one counts apart', () => {
  const samples = readHeld(TEXT);
  expect(closenessOf(samples)).toEqual({
    scenarios: 3,
    numbers: 3,
    median: 1,
    worst: 0.5,
    broken: 1,
  });
  expect(furthest(samples, 2).map(({ law }) => law)).toEqual([5, 2]);
  expect(samples.map(isShort)).toEqual([true, true, false, true]);
});

test('a line that is no number is an error', () => {
  expect(() => readHeld('held 1 2')).toThrow('held 1 2');
});

test.each(heldLaws().map((law) => [law.id, law] as const))('%s is pinned and drawn', (_, law) => {
  expect(law.samples.length).toBeGreaterThan(8);
  expect(law.points).toHaveLength(law.samples.length);
  for (const { x, y, law: says } of law.points) {
    expect([x, y, says].every(Number.isFinite)).toBe(true);
  }
});
