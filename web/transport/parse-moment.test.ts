/** The time field reads what people write, and all that the page itself writes. */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { formatMoment, setFormatLocale } from '../numbers/format.ts';
import { parseMoment } from './parse-moment.ts';

const here = { time: 100_000_000, duration: 763_000_000, filmLength: 700 };
const read = (text: string) => parseMoment(text, here);

afterEach(() => setFormatLocale(() => 'en'));

test('a moment is read with its unit, and without one in that of the run', () => {
  for (const [text, time] of [
    ['12.3 ms', 12_300_000],
    ['12,3ms', 12_300_000],
    ['0.5 s', 500_000_000],
    ['300us', 300_000],
    ['300 µs', 300_000],
    ['300 μs', 300_000],
    ['7 ns', 7],
    ['.5 ms', 500_000],
    ['12', 12_000_000],
    ['0', 0],
  ] as const) {
    expect(read(text), text).toEqual({ kind: 'run', time });
  }
});

test('a sign means from here', () => {
  expect(read('+2 ms')).toEqual({ kind: 'run', time: 102_000_000 });
  expect(read('−20 µs')).toEqual({ kind: 'run', time: 99_980_000 });
});

test('seconds of film are told as film', () => {
  for (const text of ['film 12.5', 'film 12.5 s', '12.5 s film', '12.5 s of film', 'Film 12,5 s']) {
    expect(read(text), text).toEqual({ kind: 'film', film: 12.5 });
  }
});

test('what cannot be read or lies outside is refused, not guessed', () => {
  for (const text of ['', 'soon', '12 min', '1e3', '1.2.3 ms', '12 ms 5', 'film', '9'.repeat(50)]) {
    expect(read(text), text).toEqual({ kind: 'unreadable' });
  }
  expect(read('0.8 s')).toEqual({ kind: 'outside', what: 'run' });
  expect(read('-1 s')).toEqual({ kind: 'outside', what: 'run' });
  expect(read('film 701')).toEqual({ kind: 'outside', what: 'film' });
});

test('three digits after a sign that groups digits in the language are no fraction', () => {
  for (const text of ['1,500 ns', '+1,500 ns', '12,345', 'film 1,500', '1,500 s film'])
    expect(read(text), text).toEqual({ kind: 'unreadable' });
  for (const text of ['1.500 ms', '0,500 ms', '1,50 ms', '1,5000 ms'])
    expect(read(text).kind, text).toBe('run');
  setFormatLocale(() => 'de');
  expect(read('1.500 ns')).toEqual({ kind: 'unreadable' });
  expect(read('1,500 ms')).toEqual({ kind: 'run', time: 1_500_000 });
});

test('whatever the page writes as a moment reads back exactly, in every language', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3e12 }),
      fc.integer({ min: 0, max: 3e12 }),
      fc.constantFrom('en', 'de'),
      (one, other, language) => {
        setFormatLocale(() => language);
        const [time, duration] = [Math.min(one, other), Math.max(one, other)];
        const written = formatMoment(time, duration);
        expect(parseMoment(written, { time: 0, duration, filmLength: 1 })).toEqual({
          kind: 'run',
          time,
        });
      },
    ),
  );
});
