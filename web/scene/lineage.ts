/**
 * The packets in which a followed packet continues: the packet that
 * it was cut from, the one that it merged into, a piece of it once it
 * is cut. The camera follows them in turn, and its way is one ribbon.
 */
import { NONE } from '../core/core.ts';
import type { Nanos, PacketId } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import type { WayEnd, WayStay } from './shapes.ts';

/** A packet that carries the followed one, until its end. */
interface Carrier {
  readonly packet: PacketId;
  readonly until: Nanos;
}

export interface Lineage {
  /** What the packet that was asked for is called: it comes with its way, so that the two are of one packet. */
  readonly name: string;
  readonly carriers: readonly Carrier[];
  readonly way: readonly WayStay[];
  /** How it ended; nothing where that was not seen. */
  readonly end: WayEnd | undefined;
  /** It is a datagram that was put together: its own times begin as its last fragment comes. */
  readonly isSinceLastFragment: boolean;
}

/** Longer chains than this are a loop in a damaged recording. */
const LONGEST = 12;

/** Asks for the journeys before and after a packet's own, one after the other. */
export async function lineageOf(
  packet: PacketId,
  journey: (packet: PacketId) => Promise<Journey>,
): Promise<Lineage> {
  const own = await journey(packet);
  const chain = [own];
  for (let first = own; first.cutFrom !== NONE && chain.length < LONGEST;) {
    first = await journey(first.cutFrom);
    chain.unshift(first);
  }
  for (let last = own; chain.length < LONGEST;) {
    const next =
      last.mergedInto === NONE ? await pieceOf(last, journey) : await journey(last.mergedInto);
    if (next === undefined) break;
    last = next;
    chain.push(last);
  }
  return { name: own.name, isSinceLastFragment: isPutTogether(own), ...joined(chain) };
}

/** A fragment is called after its datagram (`7 · 3/6`), what GRO merged by its own number. */
function isPutTogether({ direction, name, partNames }: Journey): boolean {
  return direction === 'rx' && partNames.some((part) => part.startsWith(`${name} · `));
}

/** The first of the packets that one was cut into, if it was cut. */
async function pieceOf(
  { packet, verdict, partPackets }: Journey,
  journey: (packet: PacketId) => Promise<Journey>,
): Promise<Journey | undefined> {
  const [first] = partPackets;
  if (verdict !== 'consumed' || first === undefined) return undefined;
  const piece = await journey(first);
  return piece.cutFrom === packet ? piece : undefined;
}

/** The stays of each from when the one before it ended. */
export function joined(chain: readonly Journey[]): Pick<Lineage, 'carriers' | 'way' | 'end'> {
  let from = -Infinity;
  const carriers: Carrier[] = [];
  const way: WayStay[] = [];
  chain.forEach(({ packet, end, stays }, at) => {
    const next = chain[at + 1];
    // A piece begins before the packet that it is cut from has ended: from then on it is followed.
    const until = next === undefined ? end : next.cutFrom === packet ? next.start : end;
    carriers.push({ packet, until });
    for (const { station, cpu, enter, leave, service } of stays) {
      if (leave <= from || enter >= until) continue;
      way.push({
        station,
        cpu,
        enter: Math.max(enter, from),
        leave: Math.min(leave, until),
        service,
      });
    }
    from = until;
  });
  const last = chain.at(-1);
  const isSeen = last !== undefined && last.verdict !== 'open';
  return { carriers, way, end: isSeen ? { time: last.end, verdict: last.verdict } : undefined };
}

/** The carrier at a time: before them all the first, after them all the last. */
export function carrierAt(
  { carriers }: Pick<Lineage, 'carriers'>,
  time: Nanos,
): PacketId | undefined {
  return (carriers.find(({ until }) => time < until) ?? carriers.at(-1))?.packet;
}
