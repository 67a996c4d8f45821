/**
 * The caches under the CPUs: how many of the packets in flight each CPU has
 * accessed last, and the hand-overs of packets between caches. In a recording
 * both are inferred from the CPUs of a packet's events, and the row says so.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Entry } from './entries.ts';
import { columnOf } from './layout.ts';
import type { Layout } from './layout.ts';
import type { ArcShape, LabelShape, Measure, Rect, Shape, Thing } from './shapes.ts';
import { formatBytes } from '../numbers/format.ts';
import { handOversText, packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { firstFitting } from './text.ts';

/** More at once could not be told apart. */
const ARCS_SHOWN = 4;

export function cacheShapes(
  run: Opened,
  layout: Layout,
  live: readonly Entry[],
  measure: Measure,
): readonly Shape[] {
  const { scale, textSize, lineHeight } = layout;
  const text = (
    words: string,
    rect: Rect,
    align: LabelShape['align'],
    isBold: boolean,
    thing: Thing,
  ): LabelShape => ({
    kind: 'label',
    text: words,
    size: textSize,
    colour: isBold ? 'cache-text' : 'ink-muted',
    align,
    isBold,
    isMono: false,
    isPlate: false,
    rect,
    thing,
  });
  const boxes = layout.columns.flatMap((column, index): readonly Shape[] => {
    const held = live.filter(({ cpu }) => columnOf(layout, cpu) === index);
    const bytes = held.reduce((sum, entry) => sum + entry.bytes, 0);
    const thing: Thing = { kind: 'cache', cpu: column.cpu };
    const { cache, innerX, innerWidth } = column;
    const cell = 9 * scale;
    const columns = Math.max(1, Math.floor(innerWidth / cell));
    const grid: Rect = {
      x: innerX,
      y: cache.y + (cache.height - cell - lineHeight - 4 * scale) / 2,
      width: columns * cell,
      height: cell,
    };
    const y = grid.y + grid.height + 4 * scale;
    const texts =
      held.length === 0
        ? [m.stage_cache_empty(), '']
        : [
            m.stage_cache_touched({ packets: packetsText(held.length), bytes: formatBytes(bytes) }),
            `${packetsText(held.length)}, ${formatBytes(bytes)}`,
            formatBytes(bytes),
          ];
    const shown = firstFitting(texts, innerWidth, measure, textSize);
    const width = measure(shown, textSize, false, false);
    return [
      {
        kind: 'panel',
        rect: cache,
        fill: 'panel',
        line: 'line',
        radius: 8 * scale,
        isDashed: false,
        thing,
      },
      {
        kind: 'cache',
        rect: grid,
        columns,
        rows: 1,
        filled: Math.min(columns, held.length),
        thing,
      },
      ...(shown === ''
        ? []
        : [text(shown, { x: innerX, y, width, height: lineHeight }, 'left', false, thing)]),
    ];
  });
  return [...boxes, ...handOvers(run, layout, live, measure, text)];
}

/** What a row says about all hand-overs so far. */
export function handOverTexts(frame: Frame, run: Opened): readonly string[] {
  const moved = handOversText(frame.counters.cacheHandovers);
  return run.origin === 'recorded' ? [moved, m.stage_inferred()] : [moved];
}

function handOvers(
  run: Opened,
  layout: Layout,
  live: readonly Entry[],
  measure: Measure,
  text: (words: string, rect: Rect, align: 'center', isBold: boolean, thing: Thing) => LabelShape,
): readonly Shape[] {
  const { scale, textSize, lineHeight } = layout;
  const pairs = new Map<string, { from: number; to: number; entries: Entry[] }>();
  for (const entry of live) {
    const from = columnOf(layout, entry.cpu);
    const to = columnOf(layout, entry.nextCpu);
    if (entry.nextSlot === undefined || from === to || from === -1 || to === -1) continue;
    const key = `${from} ${to}`;
    const pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, { from, to, entries: [entry] });
    else pair.entries.push(entry);
  }
  const arcs = [...pairs.values()]
    .sort((a, b) => b.entries.length - a.entries.length || a.from - b.from || a.to - b.to)
    .slice(0, ARCS_SHOWN);
  const taken: Rect[] = [];
  return arcs.flatMap(({ from, to, entries }): readonly Shape[] => {
    const a = layout.columns[from];
    const b = layout.columns[to];
    if (a === undefined || b === undefined) return [];
    const thing: Thing = { kind: 'hand-over', from: a.cpu, to: b.cpu };
    const bottom = a.cache.y + a.cache.height;
    // There and back start a little apart.
    const shift = (from < to ? -8 : 8) * scale;
    const start = [a.cache.x + a.cache.width / 2 + shift, bottom] as const;
    const end = [b.cache.x + b.cache.width / 2 + shift, bottom] as const;
    const depth = layout.arcDepth;
    const arc: ArcShape = {
      kind: 'arc',
      from: start,
      to: end,
      depth,
      thickness: Math.min(4, 1.2 + Math.log2(entries.length) / 2) * scale,
      dots: entries.filter(({ hopped }) => hopped > 0).map(({ hopped }) => hopped),
      rect: {
        x: Math.min(start[0], end[0]),
        y: bottom,
        width: Math.abs(end[0] - start[0]),
        height: depth,
      },
      thing,
    };
    const suffix = run.origin === 'recorded' ? ` · ${m.stage_inferred()}` : '';
    const packets = packetsText(entries.length);
    const words = firstFitting(
      [
        `${m.stage_to_move_from({ packets, from: a.cpu, to: b.cpu })}${suffix}`,
        `${m.stage_to_move({ packets })}${suffix}`,
        m.stage_to_move({ packets }),
      ],
      arc.rect.width,
      measure,
      textSize,
      true,
    );
    const width = measure(words, textSize, true, false);
    const rect = {
      x: (start[0] + end[0]) / 2 - width / 2,
      y: bottom + depth + 2 * scale,
      width,
      height: lineHeight,
    };
    const isFree = taken.every(
      (other) => rect.x > other.x + other.width || rect.x + width < other.x,
    );
    if (words === '' || !isFree) return [arc];
    taken.push(rect);
    return [arc, text(words, rect, 'center', true, thing)];
  });
}
