/** A ring surrounds its target once, in whatever view and in however many parts it is drawn. */
import { expect, test } from 'vitest';
import { ringsAround } from './rings.ts';
import type { Shape, Thing } from './shapes.ts';

const box = (x: number, width: number, thing?: Thing): Shape => ({
  ...{ kind: 'panel', fill: undefined, line: undefined, radius: 0, isDashed: false },
  rect: { x, y: 10, width, height: 20 },
  thing,
});
const cpu = (number: number): Thing => ({ kind: 'cpu', cpu: number });

test('parts of a thing that touch have one ring, parts apart have one each', () => {
  const shapes = [
    box(100, 50, cpu(1)),
    box(155, 20, cpu(1)),
    box(400, 50, cpu(1)),
    box(200, 50, cpu(0)),
    box(120, 10),
  ];
  expect(ringsAround(shapes, [{ kind: 'cpu', cpu: 1 }])).toEqual([
    { x: 96, y: 6, width: 83, height: 28 },
    { x: 396, y: 6, width: 58, height: 28 },
  ]);
});

test('a part that joins two others makes one of all three', () => {
  const shapes = [box(0, 20, cpu(0)), box(60, 20, cpu(0)), box(20, 40, cpu(0))];
  expect(ringsAround(shapes, [{ kind: 'cpu', cpu: 0 }])).toHaveLength(1);
});

test('on a phone a CPU has a cell above its head, and the ring around both leaves out the cell of another', () => {
  const head = { ...box(0, 104, cpu(0)), rect: { x: 0, y: 36, width: 104, height: 30 } };
  const shapes = [box(0, 50, cpu(0)), box(54, 50, cpu(1)), head];
  expect(ringsAround(shapes, [{ kind: 'cpu', cpu: 0 }])).toHaveLength(1);
  const rings = ringsAround(shapes, [
    { kind: 'cpu', cpu: 0 },
    { kind: 'cpu', cpu: 1 },
  ]);
  expect(rings).toEqual([
    { x: -4, y: 6, width: 56, height: 27 },
    { x: -4, y: 33, width: 112, height: 37 },
    { x: 52, y: 6, width: 56, height: 27 },
  ]);
});

test('where the cell of a CPU and a text of its head touch first, no ring crosses the head', () => {
  const of = (number: number, x: number, y: number, width: number, height: number): Shape => ({
    ...box(0, 0, cpu(number)),
    rect: { x, y, width, height },
  });
  const shapes = [
    ...[of(0, 0, 10, 50, 20), of(1, 54, 10, 50, 20)],
    ...[of(1, 60, 36, 60, 10), of(1, 0, 34, 140, 30)],
  ];
  const rings = ringsAround(shapes, [
    { kind: 'cpu', cpu: 0 },
    { kind: 'cpu', cpu: 1 },
  ]);
  expect(rings).toContainEqual({ x: -4, y: 34, width: 148, height: 34 });
  for (const { y, height } of rings) expect(y === 34 || y + height <= 34).toBe(true);
});

test('each kind of thing is found, and what is not drawn has no ring', () => {
  const shapes = [
    box(0, 20, { kind: 'queue', queue: 3 }),
    box(100, 20, { kind: 'packet', packet: 7, piece: 0 }),
    box(200, 20, { kind: 'station', station: 2 }),
    box(300, 20, { kind: 'row', row: 'ip', lane: 'ip' }),
    box(400, 20, { kind: 'row', row: 'ip' }),
  ];
  expect(ringsAround(shapes, [{ kind: 'lane', lane: 'ip' }])).toHaveLength(1);
  expect(ringsAround(shapes, [{ kind: 'queues', queues: [2, 3] }])).toHaveLength(1);
  expect(ringsAround(shapes, [{ kind: 'packet', packet: 7 }])).toHaveLength(1);
  expect(ringsAround(shapes, [{ kind: 'station', station: 2 }])).toHaveLength(1);
  expect(ringsAround(shapes, [{ kind: 'packet', packet: 8 }])).toEqual([]);
});

test('rings of two things side by side or one above the other meet half way, one within another stays whole', () => {
  const both = [
    { kind: 'cpu', cpu: 0 },
    { kind: 'cpu', cpu: 1 },
  ] as const;
  expect(ringsAround([box(0, 50, cpu(0)), box(54, 50, cpu(1))], both)).toEqual([
    { x: -4, y: 6, width: 56, height: 28 },
    { x: 52, y: 6, width: 56, height: 28 },
  ]);
  const below = { ...box(0, 50, cpu(1)), rect: { x: 0, y: 34, width: 50, height: 20 } };
  expect(ringsAround([box(0, 50, cpu(0)), below], both)).toEqual([
    { x: -4, y: 6, width: 58, height: 26 },
    { x: -4, y: 32, width: 58, height: 26 },
  ]);
  const within = box(20, 10, { kind: 'packet', packet: 7, piece: 0 });
  const rings = ringsAround([box(0, 50, cpu(0)), within], [both[0], { kind: 'packet', packet: 7 }]);
  expect(rings.map(({ width }) => width)).toEqual([58, 18]);
});
