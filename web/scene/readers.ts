/**
 * Which tasks have packets waiting for them: those in the queues of sockets that they read. Whose
 * socket it is follows from who reads most from it in the run; where no read tells, nobody's.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_WORD, NONE } from '../core/core.ts';

/** By task the rows of the packets' columns that wait for it, in their order. */
export function packetsAwaited(
  { packets }: Frame,
  run: Opened,
): ReadonlyMap<number, readonly number[]> {
  const waiting = new Map<number, number[]>();
  packets.packet.forEach((_, row) => {
    const reader = run.queues[packets.queue[row] ?? -1]?.reader ?? NONE;
    const isLive = (packets.verdict[row] ?? NO_WORD) === NO_WORD;
    if (reader === NONE || !isLive || packets.isServed[row] === 1) return;
    const held = waiting.get(reader);
    if (held === undefined) waiting.set(reader, [row]);
    else held.push(row);
  });
  return waiting;
}
