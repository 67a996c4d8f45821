/**
 * Steps, shown instead of motion: a packet that is about to move has a ghost at its next place and a thin
 * line to it; the followed packet leaves a ghost at its previous place. Only a few are shown at a time.
 */
import { NO_QUEUE } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Entries } from './entries.ts';
import { columnOf } from './layout.ts';
import { tailOf } from './packing.ts';
import { trailAlong, wayBetween } from './place.ts';
import type { Stage } from './scene.ts';
import type { Rect, Shape, View } from './shapes.ts';

/** Number of packets that announce their step at once, the next to move. */
const STEPS = 3;
/** Seconds of film for which a ghost stays at the followed packet's previous place. */
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

/** The ghost at the previous place of the followed packet. */
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
