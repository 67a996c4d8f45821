/**
 * Cache lines that moved between the caches of two CPUs within the frame's linger: an arc from column to
 * column, squares along it for half a second of film, and their number and cost below it. With reduced
 * motion only arcs and numbers are drawn.
 */
import { NONE } from '../../core/core.ts';
import type { Opened } from '../../core/core.ts';
import type { Frame } from '../../core/frame.ts';
import type { Column, Layout } from '../layout.ts';
import { squaresOnWay } from '../motion.ts';
import type { ArcShape, Measure, Rect, Shape, Thing, View } from '../shapes.ts';
import { m } from '../../words/generated/messages.js';
import { firstFitting } from '../text.ts';
import { countText, pricedText, shortLinesText, written } from './texts.ts';

/** Maximum number of pairs: more could not be distinguished. */
const PAIRS_SHOWN = 8;
/** Distance between the squares of one transfer, as a fraction of the way. */
const BEHIND = 0.035;

interface Flow {
  readonly from: Column;
  readonly to: Column;
  readonly lines: number;
  readonly cycles: number;
}

/** Both directions between two columns, the left one first. */
interface Pair {
  readonly left: Column;
  readonly right: Column;
  readonly there: Flow | undefined;
  readonly back: Flow | undefined;
}

export function crossingShapes(
  frame: Frame,
  run: Opened,
  layout: Layout,
  measure: Measure,
  view: View,
  rectOf: ReadonlyMap<number, Rect>,
): readonly Shape[] {
  if (layout.isCompact) return [];
  const taken: Rect[] = [];
  const pairs = pairsOf(frame, layout).slice(0, PAIRS_SHOWN);
  // Among other labels one is no wider than its arc.
  const isAlone = pairs.length === 1;
  return pairs.flatMap((pair): readonly Shape[] => {
    const flows = [pair.there, pair.back].filter((flow) => flow !== undefined);
    const arcs = flows.map((flow) => arcOf(flow, frame, layout, view));
    const ties = flows.flatMap((flow) => tieOf(flow, frame, run, rectOf));
    const label = labelOf(pair, isAlone, layout, measure);
    if (label === undefined || taken.some((other) => touches(other, label.rect))) {
      return [...ties, ...arcs];
    }
    taken.push(label.rect);
    return [...ties, ...arcs, label];
  });
}

/** A tether from the cache that fetches to the packet for which it does: the one that its CPU processes. */
function tieOf(
  { to }: Flow,
  frame: Frame,
  run: Opened,
  rectOf: ReadonlyMap<number, Rect>,
): readonly Shape[] {
  const packet = frame.cpus.packet[run.cpus.indexOf(to.cpu)] ?? NONE;
  const rect = rectOf.get(packet);
  if (rect === undefined) return [];
  const from = [to.cache.x + to.cache.width / 2, to.cache.y] as const;
  const end = [rect.x + rect.width / 2, rect.y + rect.height] as const;
  if (end[1] >= from[1]) return [];
  return [
    {
      kind: 'tether',
      from,
      to: end,
      colour: 'cache',
      rect: {
        x: Math.min(from[0], end[0]),
        y: end[1],
        width: Math.max(1, Math.abs(from[0] - end[0])),
        height: from[1] - end[1],
      },
    },
  ];
}

/** All lines moved so far, for the row's name. */
export function movedTexts(frame: Frame): readonly string[] {
  const { lines, cycles } = frame.machine.flows;
  const total = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0);
  return [
    m.stage_moved({ lines: shortLinesText(total(lines)) }),
    m.stage_for_cycles({ cycles: countText(total(cycles)) }),
  ];
}

/** Pairs of columns with transfers within the linger, those with most lines first. */
function pairsOf(frame: Frame, layout: Layout): readonly Pair[] {
  const { flows } = frame.machine;
  const place = (cpu: number | undefined) =>
    layout.columns.findIndex((column) => column.cpu === cpu);
  const pairs = new Map<string, Pair>();
  flows.from.forEach((cpu, row) => {
    const lines = flows.recentLines[row] ?? 0;
    const [a, b] = [place(cpu), place(flows.to[row])];
    const [from, to] = [layout.columns[a], layout.columns[b]];
    if (lines === 0 || from === undefined || to === undefined || a === b) return;
    const flow = { from, to, lines, cycles: flows.recentCycles[row] ?? 0 };
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const known = pairs.get(key);
    pairs.set(key, {
      left: a < b ? from : to,
      right: a < b ? to : from,
      there: a < b ? flow : known?.there,
      back: a < b ? known?.back : flow,
    });
  });
  const weight = ({ there, back }: Pair) => (there?.lines ?? 0) + (back?.lines ?? 0);
  return [...pairs.values()].sort(
    (one, other) => weight(other) - weight(one) || one.left.rect.x - other.left.rect.x,
  );
}

