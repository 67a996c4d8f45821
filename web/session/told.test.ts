/** Told film and the run's time: both ways agree, dwells stand still, play goes where the maps say. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pieces } from '../core/told.ts';
import { advanceTold, filmAt, filmLength, piecesBetween, pieceAt, timeAt } from './told.ts';

/** Pieces of any lengths: time stands still in a third of them. */
const pieces = fc
  .array(
    fc.record({
      seconds: fc.double({ min: 0.01, max: 2, noNaN: true }),
      nanos: fc.integer({ min: 1, max: 1_000_000 }),
      kind: fc.constantFrom(0, 1, 2),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows): Pieces => {
    const film = [0];
    const time = [0];
    for (const { seconds, nanos, kind } of rows) {
      film.push((film.at(-1) ?? 0) + seconds);
      time.push((time.at(-1) ?? 0) + (kind === 2 ? 0 : nanos));
    }
    const kind = Uint8Array.from(rows, (row) => row.kind);
    return { film: Float64Array.from(film), time: Float64Array.from(time), kind };
  });
const shares = fc.double({ min: 0, max: 1, noNaN: true });

test('a time comes back from film as it was', () => {
  fc.assert(
    fc.property(pieces, shares, (given, share) => {
      const time = Math.floor(share * (given.time.at(-1) ?? 0));
      // To the nanosecond: a link to where the film opens would else show the moment before.
      expect(timeAt(given, filmAt(given, time))).toBe(time);
    }),
  );
});

test('film comes back from a time as it was, or as the beginning of the dwell', () => {
  fc.assert(
    fc.property(pieces, shares, (given, share) => {
      const film = share * filmLength(given);
      const piece = pieceAt(given, film);
      const time = timeAt(given, film);
      const back = filmAt(given, time);
      if (piece?.kind === 'dwell') expect(back).toBeLessThanOrEqual(film);
      else {
        // A time may be a thousandth of a nanosecond beside, and two seconds may tell of one nanosecond.
        expect(Math.abs(back - film)).toBeLessThan(2e-3);
        expect(Math.abs(timeAt(given, back) - time)).toBeLessThan(1e-3);
      }
    }),
  );
});

test('playing on and back again leads to the same moment', () => {
  fc.assert(
    fc.property(pieces, shares, shares, (given, share, step) => {
      const film = share * filmLength(given);
      const seconds = step * (filmLength(given) - film);
      const how = { pieces: given, loop: undefined };
      const on = advanceTold(film, seconds, how);
      expect(on.time).toBe(timeAt(given, on.film));
      expect(advanceTold(on.film, -seconds, how).film).toBeCloseTo(film, 9);
    }),
  );
});

test('of very many pieces so many are handed out', () => {
  const many: Pieces = {
    film: Float64Array.from({ length: 1001 }, (_, at) => at),
    time: Float64Array.from({ length: 1001 }, (_, at) => at),
    kind: new Uint8Array(1000).fill(1),
  };
  expect(piecesBetween(many, 0, 1000, 100).length).toBe(100);
  expect(piecesBetween(many, 10.5, 12, 100).map(({ film }) => film)).toEqual([10, 11]);
});
