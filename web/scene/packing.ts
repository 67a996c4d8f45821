/**
 * Where the packets of one slot stand. In a vessel they are lined up by age with the oldest
 * next to the rail, and fill it to its lid when, and only when, the queue is at its limit. On
 * the rail they rise (or fall) with their work. Those that do not fit are one pile.
 *
 * A packet that leaves gives up its room gradually, and one that comes takes room in
 * the same way, so none jumps. All is a function of the entries; there is no state.
 */
import { capsuleWidth } from './capsule.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { between } from './motion.ts';
import { blend } from './place.ts';
import { shellsIn } from './rows.ts';
import type { Rect } from './shapes.ts';

export interface Packed {
  readonly places: ReadonlyMap<Entry, Rect>;
  /** Where those without a place are; `undefined` when all have one. */
  readonly stack: Rect | undefined;
}

export interface Item {
  readonly width: number;
  /** 1 while it stands here, less while it comes or goes. */
  readonly presence: number;
  readonly isPinned: boolean;
}

/** Of a slot's height: the gap between packets, a pile's width, the room to a vessel's walls. */
const GAP = 0.12;
const STACK = 1.25;
const WALL = 0.09;
/** Capsules get this much smaller before any are piled up. */
const SQUEEZE = { queue: 0.26, ring: 0.06, stream: 0, assembly: 0.4, work: 0.4 } as const;
/** A packet that is alone on its rail may be this much wider, of the free room beside it: what is merged stays large. */
const SPILLING = 0.6;
/**
 * What is queued has its share of a vessel whose limit is known. So that one packet can still be seen, it has at
 * least this much, in heights of the vessel, and at most this part of the vessel.
 */
const FEW = 2;
const FEW_AT_MOST = 0.5;
/** Beside a pinned packet a pile has at most this part of what is queued. */
const PILED_AT_MOST = 0.5;

/** The room for packets within the walls of a vessel, or on the rail. */
export function interior({ kind, body }: Slot): Rect {
  if (kind === 'work') return body;
  const wall = WALL * body.height;
  return {
    x: body.x + wall,
    y: body.y + wall,
    width: Math.max(1, body.width - 2 * wall),
    height: body.height - 2 * wall,
  };
}

/** How wide a packet is in a slot when nothing presses. */
export function naturalWidth(slot: Slot, entry: Entry): number {
  const { height, width } = interior(slot);
  if (slot.kind === 'ring') return Math.min(width, height * 0.95);
  if (slot.kind === 'stream') {
    return Math.min(width, Math.max(0.35, Math.min(1.6, entry.bytes / 1448)) * height);
  }
  const room = width + SPILLING * (slot.kind === 'work' ? (slot.spill?.width ?? 0) : 0);
  return Math.min(room, capsuleWidth(entry.bytes, height, shellsIn(slot.row), partsSeen(entry)));
}

/** Its number of parts, where a part still on its way counts by how far it has come. */
function partsSeen({ parts, joining }: Entry): number {
  return joining.reduce((sum, { hopped }) => sum - (1 - hopped), parts);
}

/** The place of a packet that comes last: the end of a vessel, or the middle of a rail. */
export function tailOf(slot: Slot, entry: Entry): Rect {
  const room = interior(slot);
  const width = Math.min(room.width, naturalWidth(slot, entry));
  const atEnd = slot.direction === 'rx' ? room.x + room.width - width : room.x;
  const x = slot.kind === 'work' ? room.x + (room.width - width) / 2 : atEnd;
  const y = slot.direction === 'rx' ? room.y - slot.rise : room.y;
  return { ...room, x, y, width };
}

/** The boxes with which a ring is drawn, all alike. */
export interface RingBoxes {
  readonly boxes: number;
  readonly pitch: number;
  /** The number of descriptors for which each stands; 1 if the size of the ring is unknown. */
  readonly slots: number;
}

