/**
 * Reassembly: the fragments of one datagram stand in one capsule, each at its place, with
 * holes where something is missing. A fragment that has just come flies to its hole.
 */
import type { Frame } from '../core/frame.ts';
import { NONE } from '../core/core.ts';
import { capsuleWidth } from './capsule.ts';
import { isMoving } from './entries.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { line } from './packing.ts';
import { emphasis, onTheWay } from './place.ts';
import type { Place } from './place.ts';
import type { Rect, Segment, Shape, View } from './shapes.ts';
import { bytesText, counted } from './text.ts';

export interface Held {
  readonly shapes: readonly Shape[];
  /** Fragments on their way into a hole or out. */
  readonly flying: readonly Place[];
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Fragments of datagrams that have just closed. */
  readonly endedAt: ReadonlyMap<Entry, Rect>;
  readonly note: string | undefined;
}

interface Datagram {
  readonly group: number;
  readonly members: readonly Entry[];
  /** Its size; as much as is known of it while the last fragment is missing. */
  readonly extent: number;
  readonly isSizeKnown: boolean;
  readonly present: number;
}

const GAP = 8;
/** Datagrams are drawn wider than packets: their holes must be seen. */
const WIDER = 1.5;

export function assemblies(
  frame: Frame,
  slot: Slot,
  residents: readonly Entry[],
  scale: number,
  view: View,
): Held {
  const datagrams = datagramsOf(frame, residents);
  const lined = line(
    slot.body,
    datagrams.map(({ extent, members }) => ({
      width: Math.min(slot.body.width, capsuleWidth(extent, scale) * WIDER),
      presence: 1 - Math.min(...members.map(({ hopped }) => hopped)),
      isPinned: members.some(({ packet }) => packet === view.selected),
    })),
    GAP * scale,
    0.5,
    scale,
  );
  const shapes: Shape[] = [];
  const flying: Place[] = [];
  const rectOf = new Map<number, Rect>();
  const endedAt = new Map<Entry, Rect>();
  const piled: Entry[] = [];

  datagrams.forEach((datagram, at) => {
    const rect = lined.places[at];
    const pieces: Segment[] = [];
    for (const entry of datagram.members) {
      if (entry.hasEnded) {
        const last = rect ?? lined.stack ?? slot.body;
        endedAt.set(entry, holeOf(frame, entry, datagram, last));
        continue;
      }
      if (rect === undefined) {
        piled.push(entry);
        rectOf.set(entry.packet, lined.stack ?? slot.body);
        continue;
      }
      const hole = holeOf(frame, entry, datagram, rect);
      if (isMoving(entry)) {
        flying.push({ entry, rect: onTheWay(entry, hole, scale) });
      } else {
        const mark = emphasis(entry.packet, view);
        pieces.push({
          packet: entry.packet,
          piece: entry.piece,
          x: hole.x,
          width: hole.width,
          mark,
        });
        rectOf.set(entry.packet, hole);
      }
    }
    if (rect === undefined || datagram.members.every(({ hasEnded }) => hasEnded)) return;
    shapes.push({
      kind: 'assembly',
      rect,
      thing: {
        kind: 'packets',
        place: `datagram ${datagram.group}`,
        packets: datagram.members.map(({ packet }) => packet),
      },
      group: datagram.group,
      pieces,
      isSizeKnown: datagram.isSizeKnown,
    });
  });
  if (piled.length > 0 && lined.stack !== undefined) {
    shapes.push({
      kind: 'stack',
      rect: lined.stack,
      thing: { kind: 'packets', place: slot.id, packets: piled.map(({ packet }) => packet) },
      count: piled.length,
      text: `× ${piled.length}`,
      size: 12 * scale,
      mark: 'none',
    });
  }
  const open = datagrams.filter(({ members }) => members.some(({ hasEnded }) => !hasEnded));
  return { shapes, flying, rectOf, endedAt, note: noteOf(open) };
}

/** Where in a datagram's capsule a fragment belongs. */
function holeOf(frame: Frame, entry: Entry, { extent }: Datagram, rect: Rect): Rect {
  const from = frame.packets.groupFrom[entry.index] ?? 0;
  const to = frame.packets.groupTo[entry.index] ?? from + entry.bytes;
  if (to <= from || extent === 0) return rect;
  const x = rect.x + (rect.width * Math.min(from, extent)) / extent;
  return { ...rect, x, width: Math.max(2, (rect.width * (Math.min(to, extent) - from)) / extent) };
}

function datagramsOf(frame: Frame, residents: readonly Entry[]): readonly Datagram[] {
  const { group, groupFrom, groupTo, groupBytes } = frame.packets;
  const members = new Map<string, Entry[]>();
  for (const entry of residents) {
    const id = group[entry.index] ?? NONE;
    const key = id === NONE ? `packet ${entry.packet}` : `group ${id}`;
    const held = members.get(key);
    if (held === undefined) members.set(key, [entry]);
    else held.push(entry);
  }
  return [...members.values()].map((held): Datagram => {
    const first = held[0]?.index ?? 0;
    const known = Math.max(...held.map(({ index }) => groupBytes[index] ?? 0));
    const seen = Math.max(...held.map(({ index, bytes }) => groupTo[index] || bytes));
    return {
      group: group[first] ?? NONE,
      members: held,
      extent: Math.max(known, seen, 1),
      isSizeKnown: known > 0,
      present: held.reduce(
        (sum, { index }) => sum + Math.max(0, (groupTo[index] ?? 0) - (groupFrom[index] ?? 0)),
        0,
      ),
    };
  });
}

function noteOf(datagrams: readonly Datagram[]): string | undefined {
  const [only] = datagrams;
  if (only === undefined) return undefined;
  if (datagrams.length > 1) {
    const fragments = datagrams.reduce((sum, { members }) => sum + members.length, 0);
    return `${counted(fragments, 'fragment')} of ${datagrams.length} datagrams`;
  }
  const of = only.isSizeKnown ? ` of ${bytesText(only.extent)}` : ', end not seen';
  return `${counted(only.members.length, 'fragment')}, ${bytesText(only.present)}${of}`;
}
