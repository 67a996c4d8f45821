/**
 * Cache-to-cache transfers, drawn large from the row that the lines leave to the row in which they arrive,
 * with their cost. A transfer within the frame's linger has an arc; its squares move for half a second of
 * film, or not at all with reduced motion.
 */
import type { Frame } from '../../../core/frame.ts';
import { endShare, SQUARES, squaresOnWay } from '../../motion.ts';
import { pinnedOf } from '../../place.ts';
import type { ArcShape, Shape, View } from '../../shapes.ts';
import type { Ground } from '../ground.ts';
import { nameIn } from '../../name.ts';
import { namedBox, pill } from '../parts.ts';
import type { Split } from './copy.ts';
import { BESIDE, gridArea, type CachePanel, type Crossing } from './panels.ts';
import type { ObjectRow } from './rows.ts';
import { m } from '../../../words/generated/messages.js';
import { countText } from '../../machine/texts.ts';

/** Maximum number of ways: more could not be distinguished. */
const WAYS = 6;
/** Distance between the squares of one transfer, as a fraction of the way. */
const BEHIND = 0.09;

export interface Way {
  readonly from: CachePanel;
  readonly to: CachePanel;
  readonly row: ObjectRow;
  readonly lines: number;
  readonly cycles: number;
  /** Time and number of lines of each of its transfers. */
  readonly moves: readonly { readonly at: number; readonly lines: number }[];
  /** Positions of squares on the way, 0 to 1, while a copy fetches its lines one after the other. */
  readonly stream?: readonly number[];
  /** Number of a copy's lines that have not arrived; the other cache still holds them. */
  readonly awaited?: number;
}

/** The ways with transfers under way or within the linger, the most important first. */
export function waysNow(
  ground: Ground,
  frame: Frame,
  panels: readonly CachePanel[],
  rows: readonly ObjectRow[],
  split: Split | undefined,
): readonly Way[] {
  if (ground.isCompact) return [];
  const copying = split === undefined ? [] : copyWay(ground, frame, panels, rows, split);
  const moved = waysOf(frame, panels, rows);
  return [...copying, ...moved].filter(
    (way, at, all) => all.findIndex((other) => isSameWay(way, other)) === at,
  );
}

/** The number of a row's lines on their way to a cache; 0 with reduced motion. */
export function crossingOf(ways: readonly Way[], view: View): Crossing {
  const flying = ({ moves }: Way) =>
    moves.reduce(
      (sum, { at, lines }) => (endShare(-view.filmTo(at), view.travel) < 1 ? sum + lines : sum),
      0,
    );
  return (cache, row) =>
    ways
      .filter((way) => way.row === row && way.to.cache === cache)
      .reduce((all, way) => all + (view.travel === 0 ? 0 : (way.awaited ?? flying(way))), 0);
}

export function crossingShapes(
  ground: Ground,
  ways: readonly Way[],
  split: Split | undefined,
  frame: Frame,
  view: View,
): readonly Shape[] {
  const [main] = ways;
  if (main === undefined) return [];
  return [
    ...ways.map((way) => arcOf(ground, way, view)),
    ...priceOf(ground, main),
    ...(main.stream === undefined ? [] : packetOf(ground, frame, main, split, view)),
  ];
}

function isSameWay(a: Way, b: Way): boolean {
  return a.from === b.from && a.to === b.to && a.row === b.row;
}

/** Number of times that a square sets out while the lines of a copy are fetched. */
const ROUNDS = 6;

/** The way of the lines that a copy currently waits for, one after the other while it fetches. */
function copyWay(
  ground: Ground,
  frame: Frame,
  panels: readonly CachePanel[],
  rows: readonly ObjectRow[],
  split: Split,
): readonly Way[] {
  const share = (frame.time - split.start) / Math.max(1, split.fetching);
  const from = panels.find(({ cpus }) => cpus.includes(split.from));
  const to = panels.find(({ cpus }) => cpus.includes(split.cpu));
  const row = rows.find(({ objects }) =>
    objects.some((at) => ground.run.machine.objects[at] === 'data'),
  );
  if (share < 0 || share >= 1 || from === undefined || to === undefined || row === undefined) {
    return [];
  }
  const stream = Array.from({ length: SQUARES }, (_, at) => (share * ROUNDS + at / SQUARES) % 1);
  const [lines, cycles] = [split.movedLines, split.movedCycles];
  const fetched = Math.floor(lines * share);
  return from === to
    ? []
    : [{ from, to, row, lines, cycles, moves: [], stream, awaited: lines - fetched }];
}

