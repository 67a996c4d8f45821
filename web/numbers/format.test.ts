/** Numbers as read on screen; the spaces in them do not break, here they are written plain. */
import { afterEach, expect, test } from 'vitest';
import {
  formatBitRate,
  formatBytes,
  formatCount,
  formatDecimals,
  formatMoment,
  formatNanos,
  formatRoundNanos,
  formatNumber,
  formatShare,
  formatUpTo,
  setFormatLocale,
  formatFilm,
} from './format.ts';

afterEach(() => setFormatLocale(() => 'en'));

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test.each([
  [0, '0 ns'],
  [431, '431 ns'],
  [12.345, '12.3 ns'],
  [0.04, '0.04 ns'],
  [999, '999 ns'],
  [999.7, '1.00 µs'],
  [4300, '4.30 µs'],
  [999_600, '1.00 ms'],
  [28_412, '28.4 µs'],
  [2_500_000_000, '2.50 s'],
  [5e12, '5,000 s'],
  [-1500, '-1.50 µs'],
])('%d ns reads %s', (nanos, text) => {
  expect(plain(formatNanos(nanos))).toBe(text);
});

test.each([
  [20_000, '20 µs'],
  [10, '10 ns'],
  [1_500_000, '1.5 ms'],
  [10_000_000_000, '10 s'],
  [100_000, '100 µs'],
])('a round %d ns reads %s', (nanos, text) => {
  expect(plain(formatRoundNanos(nanos))).toBe(text);
});

test.each([
  [12_408_331, 200e6, '12.408 331 ms'],
  [0, 200e6, '0.000 000 ms'],
  [431.9, 900, '431 ns'],
  [1500, 900_000, '1.500 µs'],
  [1_234_567_890, 5e9, '1.234 567 890 s'],
])('the moment %d of a run of %d ns reads %s', (nanos, duration, text) => {
  expect(plain(formatMoment(nanos, duration))).toBe(text);
});

test('bytes, rates and counts', () => {
  expect(plain(formatBytes(96))).toBe('96 B');
  expect(plain(formatBytes(1448))).toBe('1.45 kB');
  expect(plain(formatBitRate(687.5e6))).toBe('5.50 Gbit/s');
  expect(formatCount(1_234_567)).toBe('1,234,567');
});

test.each([
  [0, 10, '0 %'],
  [10, 10, '100 %'],
  [1, 100_000, '< 0.1 %'],
  [99_999, 100_000, '> 99.9 %'],
  [4, 1000, '0.4 %'],
  [93, 100, '93 %'],
  [5, 100, '5 %'],
])('%d of %d is %s', (part, whole, text) => {
  expect(plain(formatShare(part, whole))).toBe(text);
});

test('one language has one decimal sign, whatever is written', () => {
  setFormatLocale(() => 'de');
  expect(plain(formatNanos(4300))).toBe('4,30 µs');
  expect(plain(formatRoundNanos(1_500_000))).toBe('1,5 ms');
  expect(plain(formatNanos(5e12))).toBe('5.000 s');
  expect(plain(formatMoment(12_408_331, 200e6))).toBe('12,408 331 ms');
  expect(plain(formatBytes(1448))).toBe('1,45 kB');
  expect(plain(formatShare(4, 1000))).toBe('0,4 %');
  expect(plain(formatShare(1, 100_000))).toBe('< 0,1 %');
  expect(formatCount(1_234_567)).toBe('1.234.567');
  expect(formatNumber(3.4)).toBe('3,40');
  expect(formatDecimals(1234.5, 2)).toBe('1.234,50');
  expect(formatUpTo(1234.5, 2)).toBe('1.234,5');
});

test('what is rounded to nothing has no sign', () => {
  expect(formatDecimals(-0.001, 2)).toBe('0.00');
});

test('seconds of film read as films are counted', () => {
  expect([0, 7.9, 723, 3723].map(formatFilm)).toEqual(['0:00', '0:07', '12:03', '1:02:03']);
});