/** As many boxes as there is room for packets, each for the same number of descriptors; 0: the ring's size is unknown. */
export function ringBoxes(slot: Slot, size: number): RingBoxes {
  const { height, width } = interior(slot);
  const most = Math.max(1, Math.floor((width + GAP * height) / (height * (0.95 + GAP))));
  if (size === 0) return { boxes: most, pitch: width / most, slots: 1 };
  let slots = Math.ceil(size / most);
  while (size % slots > 0) slots += 1;
  return { boxes: size / slots, pitch: (width * slots) / size, slots };
}

/**
 * Places in a slot for those that stand there and those that come, oldest first.
 * `level` is how full the queue is, 0 to 1, where its limit is known.
 */
export function packSlot(
  slot: Slot,
  residents: readonly Entry[],
  guests: readonly Entry[],
  level: number | undefined,
  pinned: number | undefined,
): Packed {
  const entries = [...residents, ...guests];
  const items = entries.map((entry, at): Item => ({
    width: naturalWidth(slot, entry),
    presence: at < residents.length ? presenceOf(entry) : entry.hopped,
    isPinned: entry.packet === pinned,
  }));
  return slot.kind === 'work'
    ? onRail(slot, entries, items, residents.length)
    : inVessel(slot, entries, items, level);
}

/** What a queue refused has no room in it. */
function presenceOf({ hasEnded, isDropped, hopped }: Entry): number {
  return hasEnded && isDropped ? 0 : 1 - hopped;
}

/** How high on its rail one stands of whose work a share is done; those that come begin where work does. */
function heightOn({ body, direction, rise }: Slot, done: number): number {
  return body.y - rise * (direction === 'rx' ? done : 1 - done);
}

/**
 * The oldest on the rail and the others beside it in a line, each moving up as the one before it
 * leaves: so wait the pieces of a packet that was cut.
 */
function onRailAndBeside(
  slot: Slot,
  spill: Rect,
  entries: readonly Entry[],
  items: readonly Item[],
  residents: number,
): Packed {
  const { body, direction } = slot;
  const [first] = entries;
  const gone = first?.hopped ?? 0;
  const gap = GAP * body.height;
  const rest = items.slice(1).map((item, at) => ({
    ...item,
    presence: at === 0 ? item.presence * (1 - gone) : item.presence,
  }));
  const lined = line(spill, rest, gap, SQUEEZE.work, undefined);
  const turned = (rect: Rect): Rect =>
    direction === 'rx' ? rect : { ...rect, x: 2 * spill.x + spill.width - rect.x - rect.width };
  const places = new Map<Entry, Rect>();
  entries.forEach((entry, at) => {
    const width = Math.min(items[at]?.width ?? 0, body.width);
    const here: Rect = {
      x: body.x + (body.width - width) / 2,
      y: heightOn(slot, at < residents ? entry.worked : 0),
      width,
      height: body.height,
    };
    const beside = at === 0 ? undefined : lined.places[at - 1];
    if (at === 0) places.set(entry, here);
    else if (beside !== undefined)
      places.set(entry, blend(turned(beside), here, at === 1 ? gone : 0));
  });
  return { places, stack: lined.stack === undefined ? undefined : turned(lined.stack) };
}

