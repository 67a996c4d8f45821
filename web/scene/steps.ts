/**
 * Steps, for those who want nothing to move: a packet that is about to be elsewhere has a ghost
 * there and a thin line to it; the followed one leaves a ghost where it was. Few at a time.
 */
import { NO_QUEUE } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Entries } from './entries.ts';
import { columnOf } from './layout.ts';
import { tailOf } from './packing.ts';
import { trailAlong, wayBetween } from './place.ts';
import type { Stage } from './scene.ts';
import type { Rect, Shape, View } from './shapes.ts';

/** So many announce their step at once, the next to go. */
const STEPS = 3;
/** Seconds of film for which a ghost stays where the followed packet was. */
const GHOST = 1.2;

export function stepShapes(
  stage: Stage,
  frame: Frame,
  { live }: Entries,
  rectOf: ReadonlyMap<number, Rect>,
  view: View,
): readonly Shape[] {
  if (view.travel > 0) return [];
  const next = live
    .filter(({ isLeaving }) => isLeaving)
    .sort((a, b) => a.until - b.until || a.packet - b.packet)
    .slice(0, STEPS);
  const ahead = next.flatMap((entry): readonly Shape[] => {
    const { slot, nextSlot, packet } = entry;
    const rest = rectOf.get(packet);
    if (rest === undefined || nextSlot === undefined || nextSlot === slot) return [];
    const goal = tailOf(nextSlot, entry);
    return [trailAlong(wayBetween(rest, slot, goal, nextSlot), goal)];
  });
  return [...ahead, ...behind(stage, frame, live, rectOf, view)];
}

/** Where the followed packet was just before. */
function behind(
  { layout, table }: Stage,
  frame: Frame,
  live: Entries['live'],
  rectOf: ReadonlyMap<number, Rect>,
  { way, followed, filmTo }: View,
): readonly Shape[] {
  const now = followed === undefined ? undefined : rectOf.get(followed);
  const entry = live.find(({ packet }) => packet === followed);
  const before = way?.findLast(({ leave }) => leave <= frame.time);
  if (now === undefined || entry === undefined || before === undefined) return [];
  if (filmTo(before.leave) < -GHOST) return [];
  const slot = table.slot(columnOf(layout, before.cpu), before.station, NO_QUEUE);
  if (slot === undefined || slot === entry.slot) return [];
  const ghost = tailOf(slot, entry);
  return [trailAlong(wayBetween(ghost, slot, now, entry.slot), ghost)];
}