/** The ways of transfers within the linger, those with most lines first. */
function waysOf(
  frame: Frame,
  panels: readonly CachePanel[],
  rows: readonly ObjectRow[],
): readonly Way[] {
  const { moves } = frame.machine;
  const ways = new Map<string, Way>();
  moves.at.forEach((at, index) => {
    const from = panels.find(({ cpus }) => cpus.includes(moves.from[index] ?? -1));
    const to = panels.find(({ cpus }) => cpus.includes(moves.to[index] ?? -1));
    const row = rows.find(({ objects }) => objects.includes(moves.object[index] ?? -1));
    if (from === undefined || to === undefined || row === undefined || from === to) return;
    const key = `${from.cache} ${to.cache} ${row.y}`;
    const [lines, cycles] = [moves.lines[index] ?? 0, moves.cycles[index] ?? 0];
    const known = ways.get(key) ?? { from, to, row, lines: 0, cycles: 0, moves: [] };
    ways.set(key, {
      ...known,
      lines: known.lines + lines,
      cycles: known.cycles + cycles,
      moves: [...known.moves, { at, lines }],
    });
  });
  return [...ways.values()].sort((a, b) => b.lines - a.lines || a.row.y - b.row.y).slice(0, WAYS);
}

function arcOf(ground: Ground, way: Way, view: View): ArcShape {
  const { em } = ground;
  const isToRight = way.from.rect.x < way.to.rect.x;
  const y = middleOf(ground, way.from, way.row);
  const left = isToRight ? way.from : way.to;
  const right = isToRight ? way.to : way.from;
  const [x0, x1] = [left.rect.x + left.rect.width - em * 0.3, right.rect.x + em * 0.3];
  const [from, to] = isToRight ? [x0, x1] : [x1, x0];
  const depth = em * 0.7 * (isToRight ? 1 : -1);
  return {
    kind: 'arc',
    from: [from, y],
    to: [to, y],
    depth,
    thickness: Math.min(4, 1.5 + Math.log2(Math.max(1, way.lines)) / 3),
    dots: [],
    colour: way.row.fill,
    squares: squaresOf(way, view),
    squareSize: em * 1.15,
    rect: { x: x0, y: Math.min(y, y + depth), width: x1 - x0, height: Math.abs(depth) },
    thing: { kind: 'hand-over', from: way.from.cpus[0] ?? 0, to: way.to.cpus[0] ?? 0 },
  };
}

function middleOf(ground: Ground, panel: CachePanel, row: ObjectRow): number {
  const area = gridArea(ground, panel.inner, row);
  return area.y + area.height / 2;
}

/** The position of each square on its way, 0 to 1. */
function squaresOf(way: Way, view: View): readonly number[] {
  if (view.travel === 0) return [];
  if (way.stream !== undefined) return way.stream;
  return way.moves.flatMap(({ at, lines }) =>
    squaresOnWay(-view.filmTo(at), view.travel, lines, BEHIND),
  );
}

/** The packet whose lines these are, above them. */
function packetOf(
  ground: Ground,
  frame: Frame,
  way: Way,
  split: Split | undefined,
  view: View,
): readonly Shape[] {
  if (split === undefined) return [];
  const { em } = ground;
  const left = Math.min(way.from.rect.x + way.from.rect.width, way.to.rect.x + way.to.rect.width);
  const right = Math.max(way.from.rect.x, way.to.rect.x);
  const width = Math.min(em * 5, right - left - em);
  if (width < em * 2) return [];
  const y = middleOf(ground, way.from, way.row) - em * 3.1;
  const rect = { x: (left + right - width) / 2, y, width, height: em * 1.7 };
  const name = nameIn(frame, split.packet);
  const isChosen = split.packet === pinnedOf(view);
  return [namedBox(rect, split.packet, [name], { isServed: true, isChosen })];
}

/** The cost of a line, beside the widest way; only between two panels is there a lane for it. */
function priceOf(ground: Ground, way: Way): readonly Shape[] {
  if (ground.run.machine.caches.length !== 2 || way.lines === 0) return [];
  const { em } = ground;
  const left = way.from.rect.x < way.to.rect.x ? way.from : way.to;
  const right = left === way.from ? way.to : way.from;
  const x = left.rect.x + left.rect.width + em * BESIDE;
  const room = right.rect.x - x - em * BESIDE;
  const middle = middleOf(ground, way.from, way.row);
  const { rect } = way.from;
  // Below the way; the last row is followed by the legend, so its cost goes above the packet.
  const isRoomBelow = middle + em * 2.6 <= rect.y + rect.height;
  const y = middle + em * (isRoomBelow ? 1.1 : -4.9);
  const price = countText(Math.round(way.cycles / way.lines));
  const thing = {
    kind: 'hand-over',
    from: way.from.cpus[0] ?? 0,
    to: way.to.cpus[0] ?? 0,
  } as const;
  const made = pill(
    ground,
    m.caches_price({ cycles: price }),
    { x, y, width: room },
    { fill: 'cache', colour: 'on-cache', thing },
  );
  return made.map((one) => ({
    ...one,
    rect: { ...one.rect, x: x + (room - one.rect.width) / 2 },
  }));
}
