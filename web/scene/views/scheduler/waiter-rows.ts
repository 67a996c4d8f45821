/**
 * A waiting task as a card: its position, its name, the remaining slice or the time at which it is due, the
 * cause of its wait, and the packets that wait for it.
 */
import type { Frame } from '../../../core/frame.ts';
import { PREEMPTED } from '../../machine/status.ts';
import { pinnedOf } from '../../place.ts';
import type { Rect, Shape, Thing, View } from '../../shapes.ts';
import type { Ground } from '../ground.ts';
import { card, line, LINE, packetBox, pill, widthOf } from '../parts.ts';
import { SLICE, standingTexts, waitText, whyText, type Waiter } from './waiters.ts';
import { formatCount } from '../../../numbers/format.ts';
import { firstFitting } from '../../text.ts';

/** Column width, in text sizes, from which a card needs one line less. */
const WIDE = 26;
/** Padding above and below the lines of a card, in text sizes. */
const PAD = 0.45;

/** The height of a card in a column of this width; a recording needs fewer lines than a model. */
export function rowHeight({ em, run }: Ground, width: number): number {
  const lines = (width >= WIDE * em ? 1 : 2) + (run.machine.hasTasks ? 1 : 0);
  return em * (lines * LINE + PAD);
}

export function waiterShapes(
  ground: Ground,
  frame: Frame,
  waiter: Waiter,
  thing: Thing,
  rect: Rect,
  view: View,
): readonly Shape[] {
  const { em } = ground;
  const pad = em * 0.5;
  const isWide = rect.width >= (WIDE - 2) * em;
  const tag = pill(
    ground,
    `${waiter.place}`,
    { x: rect.x + pad, y: rect.y + em * 0.07, width: em * 3 },
    { fill: 'idle', colour: 'on-idle', thing },
  );
  const named = rect.x + pad + (tag[0]?.rect.width ?? 0) + em * 0.5;
  const room: Card = {
    ...{ ground, waiter, thing, isWide },
    left: isWide ? named : rect.x + pad,
    end: rect.x + rect.width - pad,
    // The pill is higher than a line of text, and no lower than the first.
    rowAt: (row) => rect.y + em * (row === 0 ? 0.16 : row * LINE + PAD / 2),
  };
  const name = line(ground, {
    ...{ text: waiter.name, x: named, width: room.end - named, y: room.rowAt(0) },
    ...{ isBold: true, thing },
  });
  const waits = waitText(frame, waiter);
  const told = ground.run.machine.hasTasks
    ? claimShapes(room, rightOf(name, named) + em, waits)
    : reasonShapes(room, rightOf(name, named) + em, waits);
  return [
    card(ground, rect, {
      ...{ line: waiter.packets.length > 0 ? 'ink' : 'line-strong', thing },
      lineWidth: waiter.why === PREEMPTED || waiter.packets.length > 0 ? 2 : 1,
    }),
    ...[...tag, ...name, ...told.shapes],
    ...awaitedShapes(ground, frame, waiter.packets, view, {
      ...{ x: told.x + em / 2, width: room.end - told.x - em / 2, y: told.y, align: 'right' },
    }),
  ];
}

/** A card that is being filled. */
interface Card {
  readonly ground: Ground;
  readonly waiter: Waiter;
  readonly thing: Thing;
  readonly isWide: boolean;
  /** Left and right edges of the lines below the name. */
  readonly left: number;
  readonly end: number;
  readonly rowAt: (row: number) => number;
}

/** The shapes of a card's texts, and the room beside them for packets. */
interface Told {
  readonly shapes: readonly Shape[];
  readonly x: number;
  readonly y: number;
}

function said({ ground, thing, rowAt }: Card, text: string, x: number, end: number, row: number) {
  const place = { x, width: Math.max(0, end - x), y: rowAt(row) };
  return line(ground, { ...place, text, thing, colour: 'ink-soft' });
}

/** For a model: the remaining slice or the time at which it is due, and the cause of its wait. */
function claimShapes(card: Card, after: number, waits: string): Told {
  const { ground, waiter, isWide, left, end, rowAt } = card;
  const { em, measure } = ground;
  const why = whyText(ground, waiter);
  const beside = isWide ? widthOf(ground, why) + em : leastRoom(ground, waiter.packets);
  const standing = standingShapes(card, end - left - beside);
  const next = standing.length === 0 ? left : rightOf(standing, left) + em;
  if (isWide) {
    const waited = said(card, waits, after, end, 0);
    const shapes = [...waited, ...standing, ...said(card, why, next, end, 1)];
    return { shapes, x: rightOf(waited, after), y: rowAt(0) };
  }
  const reason = firstFitting([`${why} · ${waits}`, why], end - left, measure, em) || why;
  const shapes = [...standing, ...said(card, reason, left, end, 2)];
  return { shapes, x: rightOf(standing, left), y: rowAt(1) };
}

