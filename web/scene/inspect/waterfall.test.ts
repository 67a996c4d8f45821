/** The waterfall's geometry: bars on one axis, pieces in groups, hand-overs, folds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StayRow } from '../../core/journeys.ts';
import { journeyOf } from './samples.ts';
import { stayAfter, waterfall, type Waterfall } from './waterfall.ts';

/** A group a line: `piece: station left–middle–right`, in percent, `<0` for taken over from CPU 0. */
function picture({ groups }: Waterfall): readonly string[] {
  const percent = (share: number) => Math.round(share * 100);
  return groups.map(({ piece, bars }) => {
    const texts = bars.map(({ stay, left, middle, right, handedFrom }) => {
      const handed = handedFrom === undefined ? '' : `<${handedFrom}`;
      return `${stay.station}${handed} ${[left, middle, right].map(percent).join('–')}`;
    });
    return `${piece}: ${texts.join(', ')}`;
  });
}

const acrossCpus = journeyOf(`
  4  0 4 1000-1200 200
  14 0 4 1200-1900 50
  15 1 3 1900-2000 100
`);

test('service comes before wait, and another CPU is a hand-over', () => {
  expect(picture(waterfall(acrossCpus, false, 5))).toEqual([
    '0: 4 0–20–20, 14 20–25–90, 15<0 90–100–100',
  ]);
});

test('a folded wait takes a tenth of the width, and the rest has the room', () => {
  const folded = waterfall(acrossCpus, true, 5);
  expect(folded.canFold).toBe(true);
  expect(folded.axis.folds).toEqual([expect.objectContaining({ from: 1250, to: 1900 })]);
  expect(picture(folded)).toEqual(['0: 4 0–51–51, 14 51–64–74, 15<0 74–100–100']);
});

test("the paper's packet is two segments and then the whole", () => {
  const segments = journeyOf(`
    4  ? 0 0-9     9
    6  ? 0 9-200   191
    4  ? 0 179-188 9   1
    14 ? 0 188-359 0   1
    14 ? 0 200-359 0
    15 ? 0 359-400 41
  `);
  expect(picture(waterfall(segments, false, 5))).toEqual([
    '0: 4 0–2–2, 6 2–50–50, 14 50–50–90',
    '1: 4 45–47–47, 14 47–47–90',
    'whole: 15 90–100–100',
  ]);
});

test('the stay that ended another', () => {
  expect(stayAfter(acrossCpus.stays, acrossCpus.stays[1]!)?.station).toBe(15);
  expect(stayAfter(acrossCpus.stays, acrossCpus.stays[2]!)).toBeUndefined();
});

test('a journey without duration is drawn, not divided by', () => {
  expect(picture(waterfall(journeyOf('4 0 4 7-7 0'), true, 5))).toEqual(['0: 4 0–0–0']);
});

const someStays = fc
  .array(
    fc.record({
      length: fc.integer({ min: 0, max: 1_000_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      cpu: fc.integer({ min: 0, max: 3 }),
      piece: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((pieces) => {
    let time = 1_000_000;
    return pieces.map(({ length, share, cpu, piece }): StayRow => {
      const service = Math.floor(length * share);
      const enter = time;
      time += length;
      const times = { enter, leave: time, service, wait: length - service };
      return { station: 1, cpu, context: 4, piece, ...times };
    });
  });

test('every bar lies within the axis, in order, and no time runs backwards', () => {
  fc.assert(
    fc.property(someStays, fc.boolean(), (stays, isFolded) => {
      const journey = { ...journeyOf('1 0 4 1000000-1000000 0'), stays };
      const { axis, ticks, groups } = waterfall(journey, isFolded, 5);
      const bars = groups.flatMap((group) => group.bars);
      expect(bars).toHaveLength(stays.length);
      for (const { left, middle, right } of bars) {
        expect(0 <= left && left <= middle && middle <= right && right <= 1).toBe(true);
      }
      for (const { at } of ticks) expect(0 <= at && at <= 1).toBe(true);
      const marks = bars.map(({ stay }) => axis.at(stay.enter)).sort((a, b) => a - b);
      const byTime = [...bars].sort((a, b) => a.stay.enter - b.stay.enter);
      expect(byTime.map(({ left }) => left)).toEqual(marks);
    }),
  );
});

test('true to scale, a bar is as wide as its service and wait', () => {
  fc.assert(
    fc.property(someStays, (stays) => {
      const journey = { ...journeyOf('1 0 4 1000000-1000000 0'), stays };
      const { axis, groups } = waterfall(journey, false, 5);
      const whole = axis.end - axis.start;
      for (const { stay, left, middle, right } of groups.flatMap(({ bars }) => bars)) {
        expect((middle - left) * whole).toBeCloseTo(stay.service, 3);
        expect((right - middle) * whole).toBeCloseTo(stay.wait, 3);
      }
    }),
  );
});