function arcOf(flow: Flow, frame: Frame, layout: Layout, view: View): ArcShape {
  const { scale, arcDepth } = layout;
  const bottom = flow.from.cache.y + flow.from.cache.height;
  // The two directions are drawn slightly apart.
  const shift = (flow.from.rect.x < flow.to.rect.x ? -8 : 8) * scale;
  const middle = ({ cache }: Column) => cache.x + cache.width / 2 + shift;
  const [from, to] = [[middle(flow.from), bottom] as const, [middle(flow.to), bottom] as const];
  return {
    kind: 'arc',
    from,
    to,
    depth: arcDepth,
    thickness: Math.min(4, 1 + Math.log2(flow.lines) / 4) * scale,
    dots: [],
    squares: squaresOf(flow, frame, view),
    rect: {
      x: Math.min(from[0], to[0]),
      y: bottom,
      width: Math.abs(to[0] - from[0]),
      height: arcDepth,
    },
    thing: thingOf(flow),
  };
}

function squaresOf({ from, to }: Flow, frame: Frame, view: View): readonly number[] {
  const { moves } = frame.machine;
  return [...moves.at].flatMap((at, row) =>
    moves.from[row] === from.cpu && moves.to[row] === to.cpu
      ? squaresOnWay(-view.filmTo(at), view.travel, moves.lines[row] ?? 1, BEHIND)
      : [],
  );
}

function labelOf(pair: Pair, isAlone: boolean, layout: Layout, measure: Measure) {
  const { left, right, there, back } = pair;
  const { textSize, arcDepth, scale } = layout;
  const from = left.cache.x + left.cache.width / 2;
  const to = right.cache.x + right.cache.width / 2;
  const middle = (from + to) / 2;
  const toEdge = Math.min(middle - layout.gutter, layout.width - middle - 10);
  const texts =
    there !== undefined && back !== undefined
      ? bothTexts(left, right, there, back)
      : oneTexts(there ?? back);
  const text = firstFitting(texts, isAlone ? 2 * toEdge : to - from, measure, textSize, true);
  const flow = there ?? back;
  if (text === '' || flow === undefined) return undefined;
  const x = middle - measure(text, textSize, true, false) / 2;
  const y = left.cache.y + left.cache.height + arcDepth + 2 * scale;
  return written(
    { text, x, y, isBold: true, colour: 'cache-text', thing: thingOf(flow) },
    layout,
    measure,
  );
}

function oneTexts(flow: Flow | undefined): readonly string[] {
  if (flow === undefined) return [];
  const lines = shortLinesText(flow.lines);
  const cycles = m.stage_cycles({ cycles: countText(flow.cycles) });
  const [from, to] = [m.cpu({ cpu: flow.from.cpu }), m.cpu({ cpu: flow.to.cpu })];
  return [
    `${lines} ${from} → ${to} · ${cycles}`,
    `${lines} → ${to} · ${cycles}`,
    `${lines} → ${to}`,
    `${countText(flow.lines)} → ${to}`,
  ];
}

function bothTexts(left: Column, right: Column, there: Flow, back: Flow): readonly string[] {
  const priced = ({ lines, cycles }: Flow) => pricedText(lines, cycles);
  return [
    `${m.cpu({ cpu: left.cpu })} → ${m.cpu({ cpu: right.cpu })} ${priced(there)} · ← ${priced(back)}`,
    `→ ${priced(there)} · ← ${priced(back)}`,
    `→ ${shortLinesText(there.lines)} · ← ${shortLinesText(back.lines)}`,
    `→ ${countText(there.lines)} · ← ${countText(back.lines)}`,
  ];
}

function thingOf({ from, to }: Flow): Thing {
  return { kind: 'hand-over', from: from.cpu, to: to.cpu };
}

function touches(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width;
}
