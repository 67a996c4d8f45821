/** Heat maps: the place and the darkness of each cell, and the course of the ridge of knees. */
import { expect, test } from 'vitest';
import { mapOf, ridgesOf, type Row } from './map.ts';

const row = <On>(on: On, values: number[], means: number[], knee?: number): Row<On> => ({
  ...{ on, values },
  points: means.map((mean) => ({ mean, halfWidth: 1 })),
  knee: knee === undefined ? undefined : { at: knee },
});

test('columns grow to the right, numbers grow upwards, what has not run is missing', () => {
  const map = mapOf([row(1, [2, 8], [10, 20], 1), row(4, [8, 2, 32], [30, 20, 40])]);
  expect(map).toMatchObject({ columns: [2, 8, 32], least: 10, most: 40 });
  expect(map.rows.map(({ on }) => on)).toEqual([4, 1]);
  expect(map.rows.map(({ cells }) => cells.map((cell) => cell?.mean))).toEqual([
    [20, 30, 40],
    [10, 20, undefined],
  ]);
  expect(map.rows[1]?.cells.map((cell) => cell?.share)).toEqual([0, 1 / 3, undefined]);
  expect(map.rows[1]?.cells[1]?.isKnee).toBe(true);
});

test('words stand in their order, and where all is the same nothing is dark or light', () => {
  const map = mapOf([row('2.4', [1], [7]), row('2.6', [1], [7])]);
  expect(map.rows.map(({ on }) => on)).toEqual(['2.4', '2.6']);
  expect(map.rows.map(({ cells }) => cells[0]?.share)).toEqual([0.5, 0.5]);
});

test('the ridge breaks where a row has no knee', () => {
  const at = (on: number, knee?: number) => row(on, [1, 2, 3], [1, 2, 3], knee);
  const ridges = ridgesOf(mapOf([at(1, 0), at(2, 1), at(3), at(4, 2)]));
  expect(ridges).toEqual([
    [[2, 0]],
    [
      [1, 2],
      [0, 3],
    ],
  ]);
});
