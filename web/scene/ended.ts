/**
 * What has just ended, for half a second of film: merges slide into the packet that takes
 * them in, where it is; what a queue refuses falls over its lid into the bin beside it, and
 * fades when the frame is about to tell of it no more; a packet that is cut comes apart under
 * the blade; the others fade where they ended.
 */
import type { Frame } from '../core/frame.ts';
import { NONE } from '../core/core.ts';
import { capsuleOf, partOf, payloadOf } from './capsule.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { between, clamp01, ease } from './motion.ts';
import { tailOf } from './packing.ts';
import { blend, emphasis } from './place.ts';
import type { CapsuleShape, Rect, Shape, View } from './shapes.ts';
import type { Words } from './words.ts';

export interface Ended {
  readonly shapes: readonly Shape[];
  /** What was just dropped, by the slot that refused it. */
  readonly drops: ReadonlyMap<Slot, readonly Entry[]>;
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Pieces that are drawn here while they are cut off, and nowhere else. */
  readonly cut: ReadonlySet<number>;
}

/** Of its ending: until then a packet is laid out whole, until then it is cut; then its pieces go to where they wait. */
const WHOLE = 0.22;
const CUT = 0.68;
/** How wide a slice is, of a packet's height. */
const SLICE = 0.85;
/** How much longer several that end at once take than one. */
const STAGGER = 1.2;
/** How wide a packet is in the heap of a bin, of the bin's width. */
const HEAPED = 0.3;
/** More at once would hide what they merge into, or each other. */
const SHOWN = 8;

