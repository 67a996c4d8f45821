/**
 * What a packet is called on the stage, written from the columns of a frame: `7`, or `7 · 3/6` for
 * the third of the six pieces of packet 7's datagram, also where one record tells the pieces of a
 * packet apart. The core writes the same (`journey/name.rs`)
 * wherever it hands out texts; core/engine.test.ts holds the two together.
 */
import { NONE, type PacketId } from '../core/core.ts';
import type { Frame, PacketColumns } from '../core/frame.ts';

/** The short name of a row of the packets' columns. */
export function nameAt(packets: PacketColumns, index: number): string {
  const packet = packets.packet[index] ?? 0;
  const whole = packets.pieceOf[index] ?? NONE;
  // The one that carries a datagram on is called as the whole is.
  const isCarrier = whole === packet && packets.group[index] !== NONE;
  if (whole === NONE || isCarrier) return String(packet);
  const isEndKnown = packets.group[index] === NONE || (packets.groupBytes[index] ?? 0) > 0;
  return `${whole} · ${packets.pieceNumber[index] ?? 0}/${isEndKnown ? (packets.pieceCount[index] ?? 0) : '?'}`;
}

/** The short name of a packet of this frame; of one that is not in it, its number alone. */
export function nameIn({ packets }: Frame, packet: PacketId): string {
  const index = packets.packet.indexOf(packet);
  return index === -1 ? String(packet) : nameAt(packets, index);
}
