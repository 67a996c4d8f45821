/**
 * The few parts that all views consist of: a line of text, a card, a pill. Texts that do not fit are cut
 * with an ellipsis, so that nothing exceeds its card.
 */
import { NONE, type PacketId } from '../../core/core.ts';
import type { PacketColumns } from '../../core/frame.ts';
import { nameAt } from '../name.ts';
import type {
  CapsuleShape,
  Colour,
  LabelShape,
  PanelShape,
  PillShape,
  Rect,
  Shape,
  Thing,
} from '../shapes.ts';
import type { Ground } from './ground.ts';
import { fitted, wrapped } from '../text.ts';

export interface LineGiven {
  readonly text: string;
  readonly x: number;
  /** Upper edge of the line. */
  readonly y: number;
  /** Maximum width of the text. */
  readonly width: number;
  /** Text size relative to the ground's; 1 by default. */
  readonly size?: number;
  readonly isBold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  readonly colour?: Colour;
  readonly thing?: Thing | undefined;
}

/** Height of a line of text, in text sizes. */
export const LINE = 1.35;

/** One line of text; empty if not even two letters fit. */
export function line(ground: Ground, given: LineGiven): readonly LabelShape[] {
  const size = ground.em * (given.size ?? 1);
  const isBold = given.isBold === true;
  const text = fitted(given.text, given.width, ground.measure, size, isBold);
  if (text === '') return [];
  const width = Math.min(given.width, ground.measure(text, size, isBold, false));
  const align = given.align ?? 'left';
  const free = given.width - width;
  const x = given.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
  return [
    {
      kind: 'label',
      text,
      size,
      colour: given.colour ?? 'ink',
      align,
      isBold,
      isMono: false,
      isPlate: false,
      rect: { x, y: given.y, width, height: size * LINE },
      thing: given.thing,
    },
  ];
}

/** The width of a text in a view. */
export function widthOf(ground: Ground, text: string, isBold = false, size = 1): number {
  return ground.measure(text, ground.em * size, isBold, false);
}

export function card(
  ground: Ground,
  rect: Rect,
  more: Partial<Pick<PanelShape, 'fill' | 'line' | 'lineWidth' | 'isDashed' | 'thing'>> = {},
): PanelShape {
  return {
    kind: 'panel',
    rect,
    fill: 'panel',
    line: 'line',
    radius: ground.em * 0.45,
    isDashed: false,
    ...more,
  };
}

/** A word on its colour; as wide as the word, within the room. */
export function pill(
  ground: Ground,
  text: string,
  place: { readonly x: number; readonly y: number; readonly width: number },
  look: { readonly fill: Colour; readonly colour: Colour; readonly thing?: Thing | undefined },
): readonly PillShape[] {
  const size = ground.em * PILL_TEXT;
  const pad = ground.em * PILL_PAD;
  const shown = fitted(text, place.width - 2 * pad, ground.measure, size, true);
  if (shown === '') return [];
  const width = pillWidth(ground, shown);
  return [
    {
      kind: 'pill',
      text: shown,
      size,
      fill: look.fill,
      colour: look.colour,
      rect: { x: place.x, y: place.y, width, height: ground.em * 1.5 },
      thing: look.thing,
    },
  ];
}

/** Sizes of a pill, in text sizes. */
const PILL_TEXT = 0.95;
const PILL_PAD = 0.6;

/** The width of a pill that has all of its text. */
export function pillWidth(ground: Ground, text: string): number {
  return widthOf(ground, text, true, PILL_TEXT) + 2 * PILL_PAD * ground.em;
}

/** A packet, by its row in the columns, as a small box with its name if that fits. */
export function packetBox(
  rect: Rect,
  packets: PacketColumns,
  index: number,
  more: { readonly isServed: boolean; readonly isChosen: boolean },
): CapsuleShape {
  const packet = packets.packet[index] ?? 0;
  const piece = packets.piece[index] ?? 0;
  const count = packets.pieceCount[index] ?? 0;
  const part = count > 1 ? [`${packets.pieceNumber[index] ?? 0}/${count}`] : [];
  return {
    ...namedBox(rect, packet, [nameAt(packets, index), ...part], more),
    thing: { kind: 'packet', packet, piece },
    piece,
    kin: count > 1 ? (packets.pieceOf[index] ?? NONE) : NONE,
  };
}

/** A packet given by its names, as it may no longer be in the frame. */
export function namedBox(
  rect: Rect,
  packet: PacketId,
  names: readonly string[],
  more: { readonly isServed: boolean; readonly isChosen: boolean },
): CapsuleShape {
  return {
    kind: 'capsule',
    rect,
    thing: { kind: 'packet', packet, piece: 0 },
    ...{ packet, piece: 0, names, kin: NONE },
    ...{ shells: [], seams: [], joints: [], awaited: [], split: 0, alpha: 1 },
    isServed: more.isServed,
    mark: more.isChosen ? 'chosen' : 'none',
  };
}

/** A text in as many lines as it needs; the first begins at `y`. */
export function paragraph(ground: Ground, given: LineGiven): readonly LabelShape[] {
  const size = ground.em * (given.size ?? 1);
  const measured = (text: string) => ground.measure(text, size, given.isBold === true, false);
  return wrapped(given.text, given.width, measured).flatMap((text, at) =>
    line(ground, { ...given, text, y: given.y + at * size * LINE }),
  );
}

/** The text in the middle of a view that the run does not record the data it needs. */
export function honest(ground: Ground, top: number, title: string, why: string): readonly Shape[] {
  const { width, gap, em } = ground;
  const room = { x: gap * 2, width: width - gap * 4, align: 'center' } as const;
  const heading = paragraph(ground, { ...room, text: title, y: top + em, isBold: true, size: 1.1 });
  const below = Math.max(top, ...heading.map(({ rect }) => rect.y + rect.height)) + em * 0.3;
  return [...heading, ...paragraph(ground, { ...room, text: why, y: below, colour: 'ink-soft' })];
}
