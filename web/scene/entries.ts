/**
 * The packets of a frame with the slots they are in: read from the columns once, so that
 * what follows speaks of packets and not of indices.
 *
 * A packet is drawn at the CPU that the core names (`placeCpu`): in a socket's queue with the
 * socket, in a backlog with the CPU that empties it. It moves there from its place before.
 */
import type { PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_CPU, NO_QUEUE, NO_WORD, NONE } from '../core/core.ts';
import { columnOf } from './layout.ts';
import type { Layout, Slot } from './layout.ts';
import type { Stay } from './motion.ts';
import { clamp01, ease, endShare, hopShare, workShare } from './motion.ts';
import { nameAt } from './name.ts';
import type { Rect, View } from './shapes.ts';
import type { SlotTable } from './slot-table.ts';
import type { Words } from './words.ts';

export interface Entry extends Stay {
  readonly index: number;
  readonly packet: PacketId;
  /** Its short name. */
  readonly name: string;
  readonly piece: number;
  readonly station: number;
  /** The CPU of its last event. */
  readonly cpu: number;
  readonly nextCpu: number;
  readonly bytes: number;
  readonly parts: number;
  /**
   * The packet that it is a piece of, its number among the
   * pieces, and how many there are; 0 of 0 for a whole packet.
   */
  readonly pieceOf: number;
  readonly pieceNumber: number;
  readonly pieceCount: number;
  /** Whether it is a fragment that will be reassembled into a datagram. */
  readonly isFragment: boolean;
  readonly isServed: boolean;
  readonly hasEnded: boolean;
  /** Whether it ended because its queue refused it. */
  readonly isDropped: boolean;
  readonly slot: Slot;
  /** The slot that it goes to next, if that is on this page. */
  readonly nextSlot: Slot | undefined;
  /** Where it leaves this page for: the cell of a CPU without a column. */
  readonly exit: Rect | undefined;
  /** 0 to 1: progress of its work, and of its hop or, after its end, of giving back its room. */
  readonly worked: number;
  readonly hopped: number;
  /** Under reduced motion: it will be at its next slot soon, and is announced there. */
  readonly isLeaving: boolean;
  /** 0 to 1: progress of its ending in seconds of film; 0 while it is in flight. */
  readonly ending: number;
  /**
   * 0 to 1: progress, in time of the run, through the linger in which
   * the frame still has it; 0 while told film dwells on its end.
   */
  readonly gone: number;
  /** Packets that have just merged into it and are still drawn on their way, in order. */
  readonly joining: readonly Entry[];
}

export interface Entries {
  readonly live: readonly Entry[];
  readonly ended: readonly Entry[];
  /** Packets in flight on CPUs that this page does not show, by CPU. */
  readonly hidden: ReadonlyMap<number, number>;
}

/** Seconds of film for which a step is announced under reduced motion. */
const STEP = 0.6;
/**
 * With more packets in motion than this the eye cannot follow:
 * hops then get shorter, down to `SHORTEST` of their length.
 */
const FOLLOWED = 6;
const SHORTEST = 0.5;

export function entriesOf(
  frame: Frame,
  layout: Layout,
  table: SlotTable,
  words: Words,
  view: View,
): Entries {
  const read = entriesWith(view.travel, view, frame, layout, table);
  const moving = read.live.filter(isMoving).length;
  const entries =
    moving <= FOLLOWED
      ? read
      : entriesWith(
          view.travel * Math.max(SHORTEST, FOLLOWED / moving),
          view,
          frame,
          layout,
          table,
        );
  const live = withJoining(entries, frame, words);
  return { ...entries, live: live.sort(byAge), ended: entries.ended.sort(byAge) };
}

/** Each packet in flight with those that are just merging into it. */
function withJoining({ live, ended }: Read, { packets }: Frame, words: Words): Entry[] {
  const joining = new Map<PacketId, Entry[]>();
  for (const entry of ended) {
    if (packets.verdict[entry.index] !== words.merged || entry.ending >= 1) continue;
    const into = packets.mergedInto[entry.index] ?? NONE;
    joining.set(into, [...(joining.get(into) ?? []), entry]);
  }
  if (joining.size === 0) return live;
  for (const held of joining.values()) held.sort((a, b) => a.until - b.until || byAge(a, b));
  return live.map((entry) => ({ ...entry, joining: joining.get(entry.packet) ?? [] }));
}

export function isMoving({ hopped }: Entry): boolean {
  return hopped > 0;
}

interface Read extends Entries {
  readonly live: Entry[];
  readonly ended: Entry[];
}

function entriesWith(
  hop: number,
  { travel: motion, filmTo, linger }: View,
  frame: Frame,
  layout: Layout,
  table: SlotTable,
): Read {
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
    // The same stay in seconds of film, with now at 0: what moves moves by these. Nothing leaves
    // a socket before its reader has the CPU.
    const seen = { since: filmTo(since), until: filmTo(until) };
    const ready = { since: filmTo(packets.ready[index] ?? since), until: seen.until };
    const ending = hasEnded ? endShare(-seen.until, motion) : 0;
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
      isFragment: (packets.group[index] ?? NONE) !== NONE,
      isServed: packets.isServed[index] === 1,
      hasEnded,
      isDropped: hasEnded && (packets.dropReason[index] ?? NO_WORD) !== NO_WORD,
      slot,
      nextSlot,
      exit,
      worked: workShare(seen, 0, travel),
      hopped: hasEnded ? ease(ending) : hopShare(ready, 0, travel),
      isLeaving: motion === 0 && nextSlot !== undefined && hopShare(ready, 0, STEP) > 0,
      ending,
      gone: hasEnded ? clamp01((time - until) / Math.max(1, linger)) : 0,
      joining: [],
    };
    (hasEnded ? ended : live).push(entry);
  }
  return { live, ended, hidden };
}

/**
 * Oldest first. Ties are broken by packet number, so the
 * order never depends on that of the columns.
 */
export function byAge(a: Entry, b: Entry): number {
  return a.since - b.since || a.packet - b.packet || a.piece - b.piece;
}
