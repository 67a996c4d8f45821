/**
 * The short name of a packet on the stage, from the columns of a frame: `7`, or `7 · 3/6` for the third of
 * the six pieces of packet 7's datagram, also if a single record lists the pieces of a packet. The core
 * writes the same name in its texts (`journey/name.rs`); core/engine.test.ts checks that both agree.
 */
import { NONE, type PacketId } from '../core/core.ts';
import type { Frame, PacketColumns } from '../core/frame.ts';

/** The short name of a row of the packets' columns. */
export function nameAt(packets: PacketColumns, index: number): string {
  const packet = packets.packet[index] ?? 0;
  const whole = packets.pieceOf[index] ?? NONE;
  // The fragment that carries a datagram on is named as the whole datagram.
  const isCarrier = whole === packet && packets.group[index] !== NONE;
  if (whole === NONE || isCarrier) return String(packet);
  const isEndKnown = packets.group[index] === NONE || (packets.groupBytes[index] ?? 0) > 0;
  return `${whole} · ${packets.pieceNumber[index] ?? 0}/${isEndKnown ? (packets.pieceCount[index] ?? 0) : '?'}`;
}

/** The short name of a packet of this frame, or its number alone if the frame does not contain it. */
export function nameIn({ packets }: Frame, packet: PacketId): string {
  const index = packets.packet.indexOf(packet);
  return index === -1 ? String(packet) : nameAt(packets, index);
}
