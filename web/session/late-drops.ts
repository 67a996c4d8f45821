/**
 * Keeps drops in the frame long enough to be read. A packet that ended leaves the stage after half a second
 * of film, too soon to read why a queue refused it: drops stay in the frame for longer, though they have
 * faded from the stage. Still a function of run and moment alone.
 */
import type { Nanos } from '../core/core.ts';
import { NO_WORD } from '../core/core.ts';
import type { Frame, PacketColumns } from '../core/frame.ts';

/** Seconds of film for which a drop and its reason are reported: the time it takes to read them. */
export const DROP_SECONDS = 1.6;

/** Whether a drop has left the frame but is still to be reported. */
export function hasLateDrop(
  drops: Float64Array,
  time: Nanos,
  linger: Nanos,
  stands: Nanos,
): boolean {
  return drops.some((drop) => time - stands < drop && drop <= time - linger);
}

/** The frame of a short linger, with the drops of one of a longer linger. */
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
