/**
 * The kinds of objects that cache lines belong to, as rows at the same height in every panel, so that a
 * transferred line moves straight from row to row. Bytes of packets and processes come first and have most
 * room; the kernel's structures have one line each, and those that do not fit share the last one.
 */
import type { Colour } from '../../shapes.ts';
import type { Ground } from '../ground.ts';
import { onceSpoken } from '../../once.ts';
import { objectWord } from '../../machine/object-words.ts';
import { unitFor, unitWith } from '../grid.ts';
import { widthOf } from '../parts.ts';
import { countText } from '../../machine/texts.ts';
import { m } from '../../../words/generated/messages.js';

export interface ObjectRow {
  /** Indices in the run's kinds of objects; the last row may have several. */
  readonly objects: readonly number[];
  /** A function, as rows outlive a change of the language. */
  readonly name: () => string;
  readonly fill: Colour;
  /** Offset from the top of the rows, and height. */
  readonly y: number;
  readonly height: number;
  /** Number of lines of squares under the name; 0 if they are beside it. */
  readonly depth: number;
  /** Number of cache lines that a square stands for. */
  readonly unit: number;
  /** Number of squares for the most lines that any cache held in the run, all in one state. */
  readonly places: number;
}

/** Sizes in text sizes. */
export const SQUARE = 0.92;
export const BETWEEN = 0.2;
const NAME = 11;
/** Least width of a row's count. */
const COUNT = 7.2;
const ROW = 1.55;
const TITLE = 1.4;
/**
 * Number of additional squares that lines in three states and ghosts may need, compared with a single
 * state.
 */
export const PARTED = 3;
/** Number of structures with their own line before bytes get more room. */
const STRUCTURE_ROWS = 8;

/** Packets and their bytes, which have many lines, by the model's names. */
const BYTES: Readonly<Record<string, Colour>> = { data: 'cache', user: 'user', skb: 'packet' };

/** Structures by their names in the kernels' descriptions (`wasm-core/data/kernels`). */
const STRUCTURES: Readonly<Record<string, Colour>> = {
  sock: 'kernel',
  sock_key: 'kernel',
  sock_receive: 'kernel',
  sock_write: 'kernel',
  sock_front: 'kernel',
  lock: 'lock',
  runqueue: 'softirq',
  task: 'softirq',
  stack: 'softirq',
};

/** The rows for a panel of this width and height. */
export function rowsOf(ground: Ground, width: number, height: number): readonly ObjectRow[] {
  const { em, run } = ground;
  const { objects, mostLines } = run.machine;
  const most = (at: number) => mostLines[at] ?? 0;
  const named = objects.map((name, at) => ({ name, at }));
  const bytes = named.filter(({ name }) => name in BYTES);
  const rank = ({ name }: { readonly name: string }) => {
    const known = Object.keys(STRUCTURES).indexOf(name);
    return known === -1 ? Infinity : known;
  };
  const structures = named
    .filter(({ name }) => !(name in BYTES))
    .sort((a, b) => rank(a) - rank(b) || most(b.at) - most(a.at));

  const pitch = (SQUARE + BETWEEN) * em;
  const perLine = Math.max(1, Math.floor(width / pitch));
  const rows: ObjectRow[] = [];
  // Structures get a line each; bytes get the rest, in the finest squares that fit.
  const least = STRUCTURE_ROWS * ROW * em;
  const free = height - Math.min(structures.length * ROW * em, least);
  const lines = Math.max(
    bytes.length,
    Math.floor((free - bytes.length * (TITLE + 0.4) * em) / pitch),
  );
  const placesOf = (unit: number, lines: number) => Math.ceil(lines / unit);
  const linesOf = (unit: number, at: number) =>
    Math.ceil((placesOf(unit, most(at)) + PARTED) / perLine);
  const byteUnit = unitWith((unit) => sumOf(bytes.map(({ at }) => linesOf(unit, at))) <= lines);
  let y = 0;
  for (const { name, at } of bytes) {
    const own = linesOf(byteUnit, at);
    const rowHeight = TITLE * em + own * pitch + 0.4 * em;
    rows.push({
      ...{ objects: [at], name: () => objectWord(name), fill: BYTES[name]!, y, height: rowHeight },
      ...{ depth: own, unit: byteUnit, places: placesOf(byteUnit, most(at)) },
    });
    y += rowHeight;
  }
  const room = Math.max(1, Math.floor((height - y) / (ROW * em)));
  const single = structures.length <= room ? structures : structures.slice(0, room - 1);
  const rest = structures.slice(single.length);
  const beside = Math.max(
    2,
    Math.floor((width - nameWidth(ground, width) - countWidth(ground)) / pitch),
  );
  const unit = unitFor(
    Math.max(0, ...single.map(({ at }) => most(at)), sumOf(rest.map(({ at }) => most(at)))),
    Math.max(1, beside - PARTED),
  );
  for (const { name, at } of single) {
    rows.push({
      ...{ objects: [at], name: () => objectWord(name), fill: STRUCTURES[name] ?? 'packet-seam' },
      ...{ y, height: ROW * em, depth: 0, unit, places: placesOf(unit, most(at)) },
    });
    y += ROW * em;
  }
  if (rest.length > 0) {
    const all = rest.map(({ at }) => at);
    rows.push({
      ...{ objects: all, fill: 'packet-seam' },
      name: () => m.caches_other_kinds({ count: rest.length }),
      ...{ y, height: ROW * em, depth: 0, unit },
      places: placesOf(unit, sumOf(all.map(most))),
    });
  }
  return rows;
}

/** The width of the name before a line of squares; squares and count take precedence. */
export function nameWidth(ground: Ground, width: number): number {
  const { em } = ground;
  return Math.max(0, Math.min(NAME * em, width - countWidth(ground) - 2 * em));
}

/** The width of a row's count: there is room for the largest of the run, so that it is never cut. */
export const countWidth = onceSpoken((ground: Ground): number => {
  const most = Math.max(0, ...ground.run.machine.mostLines);
  const text = m.caches_lines({ count: most, shown: countText(most) });
  return Math.max(COUNT * ground.em, widthOf(ground, text) + 0.3 * ground.em);
});

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
