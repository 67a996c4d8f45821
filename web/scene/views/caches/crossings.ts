/**
 * Lines on their way from one cache to another, large, from the row that they leave to the row
 * that they come to, with their price. A function of the frame alone: what moved within its
 * linger is on its way, or, where nothing may move, an arc that stands.
 */
import type { Frame } from '../../../core/frame.ts';
import { m } from '../../../words/generated/messages.js';
import { ease } from '../../motion.ts';
import type { ArcShape, Shape, View } from '../../shapes.ts';
import { countText } from '../../machine/texts.ts';
import type { Ground } from '../ground.ts';
import { pill } from '../parts.ts';
import type { Split } from './copy.ts';
import { gridArea, type CachePanel } from './panels.ts';
import type { ObjectRow } from './rows.ts';

/** More ways at once could not be told apart. */
const WAYS = 6;
/** So many squares stand for a large move, each so far behind the one before, of the whole way. */
const SQUARES = 6;
const BEHIND = 0.09;

interface Way {
  readonly from: CachePanel;
  readonly to: CachePanel;
  readonly row: ObjectRow;
  readonly lines: number;
  readonly cycles: number;
  /** When each of its moves was, and how many lines. */
  readonly moves: readonly { readonly at: number; readonly lines: number }[];
  /** Where squares are on the way, 0 to 1, while a copy fetches its lines one after the other. */
  readonly stream?: readonly number[];
}

export function crossingShapes(
  ground: Ground,
  frame: Frame,
  panels: readonly CachePanel[],
  rows: readonly ObjectRow[],
  split: Split | undefined,
  view: View,
): readonly Shape[] {
  if (ground.isCompact) return [];
  const copying = split === undefined ? [] : copyWay(ground, frame, panels, rows, split);
  const moved = waysOf(frame, panels, rows);
  const ways = [...copying, ...moved].filter(
    (way, at, all) => all.findIndex((other) => isSameWay(way, other)) === at,
  );
  const [main] = ways;
  if (main === undefined) return [];
  return [
    ...ways.map((way) => arcOf(ground, frame, way, view)),
    ...priceOf(ground, main, panels.length),
  ];
}

function isSameWay(a: Way, b: Way): boolean {
  return a.from === b.from && a.to === b.to && a.row === b.row;
}

/** So many times a square sets out while the lines of a copy are fetched. */
const ROUNDS = 6;

/** The lines that a copy waits for just now: one after the other as long as it fetches. */
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
  return from === to ? [] : [{ from, to, row, lines, cycles, moves: [], stream }];
}

/** The ways that lines took within the linger, the most first. */
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

function arcOf(ground: Ground, frame: Frame, way: Way, view: View): ArcShape {
  const { em } = ground;
  const isToRight = way.from.rect.x < way.to.rect.x;
  const y = middleOf(ground, way.from, way.row);
  const left = isToRight ? way.from : way.to;
  const right = isToRight ? way.to : way.from;
  const [x0, x1] = [left.rect.x + left.rect.width - em * 0.3, right.rect.x + em * 0.3];
  const [from, to] = isToRight ? [x0, x1] : [x1, x0];
  const depth = em * 0.55 * (isToRight ? 1 : -1);
  return {
    kind: 'arc',
    from: [from, y],
    to: [to, y],
    depth,
    thickness: Math.min(3, 1 + Math.log2(Math.max(1, way.lines)) / 4),
    dots: [],
    squares: squaresOf(frame, way, view),
    squareSize: em * 0.75,
    rect: { x: x0, y: Math.min(y, y + depth), width: x1 - x0, height: Math.abs(depth) },
    thing: { kind: 'hand-over', from: way.from.cpus[0] ?? 0, to: way.to.cpus[0] ?? 0 },
  };
}

function middleOf(ground: Ground, panel: CachePanel, row: ObjectRow): number {
  const area = gridArea(ground, panel.inner, row);
  return area.y + area.height / 2;
}

/** Where on its way each square is, from 0 to 1. */
function squaresOf(frame: Frame, way: Way, view: View): readonly number[] {
  if (view.travel === 0 || view.linger === 0) return [];
  if (way.stream !== undefined) return way.stream;
  return way.moves.flatMap(({ at, lines }) => {
    const share = (frame.time - at) / view.linger;
    const many = Math.min(SQUARES, 1 + Math.floor(Math.log2(Math.max(1, lines))));
    return Array.from({ length: many }, (_, behind) => {
      // The last of them is there when the linger is over.
      return share * (1 + many * BEHIND) - behind * BEHIND;
    })
      .filter((own) => own >= 0 && own < 1)
      .map(ease);
  });
}

/** What a line costs, beside the largest of the ways; only two panels leave a lane for it. */
function priceOf(ground: Ground, way: Way, panels: number): readonly Shape[] {
  if (panels !== 2 || way.lines === 0) return [];
  const { em } = ground;
  const left = way.from.rect.x < way.to.rect.x ? way.from : way.to;
  const right = left === way.from ? way.to : way.from;
  const x = left.rect.x + left.rect.width + em * 0.3;
  const room = right.rect.x - x - em * 0.3;
  const y = middleOf(ground, way.from, way.row) + em * 1.1;
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
