/**
 * What has just ended, for as long as it lingers: merges shrink into the packet that took
 * them in, drops fall out of the queue that refused them with their reason, the others
 * fade where they ended. Of many that end in one place the last is drawn and all are told.
 */
import type { Frame } from '../core/frame.ts';
import { NONE, NO_WORD } from '../core/core.ts';
import { capsuleOf } from './capsule.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { between, ease, lingerShare } from './motion.ts';
import { entryRect, exitRect } from './packing.ts';
import { blend, emphasis } from './place.ts';
import type { Rect, Shape, Thing, View } from './shapes.ts';
import type { Words } from './words.ts';

export interface Ended {
  readonly shapes: readonly Shape[];
  /** Drops by the slot that refused them, as a text for its title. */
  readonly drops: ReadonlyMap<Slot, DropNote>;
  readonly rectOf: ReadonlyMap<number, Rect>;
}

export interface DropNote {
  readonly text: string;
  readonly thing: Thing;
}

/** More merges at once would hide what they merge into. */
const MERGES_SHOWN = 8;

export function endedShapes(
  frame: Frame,
  ended: readonly Entry[],
  rectOf: ReadonlyMap<number, Rect>,
  endedAt: ReadonlyMap<Entry, Rect>,
  words: Words,
  scale: number,
  view: View,
): Ended {
  const shapes: Shape[] = [];
  const drops = new Map<Slot, DropNote>();
  const rects = new Map<number, Rect>();
  const { verdict, dropReason, mergedInto } = frame.packets;
  const remember = (entry: Entry, shape: Shape) => {
    shapes.push(shape);
    rects.set(entry.packet, shape.rect);
  };

  for (const group of groupsOf(
    ended,
    ({ slot, index }) => `${slot.id} ${verdict[index]} ${dropReason[index]}`,
  )) {
    const last = group.findLast(({ packet }) => packet === view.selected) ?? group.at(-1);
    if (last === undefined) continue;
    const kind = verdict[last.index];
    if (kind === words.merged) {
      for (const entry of group.slice(-MERGES_SHOWN)) {
        const into = rectOf.get(mergedInto[entry.index] ?? NONE);
        remember(entry, mergeShape(frame, entry, endedAt.get(entry), into, scale, view));
      }
    } else if (kind === words.dropped) {
      const reason = dropReason[last.index] ?? NO_WORD;
      const thing: Thing = { kind: 'drop', packet: last.packet, reason };
      remember(last, dropShape(frame, last, endedAt.get(last), thing, scale, view));
      const name = words.glossary.dropReasons[reason]?.name ?? 'dropped';
      const more = group.length > 1 ? ` × ${group.length}` : '';
      const earlier = drops.get(last.slot);
      drops.set(last.slot, {
        text: `${earlier ? `${earlier.text}, ` : '✕ '}${name}${more}`,
        thing,
      });
    } else {
      remember(last, fadeShape(frame, last, endedAt.get(last), scale, view));
    }
  }
  return { shapes, drops, rectOf: rects };
}

function mergeShape(
  frame: Frame,
  entry: Entry,
  at: Rect | undefined,
  into: Rect | undefined,
  scale: number,
  view: View,
): Shape {
  const share = ease(lingerShare(entry, frame.time, view.linger));
  const from = at ?? exitOf(entry, scale);
  const target = into ?? from;
  const middle = { ...target, x: target.x + target.width / 2 - 1, width: 2 };
  const rect = blend(from, middle, share);
  return capsuleOf(entry, rect, scale, emphasis(entry.packet, view), 1 - share * 0.6);
}

function dropShape(
  frame: Frame,
  entry: Entry,
  at: Rect | undefined,
  thing: Thing,
  scale: number,
  view: View,
): Shape {
  const share = lingerShare(entry, frame.time, view.linger);
  const from = at ?? entryRect(entry.slot, entry, scale);
  return {
    kind: 'drop',
    rect: { ...from, y: from.y + from.height * 1.1 * share * share },
    thing,
    packet: entry.packet,
    turn: between(0, 0.35, share),
    alpha: 1 - share * share,
  };
}

/** It goes in at the right end of its place: the process takes it, or the link. */
function fadeShape(
  frame: Frame,
  entry: Entry,
  at: Rect | undefined,
  scale: number,
  view: View,
): Shape {
  const share = ease(lingerShare(entry, frame.time, view.linger));
  const from = at ?? exitOf(entry, scale);
  const width = Math.max(2, from.width * (1 - share));
  const rect = { ...from, x: from.x + from.width - width, width };
  return capsuleOf(entry, rect, scale, emphasis(entry.packet, view), 1 - share * 0.7);
}

function exitOf(entry: Entry, scale: number): Rect {
  return exitRect(entry.slot, entry, scale);
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
