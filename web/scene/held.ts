/**
 * How much a vessel holds as it is drawn: a packet that has begun its hop has
 * left it, and one that has landed is in it. The frame still counts a packet that
 * leaves until the event that ends the hop, and for a queue that all CPUs share
 * it also counts packets drawn at other CPUs; the number above a vessel must not.
 */
import { group, sum } from 'd3-array';
import type { Frame } from '../core/frame.ts';
import type { Opened } from '../core/core.ts';
import { NO_QUEUE } from '../core/core.ts';
import { isMoving, type Entry } from './entries.ts';
import type { Slot } from './layout.ts';

/** The depth of a queue as its slot shows it, in the unit of the queue; `undefined` if unknown. */
export type HeldIn = (slot: Slot, queue: number) => number | undefined;

export function heldIn(
  { queueDepth, packets }: Frame,
  run: Opened,
  live: readonly Entry[],
): HeldIn {
  // A run may have tens of thousands of queues: each asks only about its own packets.
  const byQueue = group(live, ({ index }) => packets.queue[index] ?? NO_QUEUE);
  const readingIn = group(
    live.filter(({ slot }) => slot.row === 'process'),
    ({ slot }) => slot.column,
  );
  return (slot, queue) => {
    const depth = queueDepth[queue] ?? 0;
    const own = byQueue.get(queue) ?? [];
    const isOnly = slot.queues.length === 1;
    const queued = isOnly ? [...own, ...(byQueue.get(NO_QUEUE) ?? [])] : own;
    const here = queued.filter((entry) => entry.slot === slot);
    const standing = here.filter((entry) => !hasLeft(entry));
    if (run.queues[queue]?.unit !== 'bytes') {
      const elsewhere = own.filter((entry) => entry.slot !== slot);
      return Math.max(0, depth - elsewhere.length - (here.length - standing.length));
    }
    // The memory of a read packet is uncharged when it is freed, which some kernels report late.
    if (standing.length === 0) return 0;
    if (depth === 0) return undefined;
    const reading = readingIn.get(slot.column) ?? [];
    const part = sum(standing, bytesOf) / sum([...here, ...reading], bytesOf);
    return Math.round(depth * part);
  };
}

/** Whether it is drawn on its way to another place. */
function hasLeft(entry: Entry): boolean {
  return isMoving(entry) && (entry.nextSlot !== entry.slot || entry.exit !== undefined);
}

/** A packet without data takes memory, too, so none counts as 0 bytes. */
function bytesOf({ bytes }: Entry): number {
  return Math.max(1, bytes);
}
