/**
 * The packets in flight as shapes: capsules that stand or hop, piles of those that do not fit, the byte
 * stream of a receive queue, and datagrams in reassembly.
 *
 * Every packet of the frame is in exactly one of them, or hidden on a CPU that is not shown.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { assemblies } from './assembly.ts';
import { capsuleOf, partOf, wholeAround } from './capsule.ts';
import { byAge, isMoving } from './entries.ts';
import type { Entries, Entry } from './entries.ts';
import type { Layout, Slot } from './layout.ts';
import { packSlot } from './packing.ts';
import { clamp01, ease } from './motion.ts';
import { spaced } from './spacing.ts';
import { blend, emphasis, hasMiddle, onTheWay, pinnedOf, trailOf } from './place.ts';
import type { Place } from './place.ts';
import type { Rect, Segment, Shape, StackShape, View } from './shapes.ts';
import { formatCount } from '../numbers/format.ts';
import { fragmentsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';

export interface Placed {
  /** Packets between places; they pass behind standing ones, which stay legible. */
  readonly passing: readonly Shape[];
  /** Packets at their places, beneath the labels. */
  readonly standing: readonly Shape[];
  /** The followed or selected packet, wherever it is. */
  readonly chosen: readonly Shape[];
  /** The rectangle of each packet, including those in piles and streams. */
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Places of packets that just ended in a queue: they are freed while the packets fade. */
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
  const pinned = pinnedOf(view);
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
  const behind: Shape[] = [];
  const trails: Shape[] = [];
  const rectOf = new Map<number, Rect>();
  const endedAt = new Map<Entry, Rect>();
  const notes = new Map<Slot, string>();
  const goals = new Map<Entry, Rect>();
  const leaving: Place[] = [];
  const taking: Place[] = [];
  const onRails: Place[] = [];

  const drawAt = ({ entry, rect }: Place) => {
    const mark = emphasis(entry.packet, view);
    // A fragment passes behind those that wait, so that it is seen in its own hole.
    const isBehind = isMoving(entry) && entry.nextSlot?.kind === 'assembly' && !entry.hasEnded;
    const moves = isMoving(entry) ? moving : standing;
    const layer = isBehind ? behind : mark === 'chosen' ? chosen : moves;
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
      } else {
        if (slot.kind === 'work') onRails.push({ entry, rect: place });
        if (entry.joining.length > 0) taking.push({ entry, rect: place });
        else drawAt({ entry, rect: place });
      }
    }
    if (piled.length > 0) {
      standing.push(stackOf(slot, packed.stack ?? slot.body, piled, layout, measure, view));
    }
    if (settled.length > 0) standing.push(streamOf(settled, view));
  }
  for (const { entry, rect } of taking) {
    const place = closing(entry, rect, endedAt);
    drawAt({ entry, rect: place });
    const slot = entry.joining[0]?.slot;
    // A completed datagram is still where its fragments waited.
    if (slot?.kind === 'assembly' && !notes.has(slot) && hasMiddle(slot.body, place)) {
      notes.set(slot, m.stage_reassembly_whole({ fragments: fragmentsText(entry.parts) }));
    }
  }
  const onWays = leaving.map(({ entry, rect }) => ({
    entry,
    rect: onStage(onTheWay(entry, closing(entry, rect, endedAt), goals.get(entry)), layout.width),
  }));
  for (const [at, { entry, rect: way }] of spaced(onWays, onRails).entries()) {
    const rect = leaving[at]?.rect ?? way;
    drawAt({ entry, rect: way });
    const trail = trailOf(entry, rect, way);
    if (trail !== undefined) trails.push(trail);
  }
  return {
    passing: [...behind, ...trails, ...moving],
    standing,
    chosen,
    rectOf,
    endedAt,
    notes,
  };
}

/** Keeps a growing packet on the outermost rail within the stage. */
function onStage(rect: Rect, width: number): Rect {
  return { ...rect, x: Math.max(0, Math.min(rect.x, width - rect.width)) };
}

/** Fraction of its ending for which an assembly stays in place; then the datagram moves to its own. */
const CLOSING = 0.45;

/** A datagram that was just completed: first in the frame of its fragments, then at its own place. */
function closing(entry: Entry, rest: Rect, endedAt: ReadonlyMap<Entry, Rect>): Rect {
  const [first] = entry.joining;
  const hole = first === undefined ? undefined : endedAt.get(first);
  if (first === undefined || hole === undefined || first.slot.kind !== 'assembly') return rest;
  const whole = wholeAround(entry, hole, partOf(entry, 0));
  // Within the span of its own place and that of its fragments.
  const bodies = [entry.slot.body, first.slot.body];
  const x = Math.max(whole.x, Math.min(...bodies.map((body) => body.x)));
  const end = Math.max(...bodies.map((body) => body.x + body.width));
  const frame = { ...whole, x, width: Math.max(1, Math.min(whole.x + whole.width, end) - x) };
  return blend(frame, rest, ease(clamp01((first.ending - CLOSING) / (1 - CLOSING))));
}

/** Fill level of a slot's queue if its limit is known; of several queues, the highest. */
export function levelOf(frame: Frame, run: Opened, slot: Slot): number | undefined {
  if (!slot.hasLid) return undefined;
  let level = 0;
  for (const queue of slot.queues) {
    const info = run.queues[queue];
    // For a queue with drops but no known limit, its maximum depth counts as the limit.
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
  const { text, size } = countOn(rect.width - 6 * layout.scale, count, layout.textSize, measure);
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
    text,
    size,
    mark:
      marks.find((mark) => mark === 'chosen') ?? marks.find((mark) => mark !== 'none') ?? 'none',
  };
}

/** A pile's count is written no smaller than this, in CSS pixels. */
const SMALLEST_COUNT = 12;

/** How many are in a pile, as it fits; `×` tells it from the number of a packet. */
function countOn(
  room: number,
  count: number,
  size: number,
  measure: (text: string) => number,
): { readonly text: string; readonly size: number } {
  const texts = [`× ${formatCount(count)}`, `×${formatCount(count)}`];
  const smaller = Math.min(size, SMALLEST_COUNT);
  for (const own of [size, smaller]) {
    const text = texts.find((one) => (measure(one) * own) / size <= room);
    if (text !== undefined) return { text, size: own };
  }
  return { text: '', size };
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
