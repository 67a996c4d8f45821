/**
 * The camera that follows a packet: which CPU and which lane are enlarged,
 * and what is dimmed. It moves only while the packet hops, and is a function
 * of the time of the run, so playing backwards gives the same pictures.
 */
import { greatest } from 'd3-array';
import type { Opened, PacketId } from '../core/core.ts';
import { NO_CPU, NO_WORD, NONE } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { busiest } from './columns.ts';
import type { Entries, Entry } from './entries.ts';
import { NO_FOCUS, columnOf } from './layout.ts';
import type { Focus, Layout } from './layout.ts';
import { hopShare } from './motion.ts';
import { hasMiddle } from './place.ts';
import { LANES } from './rows.ts';
import type { Rect, Shape, View } from './shapes.ts';
import type { Words } from './words.ts';

/** Where the camera is at a moment: with the packet, or between two of its stays. */
export function focusOf(frame: Frame, run: Opened, words: Words, view: View): Focus {
  const { followed } = view;
  if (followed === undefined) return NO_FOCUS;
  const { packets } = frame;
  const index = packets.packet.indexOf(followed);
  if (index === -1) return lastSeen(frame, words, view);
  const stay = {
    since: view.filmTo(packets.ready[index] ?? frame.time),
    until: view.filmTo(packets.until[index] ?? frame.time),
  };
  const hasEnded = (packets.verdict[index] ?? NO_WORD) !== NO_WORD;
  const nextStation = packets.nextStation[index] ?? NO_WORD;
  const goesOn = !hasEnded && nextStation !== NO_WORD;
  // Rounded: the layout is made anew only where the eye could see it.
  const share = goesOn ? Math.round(hopShare(stay, 0, view.travel) * 200) / 200 : 0;
  const here = { cpu: packets.placeCpu[index], station: packets.station[index] };
  const there = { cpu: packets.nextPlaceCpu[index], station: nextStation };
  const cpus = new Map<number, number>();
  const lanes = new Map<string, number>();
  for (const [{ cpu, station }, part] of [
    [here, 1 - share],
    [there, share],
  ] as const) {
    if (part === 0) continue;
    const known = cpu === undefined || cpu === NO_CPU ? busiest(run) : cpu;
    cpus.set(known, (cpus.get(known) ?? 0) + part);
    for (const [lane, share] of lanesOf(words, station)) {
      lanes.set(lane, (lanes.get(lane) ?? 0) + part * share);
    }
  }
  return { cpus, lanes };
}

/**
 * Where the camera is: at the followed packet. Without one it enlarges
 * nothing and shows the CPU that was asked for or, where there is room
 * for one CPU only, the CPU of the packet that the told film is about.
 */
export function cameraAt(
  frame: Frame,
  run: Opened,
  words: Words,
  view: View,
  free: { readonly cpu: number | undefined; readonly isNarrow: boolean },
): Focus {
  if (view.followed !== undefined) return focusOf(frame, run, words, view);
  const eye = focusOf(frame, run, words, { ...view, followed: view.actor });
  const itsCpu = free.isNarrow ? greatest(eye.cpus, ([, part]) => part)?.[0] : undefined;
  const cpu = free.cpu ?? itsCpu;
  return cpu === undefined ? NO_FOCUS : { cpus: new Map([[cpu, 0]]), lanes: new Map() };
}

/** Before its first and after its last stay the camera waits where that stay is. */
function lastSeen(frame: Frame, words: Words, { way }: View): Focus {
  const past = way?.findLast(({ enter }) => enter <= frame.time) ?? way?.[0];
  if (past === undefined) return NO_FOCUS;
  return {
    cpus: past.cpu === NO_CPU ? new Map() : new Map([[past.cpu, 1]]),
    lanes: new Map(lanesOf(words, past.station)),
  };
}

/**
 * How much of the extra room the lane of the processes gets while the packet
 * waits in a socket: the reader that it waits for should be seen, too.
 */
const FOR_WHOM = 0.5;

/**
 * How much of the extra room each lane gets: all for the lane of the
 * station, and for a socket a part for the lane of the processes.
 */
function lanesOf(words: Words, station: number | undefined): readonly [string, number][] {
  const name = words.glossary.stations[station ?? NO_WORD]?.name ?? '';
  const lane = LANES.find(({ rx, tx }) =>
    [...rx, ...tx].some(({ stations }) => stations.includes(name)),
  );
  if (lane === undefined) return [];
  return lane.row === 'socket'
    ? [
        [lane.id, 1],
        ['process', FOR_WHOM],
      ]
    : [[lane.id, 1]];
}

/** The same shapes, all fainter but the followed packet, its place, its CPU's head and its ribbon. */
export function dimmed(
  shapes: readonly Shape[],
  ribbon: readonly Shape[],
  entries: Entries,
  layout: Layout,
  followed: PacketId,
): readonly Shape[] {
  const entry = [...entries.live, ...entries.ended].find(({ packet }) => packet === followed);
  const spots: Rect[] = [];
  if (entry !== undefined) {
    for (const slot of [
      entry.slot,
      ...(entry.hopped > 0 && entry.nextSlot ? [entry.nextSlot] : []),
    ]) {
      const column = layout.columns[slot.column];
      if (column === undefined) continue;
      spots.push(column.head);
      for (const { spec, rect } of layout.lanes) {
        const isOwn = spec.id === slot.lane || (slot.row === 'socket' && spec.id === 'process');
        if (isOwn) spots.push({ ...rect, x: column.rect.x, width: column.rect.width });
      }
    }
    const worker = layout.columns[columnOf(layout, entry.cpu)];
    if (worker !== undefined) spots.push(worker.head);
  }
  const kept = new Set(ribbon);
  const family = familyOf(entry, entries, followed);
  return shapes.map((shape) => {
    const isIt = shape.kind === 'capsule' && family.has(shape.packet);
    const isKept = isIt || kept.has(shape) || spots.some((spot) => hasMiddle(spot, shape.rect));
    return isKept ? shape : { ...shape, isDim: true };
  });
}

/** The followed packet, the pieces of the same whole, what it was cut from, what joins it. */
function familyOf(
  entry: Entry | undefined,
  { live, ended }: Entries,
  followed: PacketId,
): ReadonlySet<PacketId> {
  const whole = entry === undefined || entry.pieceOf === NONE ? followed : entry.pieceOf;
  const kin = [...live, ...ended].filter(({ pieceOf }) => pieceOf === whole);
  const joining = entry?.joining ?? [];
  return new Set([followed, whole, ...[...kin, ...joining].map(({ packet }) => packet)]);
}
