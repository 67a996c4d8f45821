/**
 * The caches of a model under their CPUs: the number of lines of each kind as a bar of the cache's size
 * with its numbers, and the lines fetched from other caches so far. Adjacent CPUs that share a cache share
 * its block.
 */
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import type { Column, Layout } from '../layout.ts';
import type { Measure, Rect, Shape, StackedShape, Thing } from '../shapes.ts';
import { m } from '../../words/generated/messages.js';
import { firstFitting } from '../text.ts';
import { objectWord } from './object-words.ts';
import { countText, pricedText, shortLinesText, written, type HeldLines } from './texts.ts';

/** Strength of each kind's colour, in an order in which neighbours differ most. */
const STRENGTHS = [1, 0.5, 0.78, 0.34, 0.64, 0.22] as const;
/** Minimum width in pixels of a part that is not empty. */
const SMALLEST_PART = 2;

export interface Holding extends HeldLines {
  readonly object: number;
  readonly name: string;
}

/** The contents of a cache by kind, in the order in which the run first used the kinds. */
export function holdingsOf(frame: Frame, run: Opened, cache: number): readonly Holding[] {
  const { held } = frame.machine;
  const found: Holding[] = [];
  held.cache.forEach((owner, row) => {
    const object = held.object[row] ?? 0;
    const name = objectName(run, object);
    const lines = held.lines[row] ?? 0;
    if (owner !== cache || lines === 0) return;
    found.push({
      ...{ object, name, lines },
      modified: held.modified[row] ?? 0,
      exclusive: held.exclusive[row] ?? 0,
      shared: held.shared[row] ?? 0,
      invalidated: held.invalidated[row] ?? 0,
    });
  });
  return found;
}

export function objectName(run: Opened, object: number): string {
  const name = run.machine.objects[object] ?? '';
  return name === '' ? m.machine_unnamed() : objectWord(name);
}

/** The index of a CPU's cache in the run's caches. */
export function cacheOf(run: Opened, cpu: number): number {
  return run.machine.caches.findIndex((cpus) => cpus.includes(cpu));
}

/** The lines that the CPUs of a cache fetched from other caches: in total and within the linger. */
export function fetchedBy(frame: Frame, cpus: readonly number[]) {
  const { flows } = frame.machine;
  const sum = { lines: 0, cycles: 0, recent: 0 };
  flows.to.forEach((to, row) => {
    if (!cpus.includes(to)) return;
    sum.lines += flows.lines[row] ?? 0;
    sum.cycles += flows.cycles[row] ?? 0;
    sum.recent += flows.recentLines[row] ?? 0;
  });
  return sum;
}

export function holdingShapes(
  frame: Frame,
  run: Opened,
  layout: Layout,
  measure: Measure,
): readonly Shape[] {
  const seen = new Set<number>();
  return blocksOf(run, layout).flatMap(({ cache, columns }): readonly Shape[] => {
    const [first, last] = [columns[0], columns.at(-1)];
    if (first === undefined || last === undefined) return [];
    const thing: Thing = { kind: 'cache', cpu: first.cpu };
    const rect = { ...first.cache, width: last.cache.x + last.cache.width - first.cache.x };
    const panel: Shape = {
      kind: 'panel',
      rect,
      fill: 'panel',
      line: 'line',
      radius: 8 * layout.scale,
      isDashed: false,
      thing,
    };
    const inner: Rect = {
      x: first.innerX,
      y: rect.y,
      width: last.innerX + last.innerWidth - first.innerX,
      height: rect.height,
    };
    if (cache === -1) return [panel];
    if (seen.has(cache)) {
      return [panel, ...elsewhere(run, cache, inner, layout, measure, thing)];
    }
    seen.add(cache);
    return [panel, ...blockShapes(frame, run, cache, inner, layout, measure, thing)];
  });
}

/** Neighbouring columns whose CPUs share a cache, from left to right. */
function blocksOf(run: Opened, layout: Layout) {
  const blocks: { readonly cache: number; readonly columns: Column[] }[] = [];
  for (const column of layout.columns) {
    const cache = cacheOf(run, column.cpu);
    const block = blocks.at(-1);
    if (block !== undefined && cache !== -1 && block.cache === cache) block.columns.push(column);
    else blocks.push({ cache, columns: [column] });
  }
  return blocks;
}

function elsewhere(
  run: Opened,
  cache: number,
  inner: Rect,
  layout: Layout,
  measure: Measure,
  thing: Thing,
): readonly Shape[] {
  const others = run.machine.caches[cache] ?? [];
  const text = firstFitting(
    [
      m.stage_cache_shared({ cpu: others[0] ?? 0 }),
      m.stage_cache_of({ cpus: String(others[0] ?? 0) }),
      m.stage_cache_with({ cpu: others[0] ?? 0 }),
    ],
    inner.width,
    measure,
    layout.textSize,
  );
  const y = inner.y + (inner.height - layout.lineHeight) / 2;
  return text === '' ? [] : [written({ text, x: inner.x, y, thing }, layout, measure)];
}

