/**
 * Drops that stand long enough to be read. What has ended leaves the stage after half a second of film, and
 * nobody reads in that why a queue refused a packet: the dropped ones stay in the frame for longer, though
 * they have faded from the stage like all others. Still a function of the run and the moment alone.
 */
import type { Nanos } from '../core/core.ts';
import { NO_WORD } from '../core/core.ts';
import type { Frame, PacketColumns } from '../core/frame.ts';

/** For so much film it is told that a packet was dropped, and why: as long as it takes to read that. */
export const DROP_SECONDS = 1.6;

/** Whether a packet was dropped that has left the frame, and is still to be told of. */
export function hasLateDrop(
  drops: Float64Array,
  time: Nanos,
  linger: Nanos,
  stands: Nanos,
): boolean {
  return drops.some((drop) => time - stands < drop && drop <= time - linger);
}

/** A frame of a short linger with the drops of one of a longer linger. */
export function withLateDrops(longer: Frame, linger: Nanos, frame: Frame): Frame {
  const { until, verdict, dropReason } = longer.packets;
  const isKept = (_: number, at: number) => {
    const hasEnded = (verdict[at] ?? NO_WORD) !== NO_WORD;
    const isLate = hasEnded && (until[at] ?? 0) <= longer.time - linger;
    return !isLate || (dropReason[at] ?? NO_WORD) !== NO_WORD;
  };
  const columns = Object.entries(longer.packets as unknown as Record<string, Float64Array>);
  const kept = columns.map(([name, column]) => [name, column.filter(isKept)] as const);
  return { ...frame, packets: Object.fromEntries(kept) as unknown as PacketColumns };
}