/** For a recording: the cause of its wait, and its duration so far. */
function reasonShapes(card: Card, after: number, waits: string): Told {
  const { ground, waiter, isWide, left, end, rowAt } = card;
  const why = whyText(ground, waiter);
  const [x, row] = isWide ? [after, 0] : [left, 1];
  const free = end - leastRoom(ground, waiter.packets);
  const texts = [`${why} · ${waits}`, why];
  const text = firstFitting(texts, free - x, ground.measure, ground.em) || why;
  const shapes = said(card, text, x, free, row);
  return { shapes, x: rightOf(shapes, x), y: rowAt(row) };
}

function rightOf(shapes: readonly Shape[], otherwise: number): number {
  return Math.max(otherwise, ...shapes.map(({ rect }) => rect.x + rect.width));
}

/** A gauge of the slice, if it has one, and the same as text. */
function standingShapes(
  { ground, waiter, thing, left: x, rowAt }: Card,
  most: number,
): readonly Shape[] {
  const { em, run, measure } = ground;
  const place = { x, y: rowAt(1), width: most };
  const texts = standingTexts(waiter);
  const { longestSlice } = run.machine;
  const hasGauge = waiter.standing === SLICE && longestSlice > 0;
  // If both do not fit, the text takes precedence.
  const beside = hasGauge ? firstFitting(texts, place.width - 3 * em, measure, em) : '';
  const text = beside || firstFitting(texts, place.width, measure, em) || texts.at(-1);
  if (text === undefined) return [];
  const gauge = beside === '' ? 0 : 2.5 * em;
  const before = beside === '' ? 0 : 3 * em;
  const width = place.width - before;
  return [
    ...(gauge === 0
      ? []
      : [
          {
            kind: 'gauge',
            rect: { x: place.x, y: place.y + em * 0.4, width: gauge, height: em * 0.6 },
            share: Math.min(1, waiter.amount / longestSlice),
            thing,
          } as const,
        ]),
    ...line(ground, {
      ...{ text, x: place.x + before, y: place.y, width, thing },
      colour: 'ink-soft',
    }),
  ];
}

/** Distance from one packet to the next, in text sizes. */
const PITCH = 2.2;

/** The width of one packet and the count of the others, with the space before it. */
export function leastRoom(ground: Ground, rows: readonly number[]): number {
  const { em } = ground;
  if (rows.length === 0) return 0;
  const more = rows.length === 1 ? 0 : widthOf(ground, moreText(rows.length)) + em * 0.3;
  return em * (PITCH + 0.5) + more;
}

function moreText(count: number): string {
  return `+${formatCount(count)}`;
}

/** Packets side by side, aligned to the left or right of a room, and the count of the rest. */
export function awaitedShapes(
  ground: Ground,
  frame: Frame,
  rows: readonly number[],
  view: View,
  room: Pick<Rect, 'x' | 'y' | 'width'> & { readonly align: 'left' | 'right' },
): readonly Shape[] {
  const { em } = ground;
  const { packets } = frame;
  const pitch = em * PITCH;
  const size = { width: pitch - em * 0.3, height: em * 1.1 };
  const fitting = (width: number) => Math.max(0, Math.floor((width + em * 0.3) / pitch));
  const allFit = rows.length <= fitting(room.width);
  const moreWidth = allFit ? 0 : widthOf(ground, moreText(rows.length)) + em * 0.3;
  if (moreWidth > room.width) return [];
  const chosen = pinnedOf(view);
  // The followed packet is always among those shown.
  const first = rows.filter((row) => packets.packet[row] === chosen);
  const ordered = [...first, ...rows.filter((row) => !first.includes(row))];
  const shown = ordered.slice(0, fitting(room.width - moreWidth)).sort((a, b) => a - b);
  const width = shown.length * pitch - em * 0.3 + moreWidth;
  const x = room.align === 'left' ? room.x : room.x + room.width - width;
  const rest = rows.length - shown.length;
  return [
    ...shown.map((row, at): Shape => {
      const rect = { x: x + at * pitch, y: room.y + em * 0.12, ...size };
      const isChosen = packets.packet[row] === chosen;
      return packetBox(rect, packets, row, { isServed: false, isChosen });
    }),
    ...(rest === 0
      ? []
      : line(ground, {
          ...{ text: moreText(rest), x: x + shown.length * pitch, y: room.y },
          ...{ width: room.x + room.width - x - shown.length * pitch, colour: 'ink-muted' },
        })),
  ];
}
