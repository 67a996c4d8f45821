/**
 * The packets of a frame with the slots they are in: read from the columns once, so that
 * what follows speaks of packets and not of indices.
 *
 * A packet stands where the core says that it has its place: in a socket's queue with the
 * socket, in a backlog with the CPU that empties it. It goes there from where it was.
 */
import type { PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_CPU, NO_QUEUE, NO_WORD, NONE } from '../core/core.ts';
import { columnOf } from './layout.ts';
import type { Layout, Slot } from './layout.ts';
import type { Stay } from './motion.ts';
import { ease, hopShare, lingerShare, workShare } from './motion.ts';
import { nameAt } from './name.ts';
import type { Rect, View } from './shapes.ts';
import type { SlotTable } from './slot-table.ts';

export interface Entry extends Stay {
  readonly index: number;
  readonly packet: PacketId;
  /** Its short name. */
  readonly name: string;
  readonly piece: number;
  readonly station: number;
  /** The CPU that touched it last. */
  readonly cpu: number;
  readonly nextCpu: number;
  readonly bytes: number;
  readonly parts: number;
  /** Of which packet it is a piece, which one, and of how many; 0 of 0 for a whole one. */
  readonly pieceOf: number;
  readonly pieceNumber: number;
  readonly pieceCount: number;
  readonly isServed: boolean;
  readonly hasEnded: boolean;
  /** Whether it ended as its queue refused it. */
  readonly isDropped: boolean;
  readonly slot: Slot;
  /** Where it goes next, as far as that is on this page. */
  readonly nextSlot: Slot | undefined;
  /** Where it leaves this page for: the cell of a CPU without a column. */
  readonly exit: Rect | undefined;
  /** 0 to 1, of its work, its hop or, once it has ended, its fading. */
  readonly worked: number;
  readonly hopped: number;
}

export interface Entries {
  readonly live: readonly Entry[];
  readonly ended: readonly Entry[];
  /** Packets in flight on CPUs that this page does not show, by CPU. */
  readonly hidden: ReadonlyMap<number, number>;
}

/** More moving at once cannot be followed: then hops get shorter, down to this part. */
const FOLLOWED = 6;
const SHORTEST = 0.5;

export function entriesOf(frame: Frame, layout: Layout, table: SlotTable, view: View): Entries {
  const entries = entriesWith(view.travel, view, frame, layout, table);
  const moving = entries.live.filter(isMoving).length;
  if (moving <= FOLLOWED) return entries;
  const travel = view.travel * Math.max(SHORTEST, FOLLOWED / moving);
  return entriesWith(travel, view, frame, layout, table);
}

export function isMoving({ hopped }: Entry): boolean {
  return hopped > 0;
}

function entriesWith(
  hop: number,
  { filmTo, linger }: View,
  frame: Frame,
  layout: Layout,
  table: SlotTable,
): Entries {
  const { packets, time } = frame;
  const live: Entry[] = [];
  const ended: Entry[] = [];
  const hidden = new Map<number, number>();
  for (let index = 0; index < packets.packet.length; index += 1) {
    const station = packets.station[index] ?? NO_WORD;
    const since = packets.since[index] ?? time;
    const until = packets.until[index] ?? time;
    const hasEnded = (packets.verdict[index] ?? NO_WORD) !== NO_WORD && until <= time;
    const place = packets.placeCpu[index] ?? NO_CPU;
    const column = columnOf(layout, place);
    const slot = table.slot(column, station, packets.queue[index] ?? NO_QUEUE);
    if (slot === undefined) {
      if (!hasEnded) hidden.set(place, (hidden.get(place) ?? 0) + 1);
      continue;
    }
    const nextStation = packets.nextStation[index] ?? NO_WORD;
    const nextPlace = packets.nextPlaceCpu[index] ?? NO_CPU;
    const nextColumn = columnOf(layout, nextPlace);
    const goesOn = nextStation !== NO_WORD;
    const nextSlot = goesOn
      ? table.slot(nextColumn, nextStation, packets.nextQueue[index] ?? NO_QUEUE)
      : undefined;
    const stay = { since, until };
    // The same stay in seconds of film, with now at 0: what moves moves by these.
    const seen = { since: filmTo(since), until: filmTo(until) };
    const exit =
      goesOn && nextColumn === -1
        ? layout.chips.find(({ cpu }) => cpu === nextPlace)?.rect
        : undefined;
    const travel = nextSlot === undefined && exit === undefined ? 0 : hop;
    const entry: Entry = {
      ...stay,
      index,
      packet: packets.packet[index] ?? 0,
      name: nameAt(packets, index),
      piece: packets.piece[index] ?? 0,
      station,
      cpu: packets.cpu[index] ?? NO_CPU,
      nextCpu: packets.nextCpu[index] ?? NO_CPU,
      bytes: packets.bytes[index] ?? 0,
      parts: Math.max(1, packets.parts[index] ?? 1),
      pieceOf: packets.pieceOf[index] ?? NONE,
      pieceNumber: packets.pieceNumber[index] ?? 0,
      pieceCount: packets.pieceCount[index] ?? 0,
      isServed: packets.isServed[index] === 1,
      hasEnded,
      isDropped: hasEnded && (packets.dropReason[index] ?? NO_WORD) !== NO_WORD,
      slot,
      nextSlot,
      exit,
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
