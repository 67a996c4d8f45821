/**
 * The tasks at the top of each CPU's column: the running one, and those displaced by it. An interrupted or
 * preempted task leans beside what displaced it, and the packets that wait for it are connected to it.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_CPU, NONE } from '../core/core.ts';
import type { Entry } from './entries.ts';
import { taskName } from './heads.ts';
import type { Column, Layout } from './layout.ts';
import { preemptedOn } from './machine/status.ts';
import { between, ease } from './motion.ts';
import { packetsAwaited } from './readers.ts';
import type { CardShape } from './place-shapes.ts';
import type { Measure, Rect, Shape, Thing, View } from './shapes.ts';
import { contextDetail, contextLook } from './words.ts';
import type { Words } from './words.ts';
import { firstFitting, fitted } from './text.ts';

/** Duration of a displacement in seconds of film. */
const PUSH_SECONDS = 0.6;
/** Number of preempted tasks shown, the most recent. */
const DISPLACED = 1;
/** Angle of a displaced card, in radians. */
const LEAN = 0.06;

/** The running task of a CPU, and the displaced ones. */
export interface Seat {
  readonly occupant: string | undefined;
  /** Displaced tasks: first one that is only interrupted, then the preempted ones. */
  readonly displaced: readonly Displaced[];
  /** Time of the last displacement, on the run's clock. */
  readonly since: number;
}

export interface Displaced {
  readonly pid: number;
  readonly name: string;
  /** It waits in the run queue; an interrupted task continues at once. */
  readonly isPreempted: boolean;
}

/** @param awaited tasks for which packets wait: they come first among the preempted ones */
export function seatOf(
  frame: Frame,
  run: Opened,
  words: Words,
  at: number,
  awaited: ReadonlyMap<number, unknown>,
): Seat {
  const look = contextLook(words, frame.cpus.context[at] ?? -1);
  const pid = frame.cpus.pid[at] ?? NONE;
  const task = taskName(run, pid);
  const since = frame.cpus.since[at] ?? frame.time;
  const lost = preemptedOn(frame, at, run.cpus[at] ?? NO_CPU);
  const preempted = [
    ...lost.filter((one) => awaited.has(one.pid)),
    ...lost.filter((one) => !awaited.has(one.pid)),
  ].slice(0, DISPLACED);
  const others = preempted.flatMap(({ pid: other }): readonly Displaced[] => {
    const name = taskName(run, other);
    return name === undefined ? [] : [{ pid: other, name, isPreempted: true }];
  });
  if (look.word === 'softirq' || look.word === 'hardirq') {
    const detail = contextDetail(look, frame.cpus.detail[at] ?? NONE);
    const occupant = detail === undefined ? look.label() : `${look.label()} ${detail}`;
    const own = task === undefined ? [] : [{ pid, name: task, isPreempted: false }];
    return { occupant, displaced: [...own, ...others], since };
  }
  return { occupant: task, displaced: others, since: preempted[0]?.since ?? since };
}

