/**
 * The contents of each cache: a panel under its CPUs, a row for each kind of object, squares for its lines
 * by state. Lines invalidated by a write of another CPU or a device leave ghosts; places of lines that are
 * elsewhere are dashed.
 */
import type { Frame } from '../../../core/frame.ts';
import type { Rect, Shape, Thing } from '../../shapes.ts';
import type { GridShape } from '../../view-shapes.ts';
import type { Ground } from '../ground.ts';
import { squaresIn } from '../grid.ts';
import { card, line, LINE, pillWidth } from '../parts.ts';
import { BETWEEN, countWidth, nameWidth, PARTED, SQUARE, sumOf, type ObjectRow } from './rows.ts';
import { without } from './states.ts';
import { m } from '../../../words/generated/messages.js';
import { countText, type HeldLines } from '../../machine/texts.ts';

export interface CachePanel {
  /** Index in the run's caches. */
  readonly cache: number;
  /** The CPUs that share it. */
  readonly cpus: readonly number[];
  readonly rect: Rect;
  /** The area of the rows. */
  readonly inner: Rect;
}

/** The number of a row's lines on their way to a cache. */
export type Crossing = (cache: number, row: ObjectRow) => number;

/** Height of a panel's heading, which has the cache's total, in text sizes. */
const HEADING = 1.9;

/** The panels between two heights. Adjacent panels leave a lane for transfers between them. */
export function panelsOf(ground: Ground, top: number, bottom: number): readonly CachePanel[] {
  const { em, gap, run, shown } = ground;
  const caches = run.machine.caches
    .map((cpus, cache) => ({
      ...{ cache, cpus },
      columns: shown.filter(({ cpu }) => cpus.includes(cpu)),
    }))
    .filter(({ columns }) => columns.length > 0);
  const lane = caches.length < 2 ? 0 : laneWidth(ground, caches.length);
  const height = ground.isCompact ? COMPACT * em : bottom - top;
  return caches.map(({ cache, cpus, columns }, at) => {
    const [first, last] = [columns[0]!, columns.at(-1)!];
    const isFirst = at === 0;
    const isLast = at === caches.length - 1;
    const x = ground.isCompact ? gap : first.x + (isFirst ? 0 : (lane - gap) / 2);
    const right = ground.isCompact
      ? ground.width - gap
      : last.x + last.width - (isLast ? 0 : (lane - gap) / 2);
    const y = ground.isCompact ? top + at * (height + gap) : top;
    const rect = { x, y, width: right - x, height };
    const pad = em * 0.7;
    const inner = {
      x: x + pad,
      y: y + HEADING * em,
      width: rect.width - 2 * pad,
      height: height - HEADING * em - pad / 2,
    };
    return { cache, cpus, rect, inner };
  });
}

/** Height of panels stacked below each other, in text sizes. */
const COMPACT = 24;

/** Between two panels there is room for the cost of a line, by which the way of the lines is marked. */
function laneWidth(ground: Ground, count: number): number {
  const { em, isCompact } = ground;
  if (isCompact) return 0;
  const price = pillWidth(ground, m.caches_price({ cycles: countText(MOST_CYCLES) }));
  return count === 2 ? Math.max(11 * em, price + (2 * BESIDE + 0.1) * em) : 3 * em;
}

/** A line of another cache costs less on every machine that was measured. */
const MOST_CYCLES = 999;

/** Between the cost of a line and a panel, in text sizes. */
export const BESIDE = 0.3;

/** The lower edge of the lowest panel. */
export function panelsBottom(panels: readonly CachePanel[]): number {
  return Math.max(0, ...panels.map(({ rect }) => rect.y + rect.height));
}

