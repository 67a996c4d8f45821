/** Film and run around one moment: both ways agree, in both clocks. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance } from './advance.ts';
import { filmMapAt } from './film.ts';
import { film } from './testing.ts';

test('true time: film is time by the speed', () => {
  const { filmTo, timeAfter } = filmMapAt(500, film());
  expect([filmTo(1500), filmTo(0), timeAfter(2), timeAfter(-0.5)]).toEqual([1, -0.5, 2500, 0]);
});

test('by event: every gap is half a second, however long', () => {
  const { filmTo, timeAfter } = filmMapAt(100, film({ pacing: 'event' }));
  expect([filmTo(1100), filmTo(1110), filmTo(600), filmTo(0)]).toEqual([0.5, 1, 0.25, -0.5]);
  expect([timeAfter(0.5), timeAfter(1), timeAfter(-0.25)]).toEqual([1100, 1110, 50]);
});

test('the two ways undo each other, and play comes to where the map says', () => {
  const times = fc.double({ min: 0, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(times, times, fc.constantFrom('true', 'event'), (now, then, pacing) => {
      const how = film({ pacing });
      const { filmTo, timeAfter } = filmMapAt(now, how);
      expect(timeAfter(filmTo(then))).toBeCloseTo(then, 3);
      const isReversed = filmTo(then) < 0;
      const elapsed = Math.abs(filmTo(then)) * 1000;
      expect(advance(now, elapsed, { ...how, isReversed }).time).toBeCloseTo(then, 3);
    }),
  );
});