/** Beside each other around the middle of the rail, each as high as its work has come. */
function onRail(
  slot: Slot,
  entries: readonly Entry[],
  items: readonly Item[],
  residents: number,
): Packed {
  const { body } = slot;
  const gap = GAP * body.height;
  const [single] = items;
  const [only] = entries;
  if (
    items.length === 1 &&
    single !== undefined &&
    only !== undefined &&
    single.width > body.width
  ) {
    // Over the rail's edge, into the free middle of the lane; under the name that stands there it does not rise.
    const under = Math.min(1, (single.width - body.width) / gap);
    const own = {
      x: slot.direction === 'rx' ? body.x : body.x + body.width - single.width,
      y: between(heightOn(slot, residents === 1 ? only.worked : 0), body.y, under),
      width: single.width,
      height: body.height,
    };
    return { places: new Map([[only, own]]), stack: undefined };
  }
  const needed = items.reduce((sum, { width, presence }) => sum + (width + gap) * presence, -gap);
  const factor = Math.min(1, body.width / Math.max(1, needed));
  const natural = items.reduce((sum, item) => sum + item.width + gap, -gap);
  if (slot.spill !== undefined && natural > body.width && items.length > 1) {
    return onRailAndBeside(slot, slot.spill, entries, items, residents);
  }
  const isPiling = factor < SQUEEZE.work;
  const width = (item: Item) => Math.min(item.width * Math.max(factor, SQUEEZE.work), body.width);
  const heightOf = (entry: Entry, at: number) => heightOn(slot, at < residents ? entry.worked : 0);
  // Of too many the oldest stands alone and the rest is a pile beside it.
  const kept = isPiling ? 1 : items.length;
  const places = new Map<Entry, Rect>();
  const room = items.slice(0, kept).map((item) => (width(item) + gap * factor) * item.presence);
  const whole = room.reduce((sum, own) => sum + own, 0);
  let before = 0;
  entries.slice(0, kept).forEach((entry, at) => {
    const own = width(items[at] ?? { width: 0, presence: 0, isPinned: false });
    const after = whole - before - (room[at] ?? 0);
    // Who came first stands next to the vessel beside the rail, and leaves past nobody.
    const shift = ((slot.direction === 'rx' ? -1 : 1) * (before - after)) / 2;
    const x = isPiling ? body.x : body.x + body.width / 2 - own / 2 + shift;
    places.set(entry, {
      x: Math.max(body.x, Math.min(x, body.x + body.width - own)),
      y: heightOf(entry, at),
      width: own,
      height: body.height,
    });
    before += room[at] ?? 0;
  });
  if (!isPiling) return { places, stack: undefined };
  const first = Math.min(
    body.width * 0.55,
    width(items[0] ?? { width: 0, presence: 0, isPinned: false }),
  );
  const oldest = entries[0];
  const place = oldest === undefined ? undefined : places.get(oldest);
  if (oldest !== undefined && place !== undefined) places.set(oldest, { ...place, width: first });
  let stackX = body.x + first + gap;
  // A pinned one stands between the two: it has half of the pile's room at the most.
  const pinnedAt = items.findIndex(({ isPinned }, at) => isPinned && at >= kept);
  const [pinned, pinnedItem] = [entries[pinnedAt], items[pinnedAt]];
  if (pinned !== undefined && pinnedItem !== undefined) {
    const left = body.x + body.width - stackX - gap;
    const own = Math.min(width(pinnedItem), left / 2);
    places.set(pinned, {
      x: stackX,
      y: heightOf(pinned, pinnedAt),
      width: own,
      height: body.height,
    });
    stackX += own + gap;
  }
  return { places, stack: { ...body, x: stackX, width: body.x + body.width - stackX } };
}

function inVessel(
  slot: Slot,
  entries: readonly Entry[],
  items: readonly Item[],
  level: number | undefined,
): Packed {
  const room = interior(slot);
  const isFused = slot.kind === 'stream';
  const gap = isFused ? 0 : GAP * room.height;
  const lined = line(room, items, gap, SQUEEZE[slot.kind], level);
  const turned = (rect: Rect): Rect =>
    slot.direction === 'rx' ? rect : { ...rect, x: 2 * room.x + room.width - rect.x - rect.width };
  const places = new Map<Entry, Rect>();
  entries.forEach((entry, at) => {
    const place = lined.places[at];
    if (place !== undefined) places.set(entry, turned(place));
  });
  return { places, stack: lined.stack === undefined ? undefined : turned(lined.stack) };
}

/**
 * Lines items up from the left; `undefined` for those that are piled at the far end. The pinned packet (the
 * followed or chosen one) keeps its width, and is never lost in the pile.
 */
