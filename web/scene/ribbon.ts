/**
 * The way of the followed packet so far, as a ribbon below the columns: a piece for each sojourn with its
 * duration, service in the colour of a CPU, waiting in grey. Pieces are not to scale, so that long waits
 * leave room for the others; the duration written in each tells its length. What does not fit is one piece
 * with the sum of its durations.
 */
import type { Frame } from '../core/frame.ts';
import type { Entries, Entry } from './entries.ts';
import type { Layout } from './layout.ts';
import type { Stage } from './scene.ts';
import type { Colour, LabelShape, Measure, Rect, Shape, View, WayEnd, WayStay } from './shapes.ts';
import { formatNanos } from '../numbers/format.ts';
import { firstFitting } from './text.ts';
import { placeWord, verdictWord } from '../words/kernel-words.ts';

/** Consecutive sojourns at one station. */
interface Piece {
  readonly name: string;
  readonly nanos: number;
  readonly isWait: boolean;
  readonly isAhead: boolean;
  readonly isNow: boolean;
  /** Whether it shows how the way ended instead of a sojourn. */
  readonly isEnd: boolean;
}

export function ribbonShapes(
  { layout, measure, words }: Stage,
  frame: Frame,
  entries: Entries,
  view: View,
): readonly Shape[] {
  const { way, wayEnd, followed } = view;
  if (followed === undefined || way === undefined || way.length === 0) return [];
  const own = entries.live.find(({ packet }) => packet === followed);
  const names = (station: number) => placeWord(words.glossary.stations[station]?.name ?? '');
  const stays = piecesOf(way, arrivedBy(own, frame.time), names);
  const began = way[0]?.enter ?? 0;
  const ended =
    wayEnd === undefined || frame.time < wayEnd.time ? [] : [endOf(wayEnd, wayEnd.time - began)];
  const pieces = [...stays, ...ended];
  const area = areaOf(layout);
  const panel: Shape = {
    kind: 'panel',
    rect: area,
    fill: 'panel',
    line: 'line-strong',
    radius: 6 * layout.scale,
    isDashed: false,
  };
  const name = { text: view.followedLabel ?? `${followed}`, since: view.waySince };
  return [panel, ...laidOut(pieces, area, name, layout, measure)];
}

/**
 * The time up to which the packet's way is shown: now, or, while the frame of its pieces still closes
 * around it, the time at which it moved there, as it has not visibly left yet.
 */
function arrivedBy(own: Entry | undefined, time: number): number {
  const isClosing = own?.joining.some(({ slot }) => slot.kind === 'assembly') === true;
  return isClosing ? Math.min(time, own.since - 1) : time;
}

/** The current place and the end are emphasised. */
function isStrong({ isNow, isEnd }: Piece): boolean {
  return isNow || isEnd;
}

function fillOf({ isAhead, isEnd, isNow, isWait }: Piece): Colour | undefined {
  if (isAhead) return undefined;
  if (isEnd) return 'ink';
  return isNow ? 'chosen' : isWait ? 'well' : 'panel';
}

/** Consecutive sojourns, those at one station together; future ones have only a name. */
function piecesOf(
  way: readonly WayStay[],
  time: number,
  names: (station: number) => string,
): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { station, enter, leave, service } of way) {
    const isAhead = enter > time;
    const name = names(station);
    const nanos = isAhead ? 0 : Math.min(leave, time) - enter;
    const last = pieces.at(-1);
    const isNow = !isAhead && time < leave;
    if (last?.name === name && last.isAhead === isAhead) {
      pieces[pieces.length - 1] = {
        ...last,
        nanos: last.nanos + nanos,
        isNow: last.isNow || isNow,
      };
      continue;
    }
    pieces.push({ name, nanos, isWait: service * 2 < leave - enter, isAhead, isNow, isEnd: false });
  }
  return pieces;
}

/** The last piece shows how the packet ended, and after how long. */
function endOf({ verdict }: WayEnd, nanos: number): Piece {
  const name = verdictWord(verdict);
  return { name, nanos, isWait: false, isAhead: false, isNow: false, isEnd: true };
}

/** What the times count from has at most this part of the ribbon. */
const SINCE_AT_MOST = 0.25;

/** The name of a piece that stands for several. */
const FOLDED = '…';

/**
 * The pieces for which there is room. Of those past the earliest are folded, but never the longest, which is
 * what a way is looked at for; if that does not suffice, of those ahead the latest.
 */
