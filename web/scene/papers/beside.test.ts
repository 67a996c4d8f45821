/** Published and modelled numbers on one axis. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { besidePicture, type Given } from './beside.ts';

const given = (item: string, published: number, modelled: number, interval = 0): Given => ({
  ...{ item, published: [published, published], modelled, interval },
});

test('an axis begins at zero, and numbers of a kernel stand together', () => {
  const picture = besidePicture([
    given('2.4: 1 NIC', 600, 500, 50),
    given('2.4: 2 NICs', 800, 1000),
    given('2.6: 1 NIC', 200, 200),
  ]);
  expect(picture?.isLogarithmic).toBe(false);
  expect(picture?.ticks.map(({ value }) => value)).toEqual([0, 200, 400, 600, 800, 1000]);
  expect(
    picture?.groups.map(({ name, marks }) => [name, ...marks.map(({ label }) => label)]),
  ).toEqual([
    ['2.4', '1 NIC', '2 NICs'],
    ['2.6', '1 NIC'],
  ]);
  expect(picture?.groups[0]?.marks[0]).toEqual({
    label: '1 NIC',
    published: [0.6, 0.6],
    modelled: { at: 0.5, from: 0.45, to: 0.55 },
  });
});

test('numbers that lie far apart have a logarithmic axis, losses one that goes below zero', () => {
  const far = besidePicture([given('a', 10, 12), given('b', 1000, 900)]);
  expect(far?.isLogarithmic).toBe(true);
  expect(far?.ticks.map(({ value }) => value)).toEqual([10, 100, 1000]);
  const loss = besidePicture([given('a', -5, -4), given('b', 5, 5)]);
  expect(loss?.isLogarithmic).toBe(false);
  expect(loss?.ticks.find(({ value }) => value === 0)?.at).toBe(0.5);
});

test('what was said in words has no mark, and nothing but words no picture', () => {
  const words = { item: 'a', published: undefined, modelled: 3, interval: 0 };
  expect(besidePicture([words])?.groups[0]?.marks[0]?.published).toBe(undefined);
  expect(besidePicture([{ ...words, modelled: undefined }])).toBe(undefined);
});

test('whatever the numbers are, every mark is on the axis', () => {
  // Studies print a few digits.
  const number = fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 1000);
  const row = fc.record({
    item: fc.constantFrom('a', 'b: c', ''),
    published: fc.option(fc.tuple(number, number), { nil: undefined }),
    modelled: fc.option(number, { nil: undefined }),
    interval: number.map(Math.abs),
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const marks = besidePicture(rows)?.groups.flatMap((group) => group.marks) ?? [];
      for (const { published, modelled } of marks) {
        const all = [...(published ?? []), ...(modelled ? Object.values(modelled) : [])];
        for (const at of all) expect(at >= 0 && at <= 1).toBe(true);
      }
    }),
  );
});
