/**
 * Whom the stage follows at a moment: the packet that was chosen while it is under way, else the one that the told
 * film is about, so that the stage shows whom the captions tell of. A function of the moment: nothing is remembered.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { Told } from '../core/told.ts';
import type { Lineage } from './lineage.ts';

/** Who may be followed at a moment. */
export interface Candidates {
  /** The viewer's choice. */
  readonly chosen: PacketId | undefined;
  /** The packet that the told film follows, and the one that it followed before. */
  readonly actor: PacketId | undefined;
  readonly before: PacketId | undefined;
}

/** The stage waits at most this many seconds of film for a packet that was chosen. */
const AWAIT_SECONDS = 1.5;

/** Whether a packet comes shortly after a second of the film that tells of it. */
export function isAwaitedAt({ beats }: Told, film: number, packet: PacketId | undefined): boolean {
  const first = packet === undefined ? -1 : beats.packet.indexOf(packet);
  const comes = beats.film[first];
  return comes !== undefined && film < comes && comes - film <= AWAIT_SECONDS;
}

export function eyeAt(
  { chosen, actor, before }: Candidates,
  ways: ReadonlyMap<PacketId, Lineage>,
  time: Nanos,
  isAwaited: boolean,
): PacketId | undefined {
  const carries = (packet: PacketId | undefined, carrier: PacketId) =>
    packet !== undefined &&
    ways.get(packet)?.carriers.some((one) => one.packet === carrier) === true;
  if (chosen !== undefined) {
    const own = ways.get(chosen);
    const isUnderWay =
      own === undefined ||
      ((own.way[0]?.enter ?? 0) <= time && time <= (own.end?.time ?? Infinity));
    const isKept = isUnderWay || isAwaited || actor === undefined || carries(chosen, actor);
    if (isKept) return chosen;
  }
  // Whoever was followed into what carries it on is followed in it, so that the times that were shown stay.
  return actor !== undefined && carries(before, actor) ? before : actor;
}
