/** Figures as the scoreboard prints them. */
import { expect, test } from 'vitest';
import type { PaperEntry, Reproduced } from '../core/simulation.ts';
import {
  commonUnit,
  formatFigure,
  formatModelled,
  formatPublished,
  formatRatio,
  formatTolerance,
  formatUnit,
  linesOf,
  noteOf,
} from './figures.ts';

const row: Reproduced = {
  ...{ entry: 'ba.fig5', item: 'UNI', unit: 'Gbit/s', published: 5.5, modelled: 5.432 },
  ...{ interval: 0.018, ratio: 0.988, kind: 'fitted', tolerance: 0.1, verdict: 'within' },
  ...{ scenario: '', note: '' },
};

test.each([
  [5.5, '5.5'],
  [12.0273, '12.03'],
  [2291591, '2,291,591'],
  [0, '0'],
  [-0.05, '-0.05'],
  [100, '100'],
  [0.00012, '0.00012'],
])('%s reads %s', (value, text) => {
  expect(formatFigure(value)).toBe(text);
});

test('a range, and words, read as they were published', () => {
  expect(formatPublished([3.4, 7.8])).toBe('3.4 to 7.8');
  expect(formatPublished('slower')).toBe('slower');
});

test('the interval says how many digits the model’s number has', () => {
  expect(formatModelled(row)).toBe('5.432 ± 0.018');
  expect(formatModelled({ ...row, modelled: 10432.7, interval: 31.2 })).toBe('10,433 ± 31');
  expect(formatModelled({ ...row, interval: 0 })).toBe('5.432');
  expect(formatModelled({ ...row, modelled: 475.5902, interval: 0.0044 })).toBe('475.6');
  expect(formatModelled({ ...row, modelled: 71.018, interval: 0.089 })).toBe('71.02 ± 0.09');
  expect(formatModelled({ ...row, modelled: 0, interval: 0.5 })).toBe('0.00 ± 0.50');
  expect(formatModelled({ ...row, modelled: undefined })).toBe('–');
});

test('a long note is told once, and then by the name of its line', () => {
  const line = (item: string, note: string) => ({
    ...{ item, unit: '', published: 1 },
    result: { ...row, item, note },
  });
  const why = 'The hogs of the model touch no memory, so they take no lines out of the cache.';
  const lines = [line('a', 'short'), line('b', why), line('c', 'short'), line('d', why)];
  const notes = lines.map((_, index) => noteOf(lines, index));
  expect(notes).toEqual(['short', why, 'short', 'As for b.']);
});

test('ratios and tolerances', () => {
  expect([formatRatio(0.988), formatRatio(12.5), formatRatio(undefined)]).toEqual([
    '× 0.99',
    '× 12.5',
    '–',
  ]);
  expect(formatTolerance(0.1)).toBe('± 10\u00a0%');
});

test('before a run the published numbers stand alone', () => {
  const entry: PaperEntry = {
    ...{ id: 'ba.fig5', where: '', what: '', unit: 'Gbit/s', conditions: '' },
    items: [{ item: 'UNI', published: 5.5 }],
  };
  expect(linesOf(entry, [])).toEqual([
    { item: 'UNI', unit: 'Gbit/s', published: 5.5, result: undefined },
  ]);
  const lines = linesOf(entry, [row, { ...row, unit: '%' }]);
  expect(lines.map(({ result }) => result?.modelled)).toEqual([5.432, 5.432]);
  expect([commonUnit(lines), commonUnit(lines.slice(0, 1))]).toEqual([undefined, 'Gbit/s']);
});

test('units are printed, not spelt', () => {
  expect(['us', 'us/connection', 'users', '-', '%'].map(formatUnit)).toEqual([
    ...['µs', 'µs/connection', 'users', '', '%'],
  ]);
});