export function processShapes(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  live: readonly Entry[],
  measure: Measure,
  view: View,
): readonly Shape[] {
  const lane = layout.lanes.find(({ spec }) => spec.id === 'process');
  if (lane === undefined) return [];
  const awaited = packetsAwaited(frame, run);
  return layout.columns.flatMap((column, index): readonly Shape[] => {
    if (column.at === -1) return [];
    const look = contextLook(words, frame.cpus.context[column.at] ?? -1);
    const seat = seatOf(frame, run, words, column.at, awaited);
    const room = roomOf(column, lane.rect, layout);
    if (seat.occupant === undefined && seat.displaced.length === 0) {
      return look.word === 'idle' ? [asleep(column, room, layout)] : [];
    }
    const share = view.travel === 0 ? 1 : ease(-view.filmTo(seat.since) / PUSH_SECONDS);
    const isTask = look.word === 'user' || look.word === 'kernel' || look.word === 'spinning';
    const card = (
      text: string | undefined,
      rect: Rect,
      isDisplaced: boolean,
      turn: number,
    ): readonly CardShape[] => {
      if (text === undefined || rect.width < layout.textSize) return [];
      const size = layout.textSize;
      // A displaced card has a pause sign before its name, and equal room after it.
      const inside = rect.width - (isDisplaced ? 2.8 : 0.8) * size;
      const shown =
        firstFitting([text, text.replace(/ \(\d+\)$/, '')], inside, measure, size, true) ||
        fitted(text, inside, measure, size, true);
      const isOwn = !isDisplaced && (isTask || look.word === 'softirq' || look.word === 'hardirq');
      const thing: Thing = { kind: 'cpu', cpu: column.cpu };
      return [
        {
          kind: 'card',
          rect,
          text: shown,
          size,
          fill: isOwn ? look.fill : 'panel',
          line: isOwn ? look.fill : 'line-strong',
          colour: isOwn ? look.colour : 'ink',
          isDisplaced,
          turn,
          thing,
        },
      ];
    };
    if (seat.displaced.length === 0) return card(seat.occupant, room, false, 0);
    const gap = 0.35 * layout.textSize;
    const kept = room.width * 0.54;
    const pushed: Rect = {
      x: between(room.x, room.x + kept + gap, share),
      y: room.y + between(0, 0.12 * room.height, share),
      width: between(room.width, room.width - kept - gap, share),
      height: room.height * between(1, 0.8, share),
    };
    const intruder: Rect = { ...room, x: between(room.x - kept, room.x, share), width: kept };
    const shownIntruder: Rect = {
      ...intruder,
      x: Math.max(room.x, intruder.x),
      width: intruder.x + intruder.width - Math.max(room.x, intruder.x),
    };
    const each = (pushed.width - gap * (seat.displaced.length - 1)) / seat.displaced.length;
    const cards = seat.displaced.map((who, at) => ({
      ...who,
      rect: { ...pushed, x: pushed.x + at * (each + gap), width: each },
    }));
    // Packets in a socket wait for the task that reads it.
    const ties = cards.flatMap(({ pid, isPreempted, rect }) => {
      const rows = new Set(isPreempted ? awaited.get(pid) : []);
      const waiting = live.filter((entry) => rows.has(entry.index));
      return tethersOf(index, rect, waiting, layout);
    });
    return [
      ...ties,
      ...cards.flatMap(({ name, rect }) => card(name, rect, true, LEAN * share)),
      ...card(seat.occupant, shownIntruder, false, 0),
    ];
  });
}

/** An idle CPU: an empty card with a sign for sleep. */
function asleep({ cpu }: Column, room: Rect, { textSize }: Layout): CardShape {
  return {
    ...{ kind: 'card', rect: room, text: room.width > 4 * textSize ? 'z z z' : '', size: textSize },
    ...{ fill: 'idle', line: 'idle', colour: 'on-idle', isDisplaced: false, turn: 0 },
    thing: { kind: 'cpu', cpu },
  };
}

/** Between the rails, over the lane's whole height: packets being copied stand on the rail beside it. */
function roomOf(column: Column, { y, height }: Rect, layout: Layout): Rect {
  const gap = 0.4 * layout.textSize;
  const left =
    column.rxRail === undefined ? column.innerX : column.rxRail.x + column.rxRail.width + gap;
  const right =
    column.txRail === undefined ? column.innerX + column.innerWidth : column.txRail.x - gap;
  const top = 0.12 * layout.lineHeight;
  return { x: left, y: y + top, width: right - left, height: height - 2.5 * top };
}

/** Curves from a displaced task to the packets that wait for it in this CPU's sockets. */
function tethersOf(
  column: number,
  card: Rect,
  waiting: readonly Entry[],
  layout: Layout,
): readonly Shape[] {
  const slots = new Set(
    waiting
      .filter(({ slot, hopped }) => slot.row === 'socket' && slot.column === column && hopped === 0)
      .map(({ slot }) => slot)
      .filter(({ direction }) => direction === 'rx'),
  );
  const from = [card.x + card.width * 0.8, card.y + card.height] as const;
  return [...slots].map((slot): Shape => {
    const inset = Math.min(layout.textSize * 2, slot.body.width / 3);
    // At the end of the socket away from its name.
    const to = [slot.body.x + slot.body.width - inset, slot.body.y + 2] as const;
    return {
      kind: 'tether',
      from,
      to,
      colour: 'ink-muted',
      rect: {
        x: Math.min(from[0], to[0]),
        y: from[1],
        width: Math.max(1, Math.abs(to[0] - from[0])),
        height: Math.max(1, to[1] - from[1]),
      },
    };
  });
}
