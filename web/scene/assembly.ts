/**
 * Reassembly: the fragments of one datagram share one frame, each at its offset, with holes for missing
 * ones. An arriving fragment flies to its hole; when the last one is in, the frame closes.
 */
import type { Frame } from '../core/frame.ts';
import { NONE } from '../core/core.ts';
import { isMoving } from './entries.ts';
import type { Entry } from './entries.ts';
import type { Slot } from './layout.ts';
import { interior, line } from './packing.ts';
import { emphasis, pinnedOf } from './place.ts';
import type { Place } from './place.ts';
import type { Rect, Segment, Shape, View } from './shapes.ts';
import { formatBytes } from '../numbers/format.ts';
import { datagramsText, fragmentsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';

export interface Held {
  readonly shapes: readonly Shape[];
  /** Fragments that leave their holes, with their previous places. */
  readonly leaving: readonly Place[];
  /** The holes of the fragments that arrive. */
  readonly goals: ReadonlyMap<Entry, Rect>;
  readonly rectOf: ReadonlyMap<number, Rect>;
  /** Fragments of datagrams that have just been completed. */
  readonly endedAt: ReadonlyMap<Entry, Rect>;
  readonly note: string | undefined;
}

interface Datagram {
  readonly group: number;
  readonly members: readonly Entry[];
  /** Its size; as far as known while the last fragment is missing. */
  readonly extent: number;
  readonly isSizeKnown: boolean;
  /** Number of fragments that it consists of. */
  readonly pieces: number;
}

/** Gap between fragments, as a fraction of the slot's height. */
const GAP = 0.25;
/** Minimum width of a hole, as a fraction of the slot's height, so that its number is legible. */
const HOLE = 1.15;

export function assemblies(
  frame: Frame,
  slot: Slot,
  residents: readonly Entry[],
  guests: readonly Entry[],
  view: View,
): Held {
  const room = interior(slot);
  const coming = new Set(guests);
  const datagrams = datagramsOf(frame, [...residents, ...guests]);
  const presence = (entry: Entry) => (coming.has(entry) ? entry.hopped : 1 - entry.hopped);
  const lined = line(
    room,
    datagrams.map(({ pieces, members }) => ({
      width: Math.min(room.width, Math.max(2, pieces) * HOLE * room.height),
      presence: Math.max(...members.map(presence)),
      isPinned: members.some(({ packet }) => packet === pinnedOf(view)),
    })),
    GAP * room.height,
    0.4,
    undefined,
  );
  const shapes: Shape[] = [];
  const leaving: Place[] = [];
  const goals = new Map<Entry, Rect>();
  const rectOf = new Map<number, Rect>();
  const endedAt = new Map<Entry, Rect>();
  const piled: Entry[] = [];

  datagrams.forEach((datagram, at) => {
    const rect = lined.places[at];
    const pieces: Segment[] = [];
    const isWhole =
      datagram.isSizeKnown &&
      datagram.members.filter((entry) => !coming.has(entry)).length === datagram.pieces;
    for (const entry of datagram.members) {
      const hole = holeOf(frame, entry, datagram, rect ?? lined.stack ?? room);
      if (coming.has(entry)) goals.set(entry, hole);
      else if (entry.hasEnded) endedAt.set(entry, hole);
      // A completed datagram leaves as a whole: its frame closes around it.
      else if (isMoving(entry) && !isWhole) leaving.push({ entry, rect: hole });
      else if (rect === undefined) {
        piled.push(entry);
        rectOf.set(entry.packet, hole);
      } else {
        pieces.push({
          packet: entry.packet,
          piece: entry.piece,
          x: hole.x,
          width: hole.width,
          mark: emphasis(entry.packet, view),
          text: entry.pieceNumber > 0 ? pieceText(entry) : '',
        });
        rectOf.set(entry.packet, hole);
      }
    }
    // The frame is shown from the time at which the first fragment begins to arrive until the datagram is
    // complete.
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
      holes: datagram.pieces,
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
      size: Math.min(0.5 * room.height, 24),
      mark: 'none',
    });
  }
  const open = datagrams.filter(({ members }) =>
    members.some((member) => !member.hasEnded && !coming.has(member)),
  );
  return { shapes, leaving, goals, rectOf, endedAt, note: noteOf(frame, open, coming) };
}

/** The label of a hole, as on its fragment in flight. */
function pieceText({ pieceNumber, pieceCount }: Entry): string {
  return pieceCount > 1 ? `${pieceNumber}/${pieceCount}` : `${pieceNumber}`;
}

/** The place of a fragment in a datagram's capsule. */
function holeOf(frame: Frame, entry: Entry, { extent }: Datagram, rect: Rect): Rect {
  const from = frame.packets.groupFrom[entry.index] ?? 0;
  const to = frame.packets.groupTo[entry.index] ?? from + entry.bytes;
  if (to <= from || extent === 0) return rect;
  const x = rect.x + (rect.width * Math.min(from, extent)) / extent;
  return { ...rect, x, width: Math.max(2, (rect.width * (Math.min(to, extent) - from)) / extent) };
}

function datagramsOf(frame: Frame, residents: readonly Entry[]): readonly Datagram[] {
  const { group, groupTo, groupBytes } = frame.packets;
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
      pieces: Math.max(
        held.length,
        ...held.map(({ pieceCount, pieceNumber }) => Math.max(pieceCount, pieceNumber)),
      ),
    };
  });
}

function noteOf(
  { packets: { groupFrom, groupTo } }: Frame,
  datagrams: readonly Datagram[],
  coming: ReadonlySet<Entry>,
): string | undefined {
  const [only] = datagrams;
  if (only === undefined) return undefined;
  // A fragment counts once it has reached its hole.
  const here = (members: readonly Entry[]) => members.filter((member) => !coming.has(member));
  const count = (members: readonly Entry[]) => here(members).length;
  if (datagrams.length > 1) {
    const fragments = datagrams.reduce((sum, { members }) => sum + count(members), 0);
    return m.stage_fragments_of({
      fragments: fragmentsText(fragments),
      datagrams: datagramsText(datagrams.length),
    });
  }
  const present = here(only.members).reduce((sum, { index }) => {
    return sum + Math.max(0, (groupTo[index] ?? 0) - (groupFrom[index] ?? 0));
  }, 0);
  const told = {
    fragments: fragmentsText(count(only.members)),
    present: formatBytes(present),
  };
  return only.isSizeKnown
    ? m.stage_reassembly({ ...told, size: formatBytes(only.extent) })
    : m.stage_reassembly_open(told);
}