export function panelShapes(
  ground: Ground,
  frame: Frame,
  panel: CachePanel,
  rows: readonly ObjectRow[],
  crossing: Crossing,
): readonly Shape[] {
  const { em, run } = ground;
  const { rect, inner, cache, cpus } = panel;
  const thing: Thing = { kind: 'cache', cpu: cpus[0] ?? 0 };
  const total = sumOf(rows.map((row) => linesOf(frame, cache, row).lines));
  const size = run.machine.cacheLines;
  const held =
    size > 0
      ? m.caches_held_of({ lines: countText(total), size: countText(size) })
      : m.caches_held({ lines: countText(total) });
  const shared = cpus.length > 1 ? ` · ${m.stage_cpus({ cpus: cpus.join(', ') })}` : '';
  return [
    card(ground, rect, { thing }),
    ...line(ground, {
      ...{ text: `${held}${shared}`, x: inner.x, y: rect.y + em * 0.4, width: inner.width },
      ...{ colour: 'ink-soft', thing },
    }),
    ...rows.flatMap((row) => rowShapes(ground, frame, panel, row, crossing)),
  ];
}

function rowShapes(
  ground: Ground,
  frame: Frame,
  { cache, inner, cpus }: CachePanel,
  row: ObjectRow,
  crossing: Crossing,
): readonly Shape[] {
  const { em } = ground;
  const thing: Thing = { kind: 'cache', cpu: cpus[0] ?? 0 };
  const { lines: held, invalidated, ...told } = linesOf(frame, cache, row);
  // Lines in flight are drawn on their way and appear here when they arrive.
  const lines = Math.max(0, held - crossing(cache, row));
  const y = inner.y + row.y;
  const isBeside = row.depth === 0;
  const count = m.caches_lines({ count: held, shown: countText(held) });
  const right = countWidth(ground);
  const area = gridArea(ground, inner, row);
  const squares = squaresIn(area.width, SQUARE * em, BETWEEN * em, row.places + PARTED);
  const grid: GridShape = {
    kind: 'grid',
    rect: { ...area, height: Math.max(SQUARE * em, squares.rows * squares.pitch - BETWEEN * em) },
    thing,
    columns: squares.columns,
    pitch: squares.pitch,
    size: SQUARE * em,
    unit: row.unit,
    lines,
    states: without(told, held - lines),
    coming: held - lines,
    invalidated,
    places: row.places,
    fill: row.fill,
  };
  return [
    ...line(ground, {
      ...{ text: row.name(), x: inner.x, y, isBold: true, thing },
      width: Math.max(
        0,
        isBeside ? nameWidth(ground, inner.width) - 0.5 * em : inner.width - right,
      ),
    }),
    ...line(ground, {
      ...{ text: count, x: inner.x + inner.width - right, y, width: right },
      ...{ align: 'right', colour: 'ink-muted', thing },
    }),
    grid,
  ];
}

/** The area of a row's squares. */
export function gridArea(ground: Ground, inner: Rect, row: ObjectRow): Rect {
  const { em } = ground;
  const y = inner.y + row.y;
  if (row.depth > 0) return { ...inner, y: y + em * LINE, height: row.height - em * LINE };
  const before = nameWidth(ground, inner.width);
  const width = Math.max(em, inner.width - before - countWidth(ground));
  return { x: inner.x + before, y: y + ((LINE - SQUARE) / 2) * em, width, height: SQUARE * em };
}

/** A cache's lines of a row's kinds by state, and those that it just lost. */
export function linesOf(frame: Frame, cache: number, row: Pick<ObjectRow, 'objects'>): HeldLines {
  const { held } = frame.machine;
  const sum = { lines: 0, modified: 0, exclusive: 0, shared: 0, invalidated: 0 };
  held.cache.forEach((owner, at) => {
    if (owner !== cache || !row.objects.includes(held.object[at] ?? -1)) return;
    sum.lines += held.lines[at] ?? 0;
    sum.modified += held.modified[at] ?? 0;
    sum.exclusive += held.exclusive[at] ?? 0;
    sum.shared += held.shared[at] ?? 0;
    sum.invalidated += held.invalidated[at] ?? 0;
  });
  return sum;
}
