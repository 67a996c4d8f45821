/** Numbers as short texts: the unit that fits, and one sign between groups of three digits. */
import { expect, test } from 'vitest';
import { countText } from './machine/texts.ts';
import { counted, depthText, nanosText } from './text.ts';

test('a time is told in the unit in which it has three digits', () => {
  const told = [0, 431, 999, 1000, 13_400, 999_400, 999_600, 999_999_999, 1.2e9, 1.2e12];
  expect(told.map(nanosText)).toEqual([
    ...['0 ns', '431 ns', '999 ns', '1.00 µs', '13.4 µs', '999 µs', '1.00 ms', '1.00 s'],
    ...['1.20 s', '1,200 s'],
  ]);
});

test('the same number has the same digits everywhere', () => {
  expect(counted(12_304, 'line')).toBe('12,304 lines');
  expect(countText(12_304)).toBe('12,304');
  expect(depthText(1024, 4096, 'frames')).toBe('1,024 of 4,096');
});
