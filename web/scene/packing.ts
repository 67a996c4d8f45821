/**
 * Where the packets of one slot stand: lined up by age with the oldest at the left, moving
 * while they are worked on, and piled into a stack when there are more than fit.
 *
 * A packet that leaves gives its room back little by little, so those behind it move up
 * without a jump. All of it is a function of the entries; nothing is remembered.
 */
import { capsuleWidth } from './capsule.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { between } from './motion.ts';
import type { Rect } from './shapes.ts';

export interface Packed {
  readonly places: ReadonlyMap<Entry, Rect>;
  /** Those that the stack stands for; empty without one. */
  readonly piled: readonly Entry[];
  readonly stack: Rect | undefined;
}

export interface Item {
  readonly width: number;
  /** 1 while it stands here, less while it comes or goes. */
  readonly presence: number;
  readonly isPinned: boolean;
}

const GAP = 4;
const STACK = 42;
/** Capsules get this much smaller before any are piled up. */
const SQUEEZE = 0.62;
const RING_PITCH = 15;
/** How wide the chosen packet is beside a pile. */
const PINNED = 24;

/** How wide a packet is in a slot when nothing presses. */
export function naturalWidth(slot: Slot, entry: Entry, scale: number): number {
  if (slot.kind === 'ring') return ringPitch(slot, scale) - 3;
  if (slot.kind === 'stream') return Math.max(5, (entry.bytes / 1448) * 26) * scale;
  return Math.min(slot.body.width, capsuleWidth(entry.bytes, scale));
}

/** Where a newcomer sets foot: work begins at the left, queues are joined at their end. */
export function entryRect(slot: Slot, entry: Entry, scale: number): Rect {
  const width = Math.min(slot.body.width, naturalWidth(slot, entry, scale));
  const x = slot.kind === 'work' ? slot.body.x : slot.body.x + slot.body.width - width;
  return { ...slot.body, x, width };
}

/** Where a packet's work in a slot ends. */
export function exitRect(slot: Slot, entry: Entry, scale: number): Rect {
  const width = Math.min(slot.body.width, naturalWidth(slot, entry, scale));
  const x = slot.kind === 'work' ? slot.body.x + slot.body.width - width : slot.body.x;
  return { ...slot.body, x, width };
}

export function ringPitch(slot: Slot, scale: number): number {
  return slot.body.width / ringBoxes(slot, scale);
}

export function ringBoxes(slot: Slot, scale: number): number {
  return Math.max(1, Math.min(24, Math.floor(slot.body.width / (RING_PITCH * scale))));
}

export function packSlot(
  slot: Slot,
  entries: readonly Entry[],
  scale: number,
  pinned: number | undefined,
): Packed {
  if (slot.kind === 'work') return packWork(slot, entries, scale, pinned);
  return packLine(slot.body, entries, slot, scale, pinned);
}

/**
 * Each moves from left to right in proportion to its time, none past one that came before
 * it. Those for which there is no room yet are piled at the left.
 */
function packWork(
  slot: Slot,
  entries: readonly Entry[],
  scale: number,
  pinned: number | undefined,
): Packed {
  const { body } = slot;
  const end = body.x + body.width;
  const gap = GAP * scale;
  let limit = end;
  const moving = entries.map((entry) => {
    const width = Math.min(naturalWidth(slot, entry, scale), body.width);
    const x = Math.min(between(body.x, end - width, entry.worked), limit - width);
    // Who hops away gives the way free little by little.
    limit = between(x - gap, limit, entry.hopped);
    return { entry, rect: { ...body, x, width } };
  });
  const all = () => new Map(moving.map(({ entry, rect }) => [entry, rect] as const));
  if (moving.every(({ rect }) => rect.x >= body.x)) {
    return { places: all(), piled: [], stack: undefined };
  }
  const stackWidth = Math.min(body.width, STACK * scale);
  let pile = { ...body, width: stackWidth };
  let firstIn = moving.findIndex(({ rect }) => rect.x < pile.x + pile.width + gap);
  const chosen = moving.findIndex(({ entry }, at) => at >= firstIn && entry.packet === pinned);
  const pinnedEntry = moving[chosen]?.entry;
  // The chosen one stands before the pile, not in it.
  const pinnedWidth = Math.min(PINNED * scale, body.width / 3);
  if (pinnedEntry !== undefined) {
    const x = body.x + pinnedWidth + gap;
    pile = { ...pile, x, width: Math.min(pile.width, end - x) };
    firstIn = moving.findIndex(({ rect }) => rect.x < pile.x + pile.width + gap);
  }
  const places = new Map(moving.slice(0, firstIn).map(({ entry, rect }) => [entry, rect] as const));
  if (pinnedEntry !== undefined) places.set(pinnedEntry, { ...body, width: pinnedWidth });
  return {
    places,
    piled: entries.filter((entry) => !places.has(entry)),
    stack: pile,
  };
}

