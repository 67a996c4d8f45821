/**
 * A frame on a page, as shapes from the back to the front. `backdrop` is what stands still
 * as long as the layout does; `scene` is what a frame shows upon it.
 */
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import type { Opened } from '../core/core.ts';
import { cacheShapes, handOverTexts } from './caches.ts';
import { chipShapes } from './chips.ts';
import { endedShapes } from './ended.ts';
import { entriesOf } from './entries.ts';
import type { Entries } from './entries.ts';
import { headShapes, processShapes } from './heads.ts';
import { calloutOf } from './callout.ts';
import { crossingShapes, movedTexts } from './machine/crossings.ts';
import { holdingShapes } from './machine/holdings.ts';
import { sumShapes } from './machine/notes.ts';
import { slotTable } from './layout.ts';
import type { Layout, Slot } from './layout.ts';
import { placePackets } from './packets.ts';
import { gutterGauges, slotShapes } from './queues.ts';
import type { LabelShape, Measure, Shape, Thing, View } from './shapes.ts';
import { fitted } from './text.ts';
import type { Words } from './words.ts';

/** All that stays the same while time runs: a run laid out on a page. */
export interface Stage {
  readonly run: Opened;
  readonly words: Words;
  readonly layout: Layout;
  readonly measure: Measure;
  readonly table: readonly (readonly Slot[])[];
  readonly stationNames: readonly string[];
}

export function stageOf(run: Opened, words: Words, layout: Layout, measure: Measure): Stage {
  return {
    run,
    words,
    layout,
    measure,
    table: slotTable(layout, words),
    stationNames: words.glossary.stations.map(({ name }) => name),
  };
}

export function backdrop({ layout, measure }: Stage): readonly Shape[] {
  const { scale } = layout;
  const columns = layout.columns.map((column): Shape => ({
    kind: 'panel',
    rect: column.rect,
    fill: 'page',
    line: 'line',
    radius: 8 * scale,
    isDashed: false,
  }));
  const left = layout.columns[0]?.rect.x ?? 0;
  const rules = layout.rows.map(({ rect }): Shape => ({
    kind: 'rule',
    rect: {
      x: layout.gutter === 0 ? left : 10 * scale,
      y: rect.y,
      width: layout.width - (layout.gutter === 0 ? left : 10 * scale) - 10,
      height: 0,
    },
  }));
  const ways = layout.columns
    .filter(({ isNarrow }) => !isNarrow)
    .map((column): Shape => {
      const top = layout.rows[0]?.rect.y ?? 0;
      return {
        kind: 'rule',
        rect: {
          x: column.sendX,
          y: top,
          width: 0,
          height: column.rect.y + column.rect.height - top,
        },
      };
    });
  return [...columns, ...rules, ...ways, ...rowLabels(layout, measure)];
}

export function entriesIn(stage: Stage, frame: Frame, view: View): Entries {
  return entriesOf(frame, stage.layout, stage.table, stage.stationNames, view);
}

export function scene(
  stage: Stage,
  frame: Frame,
  past: Lanes | undefined,
  view: View,
): readonly Shape[] {
  const { run, words, layout, measure } = stage;
  const entries = entriesIn(stage, frame, view);
  const inStack = (text: string) => measure(text, layout.textSize, true, false);
  const placed = placePackets(frame, layout, entries, inStack, view);
  const ended = endedShapes(
    frame,
    entries.ended,
    placed.rectOf,
    placed.endedAt,
    words,
    layout.scale,
    view,
  );
  const used = new Set(
    entries.live.flatMap(({ slot, nextSlot }) =>
      nextSlot === undefined ? [slot] : [slot, nextSlot],
    ),
  );
  const still = [
    ...chipShapes(frame, layout, words, entries, measure, view),
    ...headShapes(frame, run, past, layout, words, measure, view.linger),
    ...sumShapes(frame, run, view.linger, layout, measure),
    ...processShapes(frame, run, layout, words, measure, ended.drops),
    ...gutterGauges(frame, run, layout, words, measure),
    ...slotShapes(frame, run, layout, words, measure, used, placed.notes, ended.drops),
    ...(run.machine.caches.length > 0
      ? [
          ...holdingShapes(frame, run, layout, measure),
          ...crossingShapes(frame, layout, measure, view),
        ]
      : cacheShapes(run, layout, entries.live, measure)),
    ...handOverLabels(stage, frame),
  ];
  const shapes = [...still, ...placed.shapes, ...ended.shapes];
  const at =
    view.selected === undefined
      ? undefined
      : (placed.rectOf.get(view.selected) ?? ended.rectOf.get(view.selected));
  const callout =
    at === undefined ? undefined : calloutOf(at, entries, shapes, layout, measure, view);
  return callout === undefined ? shapes : [...shapes, callout];
}

function rowLabels(layout: Layout, measure: Measure): readonly Shape[] {
  if (layout.gutter === 0) return [];
  const labels: readonly { readonly text: string; readonly y: number; readonly thing: Thing }[] = [
    ...layout.rows.map(({ spec, rect }) => ({
      text: spec.label,
      y: rect.y + layout.labelPad,
      thing: { kind: 'row', row: spec.name } as const,
    })),
    {
      text: 'caches',
      y: layout.caches.y + 2 * layout.scale,
      thing: { kind: 'row', row: 'caches' },
    },
  ];
  return labels.map(({ text, y, thing }) => gutterLabel(text, y, true, thing, layout, measure));
}

function handOverLabels({ run, layout, measure }: Stage, frame: Frame): readonly Shape[] {
  if (layout.gutter === 0) return [];
  const texts = run.machine.caches.length > 0 ? movedTexts(frame) : handOverTexts(frame, run);
  return texts.map((text, at) =>
    gutterLabel(
      text,
      layout.caches.y + 2 * layout.scale + (at + 1) * layout.lineHeight,
      false,
      { kind: 'row', row: 'caches' },
      layout,
      measure,
    ),
  );
}

function gutterLabel(
  text: string,
  y: number,
  isBold: boolean,
  thing: Thing,
  layout: Layout,
  measure: Measure,
): LabelShape {
  const { scale, textSize } = layout;
  const size = isBold ? textSize * 1.08 : textSize;
  const x = 16 * scale;
  const shown = fitted(text, layout.gutter - x - 8 * scale, measure, size, isBold);
  return {
    kind: 'label',
    text: shown,
    size,
    colour: isBold ? 'ink-soft' : 'ink-muted',
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: { x, y, width: measure(shown, size, isBold, false), height: layout.lineHeight },
    thing,
  };
}