export function line(
  body: Rect,
  items: readonly Item[],
  gap: number,
  squeeze: number,
  level: number | undefined,
): { readonly places: readonly (Rect | undefined)[]; readonly stack: Rect | undefined } {
  const needed = items.reduce((sum, { width, presence }) => sum + (width + gap) * presence, -gap);
  const taken = takenOf(body, needed, items, level);
  const factor = needed > 0 ? taken / needed : 1;
  const pinnedAt = items.findIndex(({ isPinned }) => isPinned);
  const pinned = items[pinnedAt];
  if (pinned === undefined || factor >= 1 || items.length === 1) {
    if (factor >= squeeze || items.length === 1) {
      return { places: lineUp(body, items, gap, factor, items.length), stack: undefined };
    }
  } else {
    const own = Math.min(pinned.width, (1 - PILED_AT_MOST) * taken);
    const others = needed - (pinned.width + gap) * pinned.presence;
    const rest = (taken - (own + gap) * pinned.presence) / Math.max(1, others);
    if (rest >= squeeze) {
      const kept = { at: pinnedAt, width: Math.max(own, pinned.width * factor) };
      const left = (taken - (kept.width + gap) * pinned.presence) / Math.max(1, others);
      return { places: lineUp(body, items, gap, left, items.length, kept), stack: undefined };
    }
  }
  const stackWidth = pileWidth(body, taken, pinned !== undefined);
  const room = taken - stackWidth - gap;
  const stackX = body.x + taken - stackWidth;
  const kept = keptIn(room, items, gap, squeeze);
  const stack = { ...body, x: stackX, width: stackWidth };
  if (pinned === undefined) return { places: lineUp(body, items, gap, squeeze, kept), stack };
  const width = Math.min(pinned.width, Math.max(0, room));
  const before = keptIn(room - width - gap, items, gap, squeeze);
  if (pinnedAt <= before) {
    const own = { at: pinnedAt, width };
    return { places: lineUp(body, items, gap, squeeze, before + 1, own), stack };
  }
  const places = [...lineUp(body, items, gap, squeeze, before)];
  places[pinnedAt] = { ...body, x: stackX - gap - width, width };
  return { places, stack: items.length - before > 1 ? stack : undefined };
}

/** Where there is no room for packets beside a pile, all are in it. */
function pileWidth({ width, height }: Rect, taken: number, isBesidePinned: boolean): number {
  const most = Math.min(width * 0.6, STACK * height);
  if (isBesidePinned) return Math.min(most, PILED_AT_MOST * taken);
  return taken - most < height ? taken : most;
}

/**
 * The width that all items take: what they need, but of a vessel whose limit is known no more and no less than
 * their share of it.
 */
function takenOf(
  body: Rect,
  needed: number,
  items: readonly Item[],
  level: number | undefined,
): number {
  if (level === undefined) return Math.max(Math.min(needed, body.width), 0);
  const here = items.reduce((sum, { presence }) => sum + presence, 0);
  const few = Math.min(FEW * body.height, FEW_AT_MOST * body.width);
  const share = body.width * level;
  const least = here === 0 ? 0 : share * Math.min(1, here);
  return Math.max(Math.min(needed, Math.max(share, few)), least);
}

function keptIn(room: number, items: readonly Item[], gap: number, squeeze: number): number {
  let used = 0;
  let kept = 0;
  for (const { width } of items) {
    used += (width + gap) * squeeze;
    if (used > room) break;
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
  pinned?: { readonly at: number; readonly width: number },
): readonly (Rect | undefined)[] {
  let x = body.x;
  return items.map((item, at): Rect | undefined => {
    if (at >= kept) return undefined;
    const width = at === pinned?.at ? pinned.width : Math.min(body.width, item.width * factor);
    // One that leaves may stand past those that have moved up behind it, but not past the end.
    const place = { ...body, x: Math.min(x, body.x + body.width - width), width };
    x += between(0, width + gap * factor, item.presence);
    return place;
  });
}
