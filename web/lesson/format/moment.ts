/**
 * How a lesson names a packet and a time: by what happens, never by a position on screen. `typical journey
 * enters reassembly`, `first drop`, `finding longest-wait`, `12.4 ms`. `play/moments.ts` asks the core
 * which packet and which nanosecond of a run that is.
 */

/** The roles that a packet can have in its run. */
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
  /** The first packet that reaches a station. */
  | { readonly kind: 'first at'; readonly station: string }
  /** The packet that a finding is about. */
  | { readonly kind: 'finding'; readonly finding: string };

/** `is copied`: the reader of a model has the packet's bytes, including the cache lines that it waited for. */
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
      /** The station that it enters or leaves; empty for the other points. */
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

/** A packet in a lesson's notation. */
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

/** Reads a moment. Throws an Error that lists the valid forms. */
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