function fitting(
  pieces: readonly Piece[],
  fits: (pieces: readonly Piece[]) => boolean,
): readonly Piece[] {
  const most = Math.max(...pieces.map(({ nanos, isEnd }) => (isEnd ? 0 : nanos)));
  const longest = pieces.find(({ nanos, isEnd }) => !isEnd && nanos === most);
  const now = pieces.findLastIndex(({ isAhead }) => !isAhead);
  const earliest = pieces.slice(0, now).filter((piece) => piece !== longest);
  const latest = pieces.slice(now + 1).toReversed();
  const order = [...earliest, ...latest];
  for (let count = 0; count < order.length; count += 1) {
    const shown = folded(pieces, new Set(order.slice(0, count)));
    if (fits(shown)) return shown;
  }
  return folded(pieces, new Set(order));
}

/** The pieces with neighbours among the hidden ones as one. */
function folded(pieces: readonly Piece[], hidden: ReadonlySet<Piece>): readonly Piece[] {
  const shown: Piece[] = [];
  for (const piece of pieces) {
    const last = shown.at(-1);
    if (!hidden.has(piece)) shown.push(piece);
    else if (last?.name !== FOLDED) shown.push({ ...piece, name: FOLDED });
    else {
      const isWait = last.isWait && piece.isWait;
      shown[shown.length - 1] = { ...last, isWait, nanos: last.nanos + piece.nanos };
    }
  }
  return shown;
}

/** The area of the ribbon, which otherwise shows the caches. */
function areaOf(layout: Layout): Rect {
  const x = layout.gutter === 0 ? (layout.columns[0]?.rect.x ?? 0) : 0.5 * layout.textSize;
  const last = layout.columns.at(-1)?.rect;
  const width = (last === undefined ? layout.width : last.x + last.width) - x;
  return {
    x,
    y: layout.caches.y,
    width,
    height: Math.min(layout.caches.height, 3.2 * layout.lineHeight),
  };
}

function laidOut(
  pieces: readonly Piece[],
  area: Rect,
  name: { readonly text: string; readonly since: string | undefined },
  layout: Layout,
  measure: Measure,
): readonly Shape[] {
  const { textSize, lineHeight } = layout;
  const pad = 0.5 * textSize;
  const gap = 0.25 * textSize;
  const own = measure(name.text, textSize, true, false);
  const below = name.since === undefined ? 0 : measure(name.since, textSize, false, false);
  // Where there is little room the stays come first.
  const since = below > SINCE_AT_MOST * area.width ? undefined : name.since;
  const title = since === undefined ? own : Math.max(own, below);
  const start = area.x + pad + title + pad;
  const room = area.x + area.width - pad - start;
  const textsOf = ({ name: station, nanos, isAhead }: Piece) =>
    isAhead ? [station, ''] : [station, formatNanos(nanos)];
  const widthOf = (piece: Piece) =>
    Math.max(...textsOf(piece).map((text) => measure(text, textSize, isStrong(piece), false))) +
    pad;
  const shown = fitting(
    pieces,
    (all) => all.reduce((sum, piece) => sum + widthOf(piece) + gap, -gap) <= room,
  );
  const label = (
    text: string,
    x: number,
    y: number,
    isBold: boolean,
    colour: LabelShape['colour'],
  ): LabelShape => ({
    kind: 'label',
    text,
    size: textSize,
    colour,
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: { x, y, width: measure(text, textSize, isBold, false), height: lineHeight },
  });
  const top = area.y + (area.height - 2 * lineHeight) / 2;
  const y = since === undefined ? top + lineHeight / 2 : top;
  const shapes: Shape[] = [
    label(name.text, area.x + pad, y, true, 'ink'),
    ...(since === undefined
      ? []
      : [label(since, area.x + pad, top + lineHeight, false, 'ink-soft')]),
  ];
  let x = start;
  for (const piece of shown) {
    const width = widthOf(piece);
    if (x + width > start + room) break;
    const rect = { x, y: top - 0.1 * lineHeight, width, height: 2.2 * lineHeight };
    shapes.push({
      kind: 'panel',
      rect,
      fill: fillOf(piece),
      line: isStrong(piece) ? 'ink' : 'line-strong',
      lineWidth: isStrong(piece) ? 2 : 1,
      radius: 4 * layout.scale,
      isDashed: piece.isAhead,
    });
    const [upper = '', lower = ''] = textsOf(piece);
    const isBold = isStrong(piece);
    const fits = (text: string) => firstFitting([text], width, measure, textSize, isBold);
    const colour = piece.isEnd ? 'panel' : piece.isAhead ? 'ink-muted' : 'ink-soft';
    shapes.push(label(fits(upper), x + pad / 2, top, isBold, colour));
    if (lower !== '') {
      const ink = piece.isEnd ? 'panel' : 'ink';
      shapes.push(label(fits(lower), x + pad / 2, top + lineHeight, isBold, ink));
    }
    x += width + gap;
  }
  return shapes.filter((shape) => shape.kind !== 'label' || shape.text !== '');
}
