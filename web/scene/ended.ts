/**
 * Packets that have just ended, for half a second of film. A merged packet slides into the one that absorbs
 * it; a dropped one bounces off its queue's lid into the bin beside it and fades before it leaves the
 * frame; a packet that is segmented comes apart under the blade; the others fade where they ended.
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
  /** Recent drops, by the slot that refused the packet. */
  readonly drops: ReadonlyMap<Slot, readonly Entry[]>;
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Pieces that are drawn here while they are cut off, and not elsewhere. */
  readonly cut: ReadonlySet<number>;
}

/**
 * Fractions of an ending: until WHOLE a packet is laid out whole, until CUT it is cut; then its pieces move to
 * where they wait.
 */
const WHOLE = 0.22;
const CUT = 0.68;
/** Width of a slice, as a fraction of a packet's height. */
const SLICE = 0.85;
/** Duration of several simultaneous endings, relative to one. */
const STAGGER = 1.2;
/** Width of a packet in a bin's heap, as a fraction of the bin's width. */
const HEAPED = 0.3;
/** Maximum number shown at once: more would cover each other and what they merge into. */
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

  /** Moves to its place in the absorbing packet, whose shells serve both, and becomes part of it there. */
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
    // In an assembly that closes, the place itself moves, so the fragment is there at once.
    const reach = entry.slot.kind === 'assembly' ? clamp01(entry.ending * 3) : share;
    const drawn = capsule(entry, blend(from, part, reach), 1);
    const shells = drawn.shells.map((shell) => ({
      ...shell,
      share: shell.share * (1 - clamp01(share * 2.5)),
    }));
    return [{ ...drawn, shells: shells.filter((shell) => shell.share > 0.02) }];
  }

  /** Against the lid, over it, and down beside it. */
  function falling(entry: Entry, share: number, count: number): Shape {
    const { slot } = entry;
    const from = endedAt.get(entry) ?? tailOf(entry.slot, entry);
    const side = slot.direction === 'rx' ? 1 : -1;
    const roomy = Math.max(from.width, 0.8 * from.height);
    const wide = Math.min(roomy, 1.1 * from.height, slot.bin?.width ?? Infinity);
    const end = slot.body.x + (side > 0 ? slot.body.width : 0);
    // It bounces off the lid first; at a station without a bin it falls through the floor.
    const beside = slot.bin === undefined ? from.x : slot.bin.x + (slot.bin.width - wide) / 2;
    const move = ease(clamp01(share / 0.6));
    const x = between(slot.bin === undefined ? from.x : end - (side > 0 ? wide : 0), beside, move);
    const hop = slot.bin === undefined ? 0 : Math.sin(Math.PI * move) * 0.1 * from.height;
    const fall = clamp01((share - 0.35) / 0.65) ** 2;
    const { bin } = slot;
    // It comes to rest on the heap, at the size of the packets there.
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
      // The names of many would cover each other.
      name: count > 2 ? '' : entry.name,
      turn: side * between(0, 0.45, ease(share)),
      alpha: 1 - clamp01((entry.gone - 0.75) / 0.25),
    };
  }

  /** Comes apart if it has pieces, else disappears at the end of its place. */
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

  /** The blade comes down between its pieces, which then move to where they wait. */
  function cutting(entry: Entry, from: Rect, share: number): readonly Shape[] {
    const own = live
      .filter(({ pieceOf, slot }) => pieceOf === entry.packet && slot === entry.slot)
      .sort((a, b) => a.pieceNumber - b.pieceNumber);
    const count = pieces.get(entry.packet) ?? own.length;
    const { spill, body } = entry.slot;
    // In the free middle of the lane each slice is wide enough to see.
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

/** A drop is reported for longer than its fall is visible. */
function isSeen({ ending, gone }: Entry): boolean {
  return ending < 1 || gone < 1;
}

/** The number of falling packets that have come to rest. */
export function landedOf(falling: readonly Entry[]): number {
  const moving = falling.filter(isSeen);
  const landed = moving.filter(({ ending }, at) => staggered(ending, at, moving.length) >= 1);
  return falling.length - moving.length + landed.length;
}

/** The start of each of several simultaneous endings is delayed slightly after the one before. */
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
