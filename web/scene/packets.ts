/**
 * The packets in flight as shapes: capsules that stand or hop, stacks of those that do not
 * fit, the byte stream of a receive queue, datagrams that collect their fragments.
 *
 * Every packet of the frame is in exactly one of them, or hidden on a CPU that is not shown.
 */
import type { Frame } from '../core/frame.ts';
import { assemblies } from './assembly.ts';
import { capsuleOf, capsuleWidth } from './capsule.ts';
import { byAge, isMoving } from './entries.ts';
import type { Entries, Entry } from './entries.ts';
import type { Layout, Slot } from './layout.ts';
import { packSlot } from './packing.ts';
import { emphasis, onTheWay } from './place.ts';
import type { Place } from './place.ts';
import type { Rect, Segment, Shape, StackShape, View } from './shapes.ts';

export interface Placed {
  /** Standing ones first; those that move are above them, the chosen one above all. */
  readonly shapes: readonly Shape[];
  /** Where each packet is, also those in stacks and streams. */
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Where those that just ended in a queue stood: they give their room back while they fade. */
  readonly endedAt: ReadonlyMap<Entry, Rect>;
  /** What a slot's title adds about its content. */
  readonly notes: ReadonlyMap<Slot, string>;
}

export function placePackets(
  frame: Frame,
  layout: Layout,
  entries: Entries,
  measure: (text: string) => number,
  view: View,
): Placed {
  const { scale } = layout;
  const bySlot = new Map<Slot, Entry[]>();
  const fading = entries.ended.filter(({ slot }) => slot.kind !== 'work');
  for (const entry of [...entries.live, ...fading].sort(byAge)) {
    const residents = bySlot.get(entry.slot);
    if (residents === undefined) bySlot.set(entry.slot, [entry]);
    else residents.push(entry);
  }
  const standing: Shape[] = [];
  const moving: Shape[] = [];
  const chosen: Shape[] = [];
  const rectOf = new Map<number, Rect>();
  const endedAt = new Map<Entry, Rect>();
  const notes = new Map<Slot, string>();

  const drawAt = ({ entry, rect }: Place) => {
    const mark = emphasis(entry.packet, view);
    const layer = mark === 'chosen' ? chosen : isMoving(entry) ? moving : standing;
    layer.push(capsuleOf(entry, rect, scale, mark));
    rectOf.set(entry.packet, rect);
  };

  for (const [slot, residents] of bySlot) {
    if (slot.kind === 'assembly') {
      const held = assemblies(frame, slot, residents, scale, view);
      standing.push(...held.shapes);
      held.flying.forEach(drawAt);
      held.rectOf.forEach((rect, packet) => rectOf.set(packet, rect));
      held.endedAt.forEach((rect, entry) => endedAt.set(entry, rect));
      if (held.note !== undefined) notes.set(slot, held.note);
      continue;
    }
    const packed = packSlot(slot, residents, scale, view.selected);
    const settled: Place[] = [];
    const piled: Entry[] = [];
    for (const entry of residents) {
      const place = packed.places.get(entry);
      const rest = place ?? inPile(packed.stack ?? slot.body, entry, scale);
      if (entry.hasEnded) {
        endedAt.set(entry, rest);
        continue;
      }
      // Who joins a pile is in it as soon as it comes: the pile stands where one comes in.
      const isJoining = place === undefined && entry.hopped === 0 && entry.entrySlot === entry.slot;
      if (isMoving(entry) && !isJoining) {
        drawAt({ entry, rect: onTheWay(entry, rest, scale) });
      } else if (place === undefined) {
        piled.push(entry);
        rectOf.set(entry.packet, rest);
      } else if (slot.kind === 'stream') {
        settled.push({ entry, rect: place });
        rectOf.set(entry.packet, place);
      } else {
        drawAt({ entry, rect: place });
      }
    }
    if (piled.length > 0) {
      standing.push(stackOf(slot, packed.stack ?? slot.body, piled, layout, measure, view));
    }
    if (settled.length > 0) standing.push(streamOf(slot, settled, view));
  }
  return { shapes: [...standing, ...moving, ...chosen], rectOf, endedAt, notes };
}

function inPile(stack: Rect, entry: Entry, scale: number): Rect {
  const width = Math.min(stack.width, capsuleWidth(entry.bytes, scale));
  return { ...stack, x: stack.x + (stack.width - width) / 2, width };
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
  const texts = [`× ${count}`, `${count}`];
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
    text: texts.find((text) => measure(text) <= rect.width - 6 * layout.scale) ?? '',
    size: layout.textSize,
    mark:
      marks.find((mark) => mark === 'chosen') ?? marks.find((mark) => mark !== 'none') ?? 'none',
  };
}

const SMALLEST_SEGMENT = 3;

function streamOf(slot: Slot, settled: readonly Place[], view: View): Shape {
  const segments = settled.map(({ entry, rect }): Segment => ({
    packet: entry.packet,
    piece: entry.piece,
    x: rect.x,
    width: rect.width,
    mark: emphasis(entry.packet, view),
  }));
  const from = Math.min(...segments.map(({ x }) => x));
  const to = Math.max(...segments.map(({ x, width }) => x + width));
  return {
    kind: 'stream',
    rect: { ...slot.body, x: from, width: to - from },
    thing: {
      kind: 'packets',
      place: slot.id,
      packets: [...new Set(segments.map(({ packet }) => packet))],
    },
    count: segments.length,
    seams: segments
      .filter(({ width }) => width >= SMALLEST_SEGMENT)
      .flatMap(({ x }) => (x > from ? [x] : [])),
    segments,
  };
}
