/**
 * One packet at one place: between its entry, its rest and its next entry, and whether the
 * viewer has chosen it or points at it.
 */
import type { Entry } from './entries.ts';
import { between } from './motion.ts';
import { entryRect } from './packing.ts';
import type { Emphasis, Rect, View } from './shapes.ts';

export interface Place {
  readonly entry: Entry;
  readonly rect: Rect;
}

export function emphasis(packet: number, view: View): Emphasis {
  if (packet === view.selected) return 'chosen';
  return packet === view.hovered ? 'pointed' : 'none';
}

/** From the entry to its place, and from its place to the next entry. */
export function onTheWay(entry: Entry, rest: Rect, scale: number): Rect {
  const arriving =
    entry.arrived < 1 ? blend(entryRect(entry.entrySlot, entry, scale), rest, entry.arrived) : rest;
  return entry.nextSlot === undefined || entry.hopped === 0
    ? arriving
    : blend(arriving, entryRect(entry.nextSlot, entry, scale), entry.hopped);
}

export function blend(from: Rect, to: Rect, share: number): Rect {
  return {
    x: between(from.x, to.x, share),
    y: between(from.y, to.y, share),
    width: between(from.width, to.width, share),
    height: between(from.height, to.height, share),
  };
}
