/**
 * The geometry of a packet: its width by bytes, its lettered header shells, its name, and the joints of its
 * 16-byte payload frames. Fewer, wider cells stand for frames that would be too small to see.
 */
import { scaleSymlog } from 'd3-scale';
import { NONE } from '../core/core.ts';
import type { Entry } from './entries.ts';
import { between } from './motion.ts';
import { SHELLS, shellsIn } from './rows.ts';
import type { CapsuleShape, Emphasis, Rect, Shell } from './shapes.ts';

const PAYLOAD_FRAME = 16;
const SMALLEST_CELL = 5;
/** Minimum width of a part in pixels for parts to be distinguished. */
const SMALLEST_PART = 6;
/** Width of a shell with letters, and of a mere band, as a fraction of a capsule's height. */
const SHELL = { lettered: 0.42, band: 0.14 } as const;
/** A payload narrower than this fraction of the height gets bands instead of letters. */
const PAYLOAD_AT_LEAST = 0.55;

/** Payload width for a height of 1: small packets stay visible, and one of 64 kB fits its lane. */
const payloadOfBytes = scaleSymlog([0, 65_536], [0.62, 1.5]).constant(256).clamp(true);

const LETTERS = ['E', 'IP'] as const;

/**
 * Additional width for each frame merged into a packet, as a fraction of its height, and the maximum number
 * that count.
 */
const GROWTH = { part: 0.3, parts: 7 } as const;

/** The preferred width of a packet with a number of shells and merged frames. */
export function capsuleWidth(bytes: number, height: number, shells: number, parts: number): number {
  const grown = GROWTH.part * Math.min(GROWTH.parts, parts - 1);
  return (payloadOfBytes(bytes) + grown + SHELL.lettered * shells) * height;
}

/** The width of one of the shells of a capsule of this size. */
export function shellWidth({ width, height }: Rect, shells: number): number {
  const lettered = SHELL.lettered * height;
  if (width >= lettered * shells + PAYLOAD_AT_LEAST * height) return lettered;
  return Math.min(SHELL.band * height, width / 8);
}

/** The shells that a packet has at a station, one of them half removed or added during a hop. */
export function shellsOf(entry: Entry, transport: string): readonly Shell[] {
  const here = shellsIn(entry.slot.row);
  const there = entry.nextSlot === undefined ? here : shellsIn(entry.nextSlot.row);
  const worn = entry.hasEnded ? here : between(here, there, entry.hopped);
  return SHELLS.map((fill, at) => ({
    fill,
    letters: LETTERS[at] ?? transport,
    share: Math.min(1, Math.max(0, worn - (SHELLS.length - 1 - at))),
  })).filter(
    ({ share }, at) => share > 0.02 && !(at === TRANSPORT && isLaterFragment(entry, transport)),
  );
}

/** Index of the transport header's shell. */
const TRANSPORT = SHELLS.length - 1;

/**
 * Of the fragments of a datagram only the first carries the transport's header (RFC 791 §3.2); what
 * a large TCP segment is cut into are segments with headers of their own.
 */
function isLaterFragment(entry: Entry, transport: string): boolean {
  const { isFragment, pieceNumber, pieceOf, parts } = entry;
  const isCut = pieceOf !== NONE && transport !== 'TCP';
  return (isFragment || isCut) && pieceNumber > 1 && parts === 1;
}

/** The name on a packet: its number, or its piece and the packet that it belongs to. */
export function nameTexts(entry: Entry): readonly string[] {
  if (entry.pieceCount > 1) {
    const piece = `${entry.pieceNumber}/${entry.pieceCount}`;
    // While it waits, the fragment that gives a datagram its number is a piece like the others.
    return entry.name.includes('·') ? [entry.name, piece] : [piece];
  }
  return [`${entry.packet}`];
}

/** The index of the part that a joining packet becomes: its own in a datagram, else the next. */
export function partOf({ parts, joining, pieceCount }: Entry, at: number): number {
  const number = joining[at]?.pieceNumber ?? 0;
  return pieceCount === parts && number > 0 ? number - 1 : parts - joining.length + at;
}

/** The rectangle of a whole packet around one of its parts: the shells precede the first part. */
export function wholeAround(entry: Entry, part: Rect, at: number): Rect {
  const before = SHELL.lettered * part.height * shellsIn(entry.slot.row);
  const x = part.x - at * part.width - before;
  return { ...part, x, width: part.width * entry.parts + before };
}

/** The payload of a packet, after its shells. */
export function payloadOf({ rect, shells }: Pick<CapsuleShape, 'rect' | 'shells'>): Rect {
  const shell = shellWidth(rect, shells.length);
  const before = shells.reduce((sum, { share }) => sum + shell * share, 0);
  return { ...rect, x: rect.x + before, width: Math.max(1, rect.width - before) };
}

export function capsuleOf(
  entry: Entry,
  rect: Rect,
  transport: string,
  mark: Emphasis,
  alpha = 1,
): CapsuleShape {
  const shells = rect.width < 0.4 * rect.height ? [] : shellsOf(entry, transport);
  const { x: payloadX, width: payload } = payloadOf({ rect, shells });
  const isCut = entry.parts > 1 && entry.slot.row === 'wire' && entry.slot.direction === 'tx';
  const partsShown = Math.min(entry.parts, Math.max(1, Math.floor(payload / SMALLEST_PART)));
  const awaited = partsShown === entry.parts ? entry.joining.map((_, at) => partOf(entry, at)) : [];
  return {
    kind: 'capsule',
    rect,
    thing: { kind: 'packet', packet: entry.packet, piece: entry.piece },
    packet: entry.packet,
    piece: entry.piece,
    shells,
    names: nameTexts(entry),
    kin: entry.pieceCount > 1 ? entry.pieceOf : NONE,
    seams: seamsOf(payloadX, payload, entry.bytes),
    joints: evenly(payloadX, payload, partsShown),
    awaited,
    split: isCut ? Math.min(0.16 * rect.height, payload / partsShown / 2) * entry.worked : 0,
    isServed: entry.isServed,
    alpha,
    mark,
  };
}

/** Positions between cells: one cell for each payload frame, or as many as can be distinguished. */
export function seamsOf(x: number, width: number, bytes: number): readonly number[] {
  const frames = Math.ceil(bytes / PAYLOAD_FRAME);
  return evenly(x, width, Math.min(frames, Math.floor(width / SMALLEST_CELL)));
}

function evenly(x: number, width: number, count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, at) => x + (width * (at + 1)) / count);
}
