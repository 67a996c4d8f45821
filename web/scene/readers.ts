/**
 * Which tasks have packets waiting for them, in the queues of sockets
 * that they read. A socket belongs to the task that reads most from
 * it in the run; without a recorded read it belongs to none.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_WORD, NONE } from '../core/core.ts';

type Awaited = ReadonlyMap<number, readonly number[]>;

/** Each CPU asks for those of its frame. */
const known = new WeakMap<Frame, Awaited>();

/** By task the rows of the packets' columns that wait for it, in their order. */
export function packetsAwaited(frame: Frame, run: Opened): Awaited {
  const awaited = known.get(frame) ?? awaitedIn(frame, run);
  known.set(frame, awaited);
  return awaited;
}

function awaitedIn({ packets }: Frame, run: Opened): Awaited {
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