function packLine(
  body: Rect,
  entries: readonly Entry[],
  slot: Slot,
  scale: number,
  pinned: number | undefined,
): Packed {
  const items = entries.map((entry): Item => {
    // A stream lets newcomers in as they come; elsewhere their place is kept from the start.
    const coming = slot.kind === 'stream' ? entry.arrived : 1;
    return {
      width: Math.min(body.width, naturalWidth(slot, entry, scale)),
      presence: coming * (1 - entry.hopped),
      isPinned: entry.packet === pinned,
    };
  });
  const gap = slot.kind === 'stream' ? 0 : slot.kind === 'ring' ? 3 : GAP * scale;
  const isFusing = slot.kind === 'stream';
  const lined = line(body, items, gap, isFusing ? 0 : slot.kind === 'ring' ? 1 : SQUEEZE, scale);
  const places = new Map<Entry, Rect>();
  const piled: Entry[] = [];
  entries.forEach((entry, at) => {
    const place = lined.places[at];
    if (place === undefined) piled.push(entry);
    else places.set(entry, place);
  });
  return { places, piled, stack: lined.stack };
}

/** Lines items up from the left; `undefined` for those that are piled at the right end. */
export function line(
  body: Rect,
  items: readonly Item[],
  gap: number,
  squeeze: number,
  scale: number,
): { readonly places: readonly (Rect | undefined)[]; readonly stack: Rect | undefined } {
  const needed = items.reduce((sum, { width, presence }) => sum + (width + gap) * presence, -gap);
  const factor = needed > body.width ? body.width / needed : 1;
  if (factor >= squeeze || (items.length === 1 && factor > 0)) {
    return { places: lineUp(body, items, gap * factor, factor, items.length), stack: undefined };
  }
  const stackWidth = Math.min(body.width, STACK * scale);
  const room = body.width - stackWidth - gap;
  const kept = keptIn(room, items, gap, squeeze);
  // The pile stands behind those before it: at the far end, or where the first would be.
  const stackX = kept === 0 ? body.x : body.x + body.width - stackWidth;
  const stack = { ...body, x: stackX, width: stackWidth };
  // A pinned packet (the chosen one) is never lost in the pile: it takes the last place before it.
  const pinnedAt = items.findIndex(({ isPinned }, at) => isPinned && at >= kept);
  const pinned = items[pinnedAt];
  if (pinned === undefined) {
    return { places: lineUp(body, items, gap, squeeze, kept), stack };
  }
  const width = Math.min(pinned.width * squeeze, Math.max(0, room));
  const last = { ...stack, x: body.x + body.width - stackWidth };
  const before = keptIn(room - width - gap, items, gap, squeeze);
  const places = [...lineUp(body, items, gap, squeeze, before)];
  places[pinnedAt] = { ...body, x: last.x - gap - width, width };
  return { places, stack: items.length - before > 1 ? last : undefined };
}

function keptIn(room: number, items: readonly Item[], gap: number, squeeze: number): number {
  let used = 0;
  let kept = 0;
  for (const { width } of items) {
    used += width * squeeze + gap;
    if (used - gap > room) break;
    kept += 1;
  }
  return kept;
}

function lineUp(
  body: Rect,
  items: readonly Item[],
  gap: number,
  factor: number,
  kept: number,
): readonly (Rect | undefined)[] {
  let x = body.x;
  return items.map((item, at): Rect | undefined => {
    if (at >= kept) return undefined;
    const width = item.width * factor;
    // One that leaves may stand past those that have moved up behind it, but not past the end.
    const place = { ...body, x: Math.min(x, body.x + body.width - width), width };
    x += (width + gap) * item.presence;
    return place;
  });
}