function blockShapes(
  frame: Frame,
  run: Opened,
  cache: number,
  inner: Rect,
  layout: Layout,
  measure: Measure,
  thing: Thing,
): readonly Shape[] {
  const { scale, lineHeight, textSize } = layout;
  const cpus = run.machine.caches[cache] ?? [];
  const holdings = holdingsOf(frame, run, cache);
  const total = holdings.reduce((sum, { lines }) => sum + lines, 0);
  const size = run.machine.cacheLines;
  const barHeight = 8 * scale;
  const gap = (inner.height - 2 * lineHeight - barHeight) / 4;
  const top = inner.y + gap;
  const bar: Rect = {
    x: inner.x,
    y: top + lineHeight + gap,
    width: inner.width,
    height: barHeight,
  };
  const name = cpus.length > 1 ? m.stage_cache_of({ cpus: cpus.join(', ') }) : m.stage_cache();
  const held =
    size > 0
      ? m.stage_depth({ depth: countText(total), limit: shortLinesText(size) })
      : shortLinesText(total);
  const title = firstFitting(
    [`${name} · ${held}`, held, shortLinesText(total), countText(total)],
    inner.width,
    measure,
    textSize,
  );
  const titleWidth = title === '' ? 0 : measure(title, textSize, false, false) + 12 * scale;
  const fetched = fetchedBy(frame, cpus);
  const now = layout.isCompact && fetched.recent > 0;
  const told = now
    ? [
        m.stage_now_fetched({ lines: shortLinesText(fetched.recent) }),
        m.stage_now({ what: countText(fetched.recent) }),
      ]
    : [
        m.stage_fetched({ lines: pricedText(fetched.lines, fetched.cycles) }),
        m.stage_fetched({ lines: shortLinesText(fetched.lines) }),
        m.stage_fetched({ lines: countText(fetched.lines) }),
      ];
  const more = firstFitting(told, inner.width - titleWidth, measure, textSize);
  const moreX = inner.x + inner.width - measure(more, textSize, false, false);
  const label = (text: string, x: number, isStrong: boolean): readonly Shape[] => {
    if (text === '') return [];
    const colour = isStrong ? 'cache-text' : 'ink-muted';
    return [written({ text, x, y: top, colour, thing }, layout, measure)];
  };
  return [
    ...label(title, inner.x, false),
    ...(fetched.lines > 0 ? label(more, moreX, true) : []),
    stackedBar(holdings, bar, size, thing),
    ...legend(
      [...holdings].sort((a, b) => b.lines - a.lines),
      { ...inner, y: bar.y + bar.height + gap },
      layout,
      measure,
      thing,
    ),
  ];
}

function stackedBar(
  holdings: readonly Holding[],
  rect: Rect,
  size: number,
  thing: Thing,
): StackedShape {
  const total = holdings.reduce((sum, { lines }) => sum + lines, 0);
  // If the cache's size is unknown, its contents fill the bar.
  const whole = Math.max(size, total, 1);
  let x = 0;
  const widths = holdings.map(({ lines }) => Math.max(SMALLEST_PART, (lines / whole) * rect.width));
  // The width added to small parts is taken from all parts.
  const squeeze = Math.min(
    1,
    rect.width /
      Math.max(
        1,
        widths.reduce((sum, width) => sum + width, 0),
      ),
  );
  const parts = holdings.map(({ object }, at) => {
    const width = (widths[at] ?? 0) * squeeze;
    const part = { x: rect.x + x, width, strength: strengthOf(object) };
    x += width;
    return part;
  });
  return { kind: 'stacked', rect, parts, isBedded: true, thing };
}

function strengthOf(object: number): number {
  return STRENGTHS[object % STRENGTHS.length] ?? 1;
}

/** A swatch, a name and a number for each kind, as many as fit. */
function legend(
  holdings: readonly Holding[],
  area: Rect,
  layout: Layout,
  measure: Measure,
  thing: Thing,
): readonly Shape[] {
  const { scale, textSize, lineHeight } = layout;
  const swatch = 8 * scale;
  const gap = 4 * scale;
  const shapes: Shape[] = [];
  let x = area.x;
  const end = area.x + area.width;
  for (const [at, { name, lines, object }] of holdings.entries()) {
    const rest = holdings.length - at - 1;
    const more = rest > 0 ? measure(`+${rest + 1}`, textSize, false, false) + 2 * gap : 0;
    const room = end - x - swatch - gap - more;
    const text = firstFitting([`${name} ${countText(lines)}`], room, measure, textSize);
    if (text === '') {
      const hidden = `+${rest + 1}`;
      if (at > 0 && measure(hidden, textSize, false, false) <= end - x) {
        shapes.push(written({ text: hidden, x, y: area.y, thing }, layout, measure));
      }
      break;
    }
    const square = { x, y: area.y + (lineHeight - swatch) / 2, width: swatch, height: swatch };
    shapes.push(
      {
        kind: 'stacked',
        rect: square,
        parts: [{ x, width: swatch, strength: strengthOf(object) }],
        isBedded: false,
        thing,
      },
      written({ text, x: x + swatch + gap, y: area.y, colour: 'ink-soft', thing }, layout, measure),
    );
    x += swatch + gap + measure(text, textSize, false, false) + 3 * gap;
  }
  return shapes;
}
