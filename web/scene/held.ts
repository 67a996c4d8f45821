/**
 * How much a vessel holds as it is drawn: a packet that has begun its hop has
 * left it, and one that has landed is in it. The frame still counts a packet that
 * leaves until the event that ends the hop, and for a queue that all CPUs share
 * it also counts packets drawn at other CPUs; the number above a vessel must not. Of a queue whose unit is
 * memory the number is the frame's, as on every other view: memory does not leave with the packet.
 */
import { group, sum } from 'd3-array';
import type { Frame } from '../core/frame.ts';
import type { Opened } from '../core/core.ts';
import { NO_QUEUE } from '../core/core.ts';
import { isMoving, type Entry } from './entries.ts';
import type { Slot } from './layout.ts';

export interface HeldIn {
  /** The depth of a queue as its slot shows it, in the unit of the queue; `undefined` if unknown. */
  readonly depth: (slot: Slot, queue: number) => number | undefined;
  /** Whether no packet is drawn that is in a slot, comes to it or leaves it. */
  readonly isBare: (slot: Slot) => boolean;
}

export function heldIn(
  { queueDepth, packets }: Frame,
  run: Opened,
  live: readonly Entry[],
): HeldIn {
  // A run may have tens of thousands of queues: each asks only about its own packets.
  const byQueue = group(live, ({ index }) => packets.queue[index] ?? NO_QUEUE);
  const taken = new Set(live.flatMap(({ slot, nextSlot }) => [slot, nextSlot]));
  const depthOf: HeldIn['depth'] = (slot, queue) => {
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
    // Memory is charged until a packet is freed: what sets out from here, or is being read, still counts.
    if (depth === 0) return standing.length === 0 ? 0 : undefined;
    const elsewhere = own.filter(({ slot: at }) => at !== slot && at.queues.includes(queue));
    const away = sum(elsewhere, bytesOf);
    return away === 0
      ? depth
      : Math.round((depth * sum(here, bytesOf)) / (sum(here, bytesOf) + away));
  };
  return { depth: depthOf, isBare: (slot) => !taken.has(slot) };
}

/** Whether it is drawn on its way to another place. */
function hasLeft(entry: Entry): boolean {
  return isMoving(entry) && (entry.nextSlot !== entry.slot || entry.exit !== undefined);
}

/** A packet without data takes memory, too, so none counts as 0 bytes. */
function bytesOf({ bytes }: Entry): number {
  return Math.max(1, bytes);
}
