/** Depths as short texts: the unit that fits, once, and one sign between groups of three digits. */
import { expect, test } from 'vitest';
import { formatCount } from '../numbers/format.ts';
import { framesText } from '../words/counts.ts';
import { countText } from './machine/texts.ts';
import { depthText } from './text.ts';

test('the same number has the same digits everywhere', () => {
  expect([framesText(12_304), countText(12_304), formatCount(12_304)]).toEqual([
    '12,304 frames',
    '12,304',
    '12,304',
  ]);
  expect(countText(2_412_304)).toBe('2.41\u00a0M');
  expect(depthText(1024, 4096, 'frames')).toBe('1,024 of 4,096');
});

test('the unit of a depth and its limit is written once where it is the same', () => {
  expect(depthText(41_000, 212_992, 'bytes')).toBe('41 of 213\u00a0kB');
  expect(depthText(0, 212_992, 'bytes')).toBe('0 of 213\u00a0kB');
  expect(depthText(512, 212_992, 'bytes')).toBe('512\u00a0B of 213\u00a0kB');
  expect(depthText(8448, 0, 'bytes')).toBe('8.45\u00a0kB');
  expect(depthText(1, 0, 'frames')).toBe('1 frame');
});

test('more than the limit reads as full, not as a slip', () => {
  expect(depthText(17_408, 16_384, 'bytes')).toBe('full, 17.4\u00a0kB (limit 16.4\u00a0kB)');
  expect(depthText(1001, 1000, 'packets')).toBe('full, 1,001 (limit 1,000)');
  expect(depthText(16_384, 16_384, 'bytes')).toBe('16.4 of 16.4\u00a0kB');
});
