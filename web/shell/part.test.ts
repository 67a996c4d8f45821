/** What a part of a file is called, and what it takes. */
import { expect, test } from 'vitest';
import { SMALL_SURVEY } from '../core/fake-core.ts';
import { memoryOf, nanosOf, partText, secondsOf } from './part.ts';

test('a part is named by its CPU and its times', () => {
  expect(partText({ cpu: 3 })).toBe('CPU 3');
  expect(partText({ from: 10e9, to: 12.5e9 })).toBe('from 10\u00a0s to 12.5\u00a0s');
  expect(partText({ cpu: 1, to: 12e9 })).toBe('CPU 1 to 12\u00a0s');
});

test('half of the time on one of two CPUs takes a quarter', () => {
  const { memory, from } = SMALL_SURVEY;
  expect(memoryOf(SMALL_SURVEY, {})).toBe(memory);
  expect(memoryOf(SMALL_SURVEY, { cpu: 0, from, to: 4500 })).toBe(memory / 4);
  expect(memoryOf({ ...SMALL_SURVEY, to: undefined }, { to: 4500 })).toBe(memory);
});

test('seconds are read as they are written, and what is no time is none', () => {
  expect(nanosOf(secondsOf(12_345_678_901_000))).toBe(12_345_678_901_000);
  expect(nanosOf(' 28,892368 ')).toBe(28_892_368_000);
  expect(nanosOf('  ')).toBeUndefined();
  for (const typed of ['-1', '1e9', '10:00', '1,234.5', 'Infinity']) {
    expect(nanosOf(typed)).toBeNaN();
  }
});
