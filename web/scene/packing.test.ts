/** How much of a vessel its packets take, and the boxes of a ring. */
import { expect, test } from 'vitest';
import { ringBoxes } from './packing.ts';
import { busy, frameOf, runOf, shapesOf, staged } from './testing.ts';

test('a queue fills its share of a vessel whose limit is known', () => {
  const fill = (depth: number, limit: number) => {
    const queues = [{ kind: 'rx ring', home: 0, max: limit, depth, limit }];
    const given = Array.from({ length: depth }, (_, packet) => ({
      packet,
      at: 'rx ring',
      since: packet,
      until: 90_000,
    }));
    const stage = staged(runOf([0], queues));
    const slot = stage.layout.slots.find(({ name }) => name === 'rx ring');
    if (slot === undefined) throw new Error('no ring is drawn');
    const shapes = shapesOf(stage, frameOf(500, given, busy, queues), { followed: 2 });
    const ends = shapes.flatMap((shape) =>
      shape.kind === 'capsule' || shape.kind === 'stack' ? [shape.rect.x + shape.rect.width] : [],
    );
    const { body } = slot;
    return {
      share: (Math.max(...ends) - body.x) / body.width,
      few: (2 * body.height) / body.width,
    };
  };
  for (const [depth, limit] of [
    [20, 256],
    [34, 1024],
    [300, 512],
  ] as const) {
    const { share, few } = fill(depth, limit);
    expect(share).toBeGreaterThan(depth / limit - 0.02);
    expect(share).toBeLessThan(Math.max(depth / limit, few) + 0.02);
  }
});

test('each box of a ring stands for the same number of slots', () => {
  const slot = staged(runOf([0])).layout.slots.find(({ kind }) => kind === 'ring');
  if (slot === undefined) throw new Error('no ring is drawn');
  for (const size of [1, 4, 64, 100, 256, 509, 1024, 4096]) {
    const { boxes, slots } = ringBoxes(slot, size);
    expect(boxes * slots).toBe(size);
  }
  expect(ringBoxes(slot, 0).slots).toBe(1);
});
