/**
 * The look of one packet: how wide it is for its bytes, which header shells it wears, and
 * where its 16-byte payload frames meet. Fewer, wider cells stand for them where single
 * frames would be too small to see.
 */
import { scaleSymlog } from 'd3-scale';
import type { Entry } from './entries.ts';
import { between } from './motion.ts';
import { SHELLS, shellsIn } from './rows.ts';
import type { CapsuleShape, Emphasis, Rect, Shell } from './shapes.ts';

const PAYLOAD_FRAME = 16;
const SMALLEST_CELL = 4;
/** Parts are told apart as long as each is at least this wide. */
const SMALLEST_PART = 6;

/** Small packets stay visible and a 64 kB one fits its row. */
const widthOfBytes = scaleSymlog([0, 65_536], [10, 132]).constant(64).clamp(true);

export function capsuleWidth(bytes: number, scale: number): number {
  return widthOfBytes(bytes) * scale;
}

export function shellWidth(rect: Rect, scale: number): number {
  return Math.min(5 * scale, rect.width / 8);
}

/** The shells worn at a station, one of them half on or off while the packet hops on. */
export function shellsOf(entry: Entry): readonly Shell[] {
  const here = shellsIn(entry.slot.row);
  const there = entry.nextSlot === undefined ? here : shellsIn(entry.nextSlot.row);
  const worn = between(here, there, entry.hopped);
  return SHELLS.map((fill, at) => ({
    fill,
    share: Math.min(1, Math.max(0, worn - (SHELLS.length - 1 - at))),
  })).filter(({ share }) => share > 0.02);
}

export function capsuleOf(
  entry: Entry,
  rect: Rect,
  scale: number,
  mark: Emphasis,
  alpha = 1,
): CapsuleShape {
  const shells = rect.width < 20 * scale ? [] : shellsOf(entry);
  const shell = shellWidth(rect, scale) + scale;
  const payloadX = rect.x + shells.reduce((sum, { share }) => sum + shell * share, 0);
  const payload = rect.x + rect.width - payloadX;
  const isCut = entry.parts > 1 && entry.slot.row === 'wire' && entry.slot.direction === 'tx';
  const partsShown = Math.min(entry.parts, Math.max(1, Math.floor(payload / SMALLEST_PART)));
  return {
    kind: 'capsule',
    rect,
    thing: { kind: 'packet', packet: entry.packet, piece: entry.piece },
    packet: entry.packet,
    piece: entry.piece,
    shells,
    seams: seamsOf(payloadX, payload, entry.bytes),
    joints: evenly(payloadX, payload, partsShown),
    split: isCut ? Math.min(3 * scale, payload / partsShown / 2) * entry.worked : 0,
    isServed: entry.isServed,
    alpha,
    mark,
  };
}

/** Where cells meet: one for each payload frame, or as many as can be told apart. */
export function seamsOf(x: number, width: number, bytes: number): readonly number[] {
  const frames = Math.ceil(bytes / PAYLOAD_FRAME);
  return evenly(x, width, Math.min(frames, Math.floor(width / SMALLEST_CELL)));
}

function evenly(x: number, width: number, count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, at) => x + (width * (at + 1)) / count);
}
