/**
 * Keeps packets that move along one rail apart: one that would cover the packet before it stays back, so
 * that each can be read. Each still reaches its place on time, and the displacement is continuous in time,
 * so that no packet jumps.
 */
import { group } from 'd3-array';
import type { Entry } from './entries.ts';
import { clamp01 } from './motion.ts';
import type { Place } from './place.ts';
import type { Rect } from './shapes.ts';

/** Gap between two packets on a rail, as a fraction of a packet's height. */
const GAP = 0.08;

/** The places of moving packets, kept apart; `standing` are packets at their places on the rails. */
export function spaced(moving: readonly Place[], standing: readonly Place[]): readonly Place[] {
  const ordered = [...moving].sort((a, b) => a.entry.until - b.entry.until);
  const rails = group(standing, railOf);
  const kept = new Map<Entry, Rect>();
  for (const { entry, rect } of ordered) {
    const rail = railOf({ entry });
    const before = rails.get(rail) ?? [];
    rails.set(rail, before);
    const own = isChangingLane(entry) ? before : [];
    const back = Math.max(0, ...own.map((other) => distance(rect, other.rect, entry)));
    const y = rect.y + (entry.slot.direction === 'rx' ? back : -back);
    const place = { entry, rect: { ...rect, y } };
    kept.set(entry, place.rect);
    before.push(place);
  }
  return moving.map(({ entry, rect }) => ({ entry, rect: kept.get(entry) ?? rect }));
}

function railOf({ entry: { slot } }: Pick<Place, 'entry'>): string {
  return `${slot.column} ${slot.direction}`;
}

function isChangingLane({ slot, nextSlot }: Entry): boolean {
  return nextSlot !== undefined && nextSlot.lane !== slot.lane;
}

/** How far a packet stays back behind another, in pixels. */
function distance(rect: Rect, other: Rect, { slot, hopped }: Entry): number {
  const up = slot.direction === 'rx' ? 1 : -1;
  const behind = up * (middle(rect) - middle(other));
  const least = (rect.height + other.height) / 2 + GAP * rect.height;
  const across = Math.min(rect.x + rect.width, other.x + other.width) - Math.max(rect.x, other.x);
  const beside = clamp01((2 * across) / Math.max(1, Math.min(rect.width, other.width)));
  // Of two at the same height neither is behind the other.
  const order = clamp01(behind / (0.4 * rect.height));
  return Math.max(0, least - behind) * beside * order * (1 - hopped);
}

function middle({ y, height }: Rect): number {
  return y + height / 2;
}
