/** How much of a vessel its packets take, and the boxes of a ring. */
import { expect, test } from 'vitest';
import { ringBoxes } from './packing.ts';
import { ringWith, runOf, staged } from './testing.ts';

test('a queue fills its share of a vessel whose limit is known', () => {
  for (const [depth, limit] of [
    [20, 256],
    [34, 1024],
    [300, 512],
  ] as const) {
    const { body, share } = ringWith(depth, limit, { followed: 2 });
    const few = (2 * body.height) / body.width;
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
