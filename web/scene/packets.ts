/**
 * The packets in flight as shapes: capsules that stand or hop, piles of those that do not
 * fit, the byte stream of a receive queue, datagrams that collect their fragments.
 *
 * Every packet of the frame is in exactly one of them, or hidden on a CPU that is not shown.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { assemblies } from './assembly.ts';
import { capsuleOf } from './capsule.ts';
import { byAge, isMoving } from './entries.ts';
import type { Entries, Entry } from './entries.ts';
import type { Layout, Slot } from './layout.ts';
import { packSlot } from './packing.ts';
import { emphasis, onTheWay } from './place.ts';
import type { Place } from './place.ts';
import type { Rect, Segment, Shape, StackShape, View } from './shapes.ts';

export interface Placed {
  /** Those in their places, beneath the labels. */
  readonly standing: readonly Shape[];
  /** Those between places; the chosen one above all. */
  readonly moving: readonly Shape[];
  /** Where each packet is, also those in piles and streams. */
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Where those that just ended in a queue stood: they give their room back while they fade. */
  readonly endedAt: ReadonlyMap<Entry, Rect>;
  /** What a slot's title adds about its content. */
  readonly notes: ReadonlyMap<Slot, string>;
}

export function placePackets(
  frame: Frame,
  run: Opened,
  transport: string,
  layout: Layout,
  entries: Entries,
  measure: (text: string) => number,
  view: View,
): Placed {
  const pinned = view.followed ?? view.selected ?? view.actor;
  const bySlot = new Map<Slot, { residents: Entry[]; guests: Entry[] }>();
  const inSlot = (slot: Slot) => {
    const known = bySlot.get(slot) ?? { residents: [], guests: [] };
    bySlot.set(slot, known);
    return known;
  };
  const fading = entries.ended.filter(({ slot }) => slot.kind !== 'work');
  for (const entry of [...entries.live, ...fading].sort(byAge))
    inSlot(entry.slot).residents.push(entry);
  for (const entry of [...entries.live].sort((a, b) => a.until - b.until || byAge(a, b))) {
    if (isMoving(entry) && entry.nextSlot !== undefined && entry.nextSlot !== entry.slot) {
      inSlot(entry.nextSlot).guests.push(entry);
    }
  }
  const standing: Shape[] = [];
  const moving: Shape[] = [];
  const chosen: Shape[] = [];
  const rectOf = new Map<number, Rect>();
  const endedAt = new Map<Entry, Rect>();
  const notes = new Map<Slot, string>();
  const goals = new Map<Entry, Rect>();
  const leaving: Place[] = [];

  const drawAt = ({ entry, rect }: Place) => {
    const mark = emphasis(entry.packet, view);
    const layer = mark === 'chosen' ? chosen : isMoving(entry) ? moving : standing;
    layer.push(capsuleOf(entry, rect, transport, mark));
    rectOf.set(entry.packet, rect);
  };

  for (const [slot, { residents, guests }] of bySlot) {
    if (slot.kind === 'assembly') {
      const held = assemblies(frame, slot, residents, guests, view);
      standing.push(...held.shapes);
      held.leaving.forEach((place) => leaving.push(place));
      held.goals.forEach((rect, entry) => goals.set(entry, rect));
      held.rectOf.forEach((rect, packet) => rectOf.set(packet, rect));
      held.endedAt.forEach((rect, entry) => endedAt.set(entry, rect));
      if (held.note !== undefined) notes.set(slot, held.note);
      continue;
    }
    const packed = packSlot(slot, residents, guests, levelOf(frame, run, slot), pinned);
    const settled: Place[] = [];
    const piled: Entry[] = [];
    for (const entry of guests) {
      goals.set(entry, packed.places.get(entry) ?? packed.stack ?? slot.body);
    }
    for (const entry of residents) {
      const place = packed.places.get(entry);
      const rest = place ?? packed.stack ?? slot.body;
      if (entry.hasEnded) endedAt.set(entry, rest);
      else if (isMoving(entry)) leaving.push({ entry, rect: rest });
      else if (place === undefined) {
        piled.push(entry);
        rectOf.set(entry.packet, rest);
      } else if (slot.kind === 'stream') {
        settled.push({ entry, rect: place });
        rectOf.set(entry.packet, place);
      } else drawAt({ entry, rect: place });
    }
    if (piled.length > 0) {
      standing.push(stackOf(slot, packed.stack ?? slot.body, piled, layout, measure, view));
    }
    if (settled.length > 0) standing.push(streamOf(settled, view));
  }
  for (const { entry, rect } of leaving) {
    drawAt({ entry, rect: onTheWay(entry, rect, goals.get(entry)) });
  }
  return { standing, moving: [...moving, ...chosen], rectOf, endedAt, notes };
}

/** How full the queue of a slot is, where its limit is known; of several the fullest. */
export function levelOf(frame: Frame, run: Opened, slot: Slot): number | undefined {
  if (!slot.hasLid) return undefined;
  let level = 0;
  for (const queue of slot.queues) {
    const info = run.queues[queue];
    // What a queue without a known limit held when it refused a packet was its limit.
    const known = frame.queueLimit[queue] || (info?.limit ?? 0);
    const limit = known === 0 && slot.bin !== undefined ? (info?.maxDepth ?? 0) : known;
    if (limit > 0) level = Math.max(level, Math.min(1, (frame.queueDepth[queue] ?? 0) / limit));
  }
  return level;
}

function stackOf(
  slot: Slot,
  rect: Rect,
  piled: readonly Entry[],
  layout: Layout,
  measure: (text: string) => number,
  view: View,
): StackShape {
  const count = piled.length;
  const text = `${count}`;
  const marks = piled.map(({ packet }) => emphasis(packet, view));
  return {
    kind: 'stack',
    rect,
    thing: {
      kind: 'packets',
      place: slot.id,
      packets: [...new Set(piled.map(({ packet }) => packet))],
    },
    count,
    text: measure(text) <= rect.width - 6 * layout.scale ? text : '',
    size: layout.textSize,
    mark:
      marks.find((mark) => mark === 'chosen') ?? marks.find((mark) => mark !== 'none') ?? 'none',
  };
}

const SMALLEST_SEGMENT = 3;

function streamOf(settled: readonly Place[], view: View): Shape {
  const segments = settled.map(({ entry, rect }): Segment => ({
    packet: entry.packet,
    piece: entry.piece,
    x: rect.x,
    width: rect.width,
    mark: emphasis(entry.packet, view),
  }));
  const from = Math.min(...segments.map(({ x }) => x));
  const to = Math.max(...segments.map(({ x, width }) => x + width));
  const [{ rect }] = settled as readonly [Place];
  return {
    kind: 'stream',
    rect: { ...rect, x: from, width: to - from },
    thing: {
      kind: 'packets',
      place: `stream ${segments[0]?.packet ?? 0}`,
      packets: [...new Set(segments.map(({ packet }) => packet))],
    },
    count: segments.length,
    seams: segments
      .filter(({ width }) => width >= SMALLEST_SEGMENT)
      .flatMap(({ x }) => (x > from ? [x] : [])),
    segments,
  };
}