export function endedShapes(
  frame: Frame,
  ended: readonly Entry[],
  live: readonly Entry[],
  placed: readonly Shape[],
  rectOf: ReadonlyMap<number, Rect>,
  endedAt: ReadonlyMap<Entry, Rect>,
  words: Words,
  transport: string,
  view: View,
): Ended {
  const shapes: Shape[] = [];
  const drops = new Map<Slot, Entry[]>();
  const rects = new Map<number, Rect>();
  const cut = new Set<number>();
  const { verdict, mergedInto } = frame.packets;
  const pieces = new Map<number, number>();
  for (const entry of live) {
    if (entry.pieceOf !== NONE) pieces.set(entry.pieceOf, entry.pieceCount);
  }
  const remember = (entry: Entry, drawn: readonly Shape[]) => {
    const [first] = drawn;
    shapes.push(...drawn);
    if (first !== undefined) rects.set(entry.packet, first.rect);
  };
  const capsule = (entry: Entry, rect: Rect, alpha: number) =>
    capsuleOf(entry, rect, transport, emphasis(entry.packet, view), alpha);

  let known: ReadonlyMap<number, CapsuleShape> | undefined;
  const capsules = () => {
    known ??= new Map(
      placed.flatMap((shape) => (shape.kind === 'capsule' ? [[shape.packet, shape] as const] : [])),
    );
    return known;
  };

  for (const group of groupsOf(ended, ({ slot, index }) => `${slot.id} ${verdict[index]}`)) {
    const kind = verdict[group[0]?.index ?? 0];
    const shown = (kind === words.dropped ? group.filter(isSeen) : group).slice(-SHOWN);
    if (kind === words.merged) {
      for (const entry of shown) remember(entry, merging(entry));
    } else if (kind === words.dropped) {
      const [first] = group;
      if (first !== undefined) drops.set(first.slot, group);
      shown.forEach((entry, at) =>
        remember(entry, [falling(entry, staggered(entry.ending, at, shown.length), shown.length)]),
      );
    } else {
      const last = group.findLast(({ packet }) => packet === view.selected) ?? group.at(-1);
      if (last !== undefined) remember(last, fading(last));
    }
  }
  return { shapes, drops, rectOf: rects, cut };

  /** Into its place in the packet that takes it in, whose shells do for both; once there it is part of it. */
  function merging(entry: Entry): readonly Shape[] {
    if (entry.ending >= 1) return [];
    const share = ease(entry.ending);
    const from = endedAt.get(entry) ?? tailOf(entry.slot, entry);
    const taker = live.find(({ packet }) => packet === mergedInto[entry.index]);
    const into = capsules().get(taker?.packet ?? NONE);
    const at = taker?.joining.indexOf(entry) ?? -1;
    const wide = into === undefined ? undefined : payloadOf(into);
    const count = taker?.parts ?? 1;
    const known = taker === undefined ? undefined : rectOf.get(taker.packet);
    const tail = known && { ...known, x: known.x + known.width * 0.8, width: known.width * 0.2 };
    const part =
      taker === undefined || wide === undefined || at === -1
        ? (tail ?? from)
        : {
            ...wide,
            x: wide.x + (wide.width * partOf(taker, at)) / count,
            width: wide.width / count,
          };
    // Where its place came to it, as in a frame of pieces that closes, it is there at once.
    const reach = entry.slot.kind === 'assembly' ? clamp01(entry.ending * 3) : share;
    const drawn = capsule(entry, blend(from, part, reach), 1);
    const shells = drawn.shells.map((shell) => ({
      ...shell,
      share: shell.share * (1 - clamp01(share * 2.5)),
    }));
    return [{ ...drawn, shells: shells.filter((shell) => shell.share > 0.02) }];
  }

  /** Against the lid, over it and down beside it. */
  function falling(entry: Entry, share: number, count: number): Shape {
    const { slot } = entry;
    const from = endedAt.get(entry) ?? tailOf(entry.slot, entry);
    const side = slot.direction === 'rx' ? 1 : -1;
    const roomy = Math.max(from.width, 0.8 * from.height);
    const wide = Math.min(roomy, 1.1 * from.height, slot.bin?.width ?? Infinity);
    const end = slot.body.x + (side > 0 ? slot.body.width : 0);
    // It bounces off the lid first; a station without a bin lets it fall through its floor.
    const beside = slot.bin === undefined ? from.x : slot.bin.x + (slot.bin.width - wide) / 2;
    const move = ease(clamp01(share / 0.6));
    const x = between(slot.bin === undefined ? from.x : end - (side > 0 ? wide : 0), beside, move);
    const hop = slot.bin === undefined ? 0 : Math.sin(Math.PI * move) * 0.1 * from.height;
    const fall = clamp01((share - 0.35) / 0.65) ** 2;
    const { bin } = slot;
    // It comes to lie on the heap of those before it, as small as they are.
    const small =
      bin === undefined ? 1 : between(1, Math.min(1, HEAPED * (bin.width / wide)), fall);
    const [width, height] = [wide * small, from.height * small];
    const floor = bin === undefined ? from.y + from.height * 0.45 : bin.y + bin.height - height;
    const y = between(from.y - hop, floor, fall);
    return {
      kind: 'drop',
      rect: { x: x + (wide - width) / 2, y, width, height },
      thing: {
        kind: 'drop',
        packet: entry.packet,
        reason: frame.packets.dropReason[entry.index] ?? NONE,
      },
      packet: entry.packet,
      // Of many at once the names would hide each other.
      name: count > 2 ? '' : entry.name,
      turn: side * between(0, 0.45, ease(share)),
      alpha: 1 - clamp01((entry.gone - 0.75) / 0.25),
    };
  }

  /** It comes apart where others are its pieces; else it goes in at the end of its place. */
  function fading(entry: Entry): readonly Shape[] {
    const share = entry.ending;
    const from = endedAt.get(entry) ?? tailOf(entry.slot, entry);
    const count = pieces.get(entry.packet);
    if (count === undefined || count < 2) {
      const rise = entry.slot.direction === 'rx' ? -1 : 1;
      const small = {
        x: from.x + from.width * 0.15 * share,
        y: from.y + rise * from.height * 0.3 * ease(share),
        width: from.width * (1 - 0.3 * share),
        height: from.height * (1 - 0.3 * share),
      };
      return [capsule(entry, small, 1 - ease(share))];
    }
    return cutting(entry, from, share);
  }

  /** The blade comes down between its pieces, and they go to where they wait. */
  function cutting(entry: Entry, from: Rect, share: number): readonly Shape[] {
    const own = live
      .filter(({ pieceOf, slot }) => pieceOf === entry.packet && slot === entry.slot)
      .sort((a, b) => a.pieceNumber - b.pieceNumber);
    const count = pieces.get(entry.packet) ?? own.length;
    const { spill, body } = entry.slot;
    // In the free middle of the lane each slice is wide enough to be seen.
    const most = spill === undefined ? from.width : spill.width + body.width;
    const wide = Math.max(from.width, Math.min(most, SLICE * count * from.height));
    const isRight = entry.slot.direction === 'rx';
    const start = isRight ? from.x : from.x + from.width - wide;
    const slice = (number: number): Rect => {
      const place = isRight ? number - 1 : count - number;
      return { ...from, x: start + (wide * place) / count, width: wide / count };
    };
    if (share < WHOLE) {
      own.forEach(({ packet }) => cut.add(packet));
      const laid = { ...from, x: start, width: wide };
      return [capsule(entry, blend(from, laid, ease((share / WHOLE) * 1.6)), 1)];
    }
    const parted = ease(clamp01((share - CUT) / (1 - CUT)));
    const shapesOfPieces = own.flatMap((piece): readonly Shape[] => {
      const rest = rectOf.get(piece.packet);
      if (rest === undefined) return [];
      cut.add(piece.packet);
      const drawn = capsule(piece, blend(slice(piece.pieceNumber), rest, parted), 1);
      const shells = drawn.shells.map((shell) => ({ ...shell, share: shell.share * parted }));
      return [{ ...drawn, shells: shells.filter((shell) => shell.share > 0.02) }];
    });
    const blades = Array.from({ length: count - 1 }, (_, at): Shape => ({
      kind: 'blade',
      rect: { x: start + (wide * (at + 1)) / count - 1, y: from.y, width: 2, height: from.height },
      share:
        share > CUT ? 0 : clamp01(((share - WHOLE) / (0.9 * (CUT - WHOLE))) * (count - 1) - at),
    }));
    return [...shapesOfPieces, ...blades];
  }
}

/** What a queue refused is told for longer than it is seen to fall. */
function isSeen({ ending, gone }: Entry): boolean {
  return ending < 1 || gone < 1;
}

/** How many of those that fall have come to lie. */
export function landedOf(falling: readonly Entry[]): number {
  const moving = falling.filter(isSeen);
  const landed = moving.filter(({ ending }, at) => staggered(ending, at, moving.length) >= 1);
  return falling.length - moving.length + landed.length;
}

/** Of several that end at once each a little after the one before it. */
function staggered(ending: number, at: number, count: number): number {
  return count < 2 ? ending : clamp01(ending * (1 + STAGGER) - (STAGGER * at) / (count - 1));
}

function groupsOf(entries: readonly Entry[], key: (entry: Entry) => string): readonly Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const held = groups.get(key(entry));
    if (held === undefined) groups.set(key(entry), [entry]);
    else held.push(entry);
  }
  return [...groups.values()];
}
