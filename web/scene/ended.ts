/**
 * What has just ended, for as long as it lingers: merges slide into the packet that takes
 * them in, where it is; what a queue refuses falls over its lid into the bin beside it; a
 * packet that is cut comes apart under the blade; the others fade where they ended.
 */
import type { Frame } from '../core/frame.ts';
import { NONE } from '../core/core.ts';
import { capsuleOf } from './capsule.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { between, clamp01, ease, lingerShare } from './motion.ts';
import { interior, naturalWidth } from './packing.ts';
import { along, blend, emphasis, wayBetween } from './place.ts';
import type { Rect, Shape, View } from './shapes.ts';
import type { Words } from './words.ts';

export interface Ended {
  readonly shapes: readonly Shape[];
  /** What was just dropped, by the slot that refused it. */
  readonly drops: ReadonlyMap<Slot, readonly Entry[]>;
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Pieces that are drawn here while they are cut off, and nowhere else. */
  readonly cut: ReadonlySet<number>;
}

/** More at once would hide what they merge into, or each other. */
const SHOWN = 8;

export function endedShapes(
  frame: Frame,
  ended: readonly Entry[],
  live: readonly Entry[],
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

  for (const group of groupsOf(ended, ({ slot, index }) => `${slot.id} ${verdict[index]}`)) {
    const kind = verdict[group[0]?.index ?? 0];
    const shown = group.slice(-SHOWN);
    if (kind === words.merged) {
      for (const entry of shown) {
        const into = rectOf.get(mergedInto[entry.index] ?? NONE);
        remember(entry, [merging(entry, into)]);
      }
    } else if (kind === words.dropped) {
      const [first] = group;
      if (first !== undefined) drops.set(first.slot, group);
      for (const entry of shown) remember(entry, [falling(entry)]);
    } else {
      const last = group.findLast(({ packet }) => packet === view.selected) ?? group.at(-1);
      if (last !== undefined) remember(last, fading(last));
    }
  }
  return { shapes, drops, rectOf: rects, cut };

  /** Into the one that takes it in: beside it in its vessel, or after it along the rail. */
  function merging(entry: Entry, into: Rect | undefined): Shape {
    const share = ease(lingerShare(entry, frame.time, view.linger));
    const from = endedAt.get(entry) ?? lastPlace(entry);
    const target = into ?? from;
    const middle = {
      x: target.x + target.width * 0.8,
      y: target.y + target.height * 0.15,
      width: Math.max(2, target.width * 0.2),
      height: target.height * 0.7,
    };
    const other = live.find(({ packet }) => packet === mergedInto[entry.index]);
    const rect = blend(from, middle, share);
    if (other === undefined || other.slot === entry.slot) {
      return capsule(entry, rect, 1 - share * 0.5);
    }
    // Where that one has gone on already, it went into it here: nothing runs after it.
    if (other.slot.lane !== entry.slot.lane) {
      const close = { ...from, width: from.width * (1 - 0.5 * share) };
      return capsule(entry, close, 1 - share);
    }
    const [x, y] = along(wayBetween(from, entry.slot, middle, other.slot), share);
    const placed = { ...rect, x: x - rect.width / 2, y: y - rect.height / 2 };
    return capsule(entry, placed, 1 - share * 0.5);
  }

  /** Against the lid, over it and down beside it. */
  function falling(entry: Entry): Shape {
    const share = lingerShare(entry, frame.time, view.linger);
    const { slot } = entry;
    const from = endedAt.get(entry) ?? lastPlace(entry);
    const side = slot.direction === 'rx' ? 1 : -1;
    const roomy = Math.max(from.width, 0.8 * from.height);
    const wide = Math.min(roomy, 1.1 * from.height, slot.bin?.width ?? Infinity);
    const end = slot.body.x + (side > 0 ? slot.body.width : 0);
    // It bounces off the lid first; a station without a bin lets it fall through its floor.
    const beside = slot.bin === undefined ? from.x : slot.bin.x + (slot.bin.width - wide) / 2;
    const move = ease(clamp01(share / 0.6));
    const x = between(slot.bin === undefined ? from.x : end - (side > 0 ? wide : 0), beside, move);
    const hop = slot.bin === undefined ? 0 : Math.sin(Math.PI * move) * 0.1 * from.height;
    const fall = clamp01((share - 0.35) / 0.65);
    const y = from.y - hop + fall * fall * from.height * 0.45;
    return {
      kind: 'drop',
      rect: { x, y, width: wide, height: from.height },
      thing: {
        kind: 'drop',
        packet: entry.packet,
        reason: frame.packets.dropReason[entry.index] ?? NONE,
      },
      packet: entry.packet,
      turn: side * between(0, 0.45, ease(share)),
      alpha: 1 - clamp01((share - 0.75) / 0.25),
    };
  }

  /** It comes apart where others are its pieces; else it goes in at the end of its place. */
  function fading(entry: Entry): readonly Shape[] {
    const share = lingerShare(entry, frame.time, view.linger);
    const from = endedAt.get(entry) ?? lastPlace(entry);
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
    const wide = Math.max(from.width, 0.55 * count * from.height);
    const isRight = entry.slot.direction === 'rx';
    const start = isRight ? from.x : from.x + from.width - wide;
    const slice = (number: number): Rect => {
      const place = isRight ? number - 1 : count - number;
      return { ...from, x: start + (wide * place) / count, width: wide / count };
    };
    const parted = ease(clamp01((share - 0.45) / 0.55));
    const shapesOfPieces = own.flatMap((piece): readonly Shape[] => {
      const rest = rectOf.get(piece.packet);
      if (rest === undefined || piece.hopped > 0) return [];
      cut.add(piece.packet);
      return [capsule(piece, blend(slice(piece.pieceNumber), rest, parted), 1)];
    });
    const blades = Array.from({ length: count - 1 }, (_, at): Shape => ({
      kind: 'blade',
      rect: { x: start + (wide * (at + 1)) / count - 1, y: from.y, width: 2, height: from.height },
      share: share > 0.55 ? 0 : clamp01((share / 0.4) * count - at),
    }));
    return [...shapesOfPieces, ...blades];
  }

  function lastPlace(entry: Entry): Rect {
    const room = interior(entry.slot);
    const width = Math.min(room.width, naturalWidth(entry.slot, entry));
    const isTail = entry.slot.kind !== 'work';
    const isRight = isTail ? entry.slot.direction === 'rx' : false;
    const x = isTail
      ? isRight
        ? room.x + room.width - width
        : room.x
      : room.x + (room.width - width) / 2;
    const y = entry.slot.direction === 'rx' ? room.y - entry.slot.rise : room.y;
    return { ...room, x, y, width };
  }
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
