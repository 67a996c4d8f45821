/**
 * The packets of a frame with the slots they are in: read from the columns once, so that
 * what follows speaks of packets and not of indices.
 *
 * A packet that waits in a queue which another CPU will empty is drawn on that CPU: a
 * backlog and a receive queue belong to who takes from them. It arrives where the event
 * was and slides over.
 */
import type { Frame } from '../core/frame.ts';
import type { PacketId } from '../core/core.ts';
import { NO_CPU, NO_WORD } from '../core/core.ts';
import { columnOf } from './layout.ts';
import type { Layout, Slot } from './layout.ts';
import type { Stay } from './motion.ts';
import { arrivalShare, ease, hopShare, lingerShare, workShare } from './motion.ts';
import type { View } from './shapes.ts';

export interface Entry extends Stay {
  readonly index: number;
  readonly packet: PacketId;
  readonly piece: number;
  readonly station: number;
  readonly cpu: number;
  readonly nextCpu: number;
  readonly bytes: number;
  readonly parts: number;
  readonly isServed: boolean;
  readonly hasEnded: boolean;
  /** Where it came in; where it stands; where it goes, as far as they are on this page. */
  readonly entrySlot: Slot;
  readonly slot: Slot;
  readonly nextSlot: Slot | undefined;
  /** 0 to 1, of its slide into place, its work, its hop or, once it has ended, its fading. */
  readonly arrived: number;
  readonly worked: number;
  readonly hopped: number;
}

export interface Entries {
  readonly live: readonly Entry[];
  readonly ended: readonly Entry[];
  /** Packets in flight on CPUs that this page does not show, by CPU. */
  readonly hidden: ReadonlyMap<number, number>;
}

/** Receive queues that the next CPU empties. */
const EMPTIED_BY_NEXT: ReadonlySet<string> = new Set([
  'rx ring',
  'backlog',
  'receive queue',
  'socket backlog',
  'prequeue',
]);

/** More moving at once cannot be followed: then hops get shorter, down to a jump. */
const FOLLOWED = 4;

export function entriesOf(
  frame: Frame,
  layout: Layout,
  table: readonly (readonly Slot[])[],
  stationNames: readonly string[],
  view: View,
): Entries {
  const entries = entriesWith(view.travel, view, frame, layout, table, stationNames);
  const moving = entries.live.filter(isMoving).length;
  if (moving <= FOLLOWED) return entries;
  const travel = (view.travel * FOLLOWED) / moving;
  return entriesWith(travel, view, frame, layout, table, stationNames);
}

export function isMoving({ arrived, hopped }: Entry): boolean {
  return arrived < 1 || hopped > 0;
}

function entriesWith(
  hop: number,
  { filmTo, linger }: View,
  frame: Frame,
  layout: Layout,
  table: readonly (readonly Slot[])[],
  stationNames: readonly string[],
): Entries {
  const { packets, time } = frame;
  const live: Entry[] = [];
  const ended: Entry[] = [];
  const hidden = new Map<number, number>();
  for (let index = 0; index < packets.packet.length; index += 1) {
    const station = packets.station[index] ?? NO_WORD;
    const cpu = packets.cpu[index] ?? NO_CPU;
    const nextCpu = packets.nextCpu[index] ?? NO_CPU;
    const since = packets.since[index] ?? time;
    const until = packets.until[index] ?? time;
    const hasEnded = (packets.verdict[index] ?? NO_WORD) !== NO_WORD && until <= time;

    const isForNext = nextCpu !== NO_CPU && EMPTIED_BY_NEXT.has(stationNames[station] ?? '');
    const restCpu = isForNext && !hasEnded ? nextCpu : cpu;
    const slot = table[columnOf(layout, restCpu)]?.[station];
    const entrySlot = table[columnOf(layout, cpu)]?.[station] ?? slot;
    if (slot === undefined || entrySlot === undefined) {
      if (!hasEnded) hidden.set(restCpu, (hidden.get(restCpu) ?? 0) + 1);
      continue;
    }
    const nextStation = packets.nextStation[index] ?? NO_WORD;
    const nextSlot =
      nextStation === NO_WORD ? undefined : table[columnOf(layout, nextCpu)]?.[nextStation];
    const stay = { since, until };
    // The same stay in seconds of film, with now at 0: what moves moves by these.
    const seen = { since: filmTo(since), until: filmTo(until) };
    const travel = nextSlot === undefined ? 0 : hop;
    const entry: Entry = {
      ...stay,
      index,
      packet: packets.packet[index] ?? 0,
      piece: packets.piece[index] ?? 0,
      station,
      cpu,
      nextCpu,
      bytes: packets.bytes[index] ?? 0,
      parts: Math.max(1, packets.parts[index] ?? 1),
      isServed: packets.isServed[index] === 1,
      hasEnded,
      entrySlot,
      slot,
      nextSlot,
      arrived: arrivalShare(seen, 0, hop),
      worked: workShare(seen, 0, travel),
      hopped: hasEnded ? ease(lingerShare(stay, time, linger)) : hopShare(seen, 0, travel),
    };
    (hasEnded ? ended : live).push(entry);
  }
  return { live: live.sort(byAge), ended: ended.sort(byAge), hidden };
}

/** Who came first stands first; ties by number, so that the order never depends on the columns. */
export function byAge(a: Entry, b: Entry): number {
  return a.since - b.since || a.packet - b.packet || a.piece - b.piece;
}
