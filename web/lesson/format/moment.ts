/**
 * How a lesson names a packet and a moment: by what happens, never by a position on screen.
 * `typical journey enters reassembly`, `first drop`, `finding longest-wait`, `12.4 ms`. Which
 * packet and which nanosecond that is in a run, `play/moments.ts` asks the core.
 */

/** The part a packet plays in its run. */
export const ROLES = [
  'typical journey',
  'first journey',
  'last journey',
  'slowest journey',
  'first drop',
  'first sent',
] as const;

export type Role = (typeof ROLES)[number];

export type Packet =
  | { readonly kind: 'role'; readonly role: Role }
  /** The first packet that comes to a station. */
  | { readonly kind: 'first at'; readonly station: string }
  /** The packet that a finding tells of. */
  | { readonly kind: 'finding'; readonly finding: string };

/** `is copied`: a model's reader has its bytes, with the cache lines that it waited for. */
export type Point = 'begins' | 'ends' | 'is copied' | 'enters' | 'leaves';

export type Moment =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'time'; readonly nanos: number }
  | { readonly kind: 'finding'; readonly finding: string }
  | {
      readonly kind: 'packet';
      readonly packet: Packet;
      readonly point: Point;
      /** Where it enters or leaves; else empty. */
      readonly station: string;
    };

const TIME = /^(\d+(?:\.\d+)?)\s*(ns|µs|us|ms|s)$/;
const SIZES: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, us: 1e3, ms: 1e6, s: 1e9 };
const POINT = /^(.*?)\s+(?:(begins|ends|is copied)|(enters|leaves)\s+(.+))$/;

/** Reads `typical journey`, `first drop`, `finding longest-wait`. Throws an Error. */
export function readPacket(text: string): Packet {
  const finding = /^finding ([a-z][a-z-]*)$/.exec(text)?.[1];
  if (finding !== undefined) return { kind: 'finding', finding };
  const station = /^first at (.+)$/.exec(text)?.[1];
  if (station !== undefined) return { kind: 'first at', station };
  const role = ROLES.find((known) => known === text);
  if (role === undefined) {
    throw new Error(
      `“${text}” names no packet; a packet is ${ROLES.map((known) => `“${known}”`).join(', ')} “first at …” or “finding …”`,
    );
  }
  return { kind: 'role', role };
}

/** A packet as a lesson writes it. */
export function packetText(packet: Packet): string {
  switch (packet.kind) {
    case 'role':
      return packet.role;
    case 'first at':
      return `first at ${packet.station}`;
    case 'finding':
      return `finding ${packet.finding}`;
  }
}

/** Reads a moment. Throws an Error that says what a moment can be. */
export function readMoment(text: string): Moment {
  if (text === 'start' || text === 'end') return { kind: text };
  const time = TIME.exec(text);
  if (time !== null) {
    return { kind: 'time', nanos: Number(time[1]) * (SIZES[time[2] ?? ''] ?? 1) };
  }
  const finding = /^finding ([a-z][a-z-]*)$/.exec(text)?.[1];
  if (finding !== undefined) return { kind: 'finding', finding };
  const [, before = text, end, way, station = ''] = POINT.exec(text) ?? [];
  const point = (end ?? way ?? 'begins') as Point;
  return { kind: 'packet', packet: readPacket(before), point, station };
}
