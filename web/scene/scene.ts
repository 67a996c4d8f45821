/**
 * A frame on a page, as shapes from the back to the front. `backdrop` is what stays the same as long as the
 * layout does; `scene` is what a frame adds. Labels come last, so that no moving packet covers the name of
 * its destination.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import { bridgeShapes } from './bridges.ts';
import { cacheShapes, handOverTexts } from './caches.ts';
import { calloutOf } from './callout.ts';
import { chipShapes } from './chips.ts';
import { endedShapes } from './ended.ts';
import { entriesOf } from './entries.ts';
import type { Entries } from './entries.ts';
import { dimmed } from './follow.ts';
import { headShapes } from './heads.ts';
import { heldIn } from './held.ts';
import { insetOf, type Layout } from './layout.ts';
import { crossingShapes, movedTexts } from './machine/crossings.ts';
import { holdingShapes } from './machine/holdings.ts';
import { sumShapes } from './machine/notes.ts';
import { placePackets } from './packets.ts';
import { processShapes } from './process.ts';
import { vesselShapes, vesselTexts } from './queues.ts';
import { ribbonShapes } from './ribbon.ts';
import type { LabelShape, Measure, Shape, Thing, View } from './shapes.ts';
import { slotTable } from './slot-table.ts';
import type { SlotTable } from './slot-table.ts';
import { stepShapes } from './steps.ts';
import { transportOf } from './words.ts';
import type { Words } from './words.ts';
import { m } from '../words/generated/messages.js';
import { firstFitting, fitted } from './text.ts';

/** A run laid out on a page: all that stays the same while time passes. */
export interface Stage {
  readonly run: Opened;
  readonly words: Words;
  readonly layout: Layout;
  readonly measure: Measure;
  readonly table: SlotTable;
  /** The letters on the innermost header shell. */
  readonly transport: string;
}

export function stageOf(run: Opened, words: Words, layout: Layout, measure: Measure): Stage {
  return {
    run,
    words,
    layout,
    measure,
    table: slotTable(layout, words),
    transport: transportOf(words, run),
  };
}

export function backdrop({ layout, measure }: Stage): readonly Shape[] {
  const { scale } = layout;
  const columns = layout.columns.flatMap((column): readonly Shape[] => {
    const { rect, rxRail, txRail } = column;
    const panel: Shape = {
      kind: 'panel',
      rect,
      fill: 'page',
      line: 'line',
      radius: 6 * scale,
      isDashed: false,
    };
    const rails = [
      { rail: rxRail, direction: 'up' as const },
      { rail: txRail, direction: 'down' as const },
    ].flatMap(({ rail, direction }): readonly Shape[] =>
      rail === undefined
        ? []
        : [{ kind: 'rail', direction, rect: { ...rect, x: rail.x, width: rail.width } }],
    );
    return [panel, ...rails];
  });
  const left = layout.gutter === 0 ? (layout.columns[0]?.rect.x ?? 0) : 0.5 * layout.textSize;
  const last = layout.columns.at(-1)?.rect;
  const end = last === undefined ? layout.width : last.x + last.width;
  const rules = layout.lanes.slice(1).map(({ rect }): Shape => ({
    kind: 'rule',
    rect: { x: left, y: rect.y, width: end - left, height: 0 },
  }));
  return [...columns, ...rules, ...laneLabels(layout, measure)];
}

export function entriesIn(stage: Stage, frame: Frame, view: View): Entries {
  return entriesOf(frame, stage.layout, stage.table, stage.words, view);
}

export function scene(
  stage: Stage,
  frame: Frame,
  past: Lanes | undefined,
  view: View,
): readonly Shape[] {
  const { run, words, layout, measure, transport } = stage;
  const entries = entriesIn(stage, frame, view);
  const inStack = (text: string) => measure(text, layout.textSize, true, false);
  const placed = placePackets(frame, run, transport, layout, entries, inStack, view);
  const ended = endedShapes(
    frame,
    entries.ended,
    entries.live,
    [...placed.passing, ...placed.standing, ...placed.chosen],
    placed.rectOf,
    placed.endedAt,
    words,
    transport,
    view,
  );
  const isOfCaches = run.machine.caches.length > 0;
  const caches = isOfCaches
    ? [
        ...holdingShapes(frame, run, layout, measure),
        ...crossingShapes(frame, run, layout, measure, view, placed.rectOf),
      ]
    : cacheShapes(run, layout, entries.live, measure);
  const still = [
    ...chipShapes(frame, layout, words, entries, measure, view),
    ...headShapes(frame, run, past, layout, words, measure, view.linger),
    ...sumShapes(frame, run, view.linger, layout, measure),
    ...vesselShapes(frame, run, words, layout, entries.ended),
    ...bridgeShapes(run, words, layout, entries.live),
    ...processShapes(frame, run, layout, words, entries.live, measure, view),
  ];
  const ribbon = ribbonShapes(stage, frame, entries, view);
  const isElsewhere = (shape: Shape) => shape.kind === 'capsule' && ended.cut.has(shape.packet);
  const shapes = [
    ...still,
    ...(ribbon.length > 0 ? ribbon : [...caches, ...handOverLabels(stage, frame)]),
    ...[...placed.passing, ...placed.standing, ...placed.chosen].filter(
      (shape) => !isElsewhere(shape),
    ),
    ...stepShapes(stage, frame, entries, placed.rectOf, view),
    // Above the packet that absorbs them: merged packets are moving into it.
    ...ended.shapes,
    ...vesselTexts(
      ...([frame, run, layout, words, measure, placed.notes, ended.drops] as const),
      heldIn(frame, run, entries.live),
    ),
  ];
  const at =
    view.selected === undefined || view.selected === view.followed
      ? undefined
      : (placed.rectOf.get(view.selected) ?? ended.rectOf.get(view.selected));
  const callout =
    at === undefined ? undefined : calloutOf(at, entries, shapes, layout, measure, view);
  const all = callout === undefined ? shapes : [...shapes, callout];
  return view.followed === undefined ? all : dimmed(all, ribbon, entries, layout, view.followed);
}

function laneLabels(layout: Layout, measure: Measure): readonly Shape[] {
  if (layout.gutter === 0) return [];
  const lanes = layout.lanes.flatMap(({ spec, label, rect, titleHeight, bodyHeight }) =>
    label === ''
      ? []
      : [
          gutterLabel(
            label,
            rect.y + titleHeight + (bodyHeight - layout.lineHeight) / 2,
            true,
            { kind: 'row', row: spec.row, lane: spec.id },
            layout,
            measure,
          ),
        ],
  );
  return lanes;
}

function handOverLabels({ run, layout, measure }: Stage, frame: Frame): readonly Shape[] {
  if (layout.gutter === 0) return [];
  const texts = run.machine.caches.length > 0 ? movedTexts(frame) : handOverTexts(frame, run);
  const top = layout.caches.y;
  const said = layout.isCompact ? [] : texts;
  return [m.stage_row_caches(), ...said].flatMap((text, at) => {
    const y = top + at * layout.lineHeight;
    if (y + layout.lineHeight > layout.height) return [];
    const room = layout.gutter - 0.9 * layout.textSize;
    const [number = ''] = text.split(/[ \u00a0]/);
    // A number without its unit would be meaningless.
    const shorter = /^\d/.test(number) ? [m.stage_moved({ lines: number })] : [];
    const fits = firstFitting([text, ...shorter], room, measure, layout.textSize);
    const shown = at === 0 ? text : fits;
    if (shown === '') return [];
    return [gutterLabel(shown, y, at === 0, { kind: 'row', row: 'caches' }, layout, measure)];
  });
}

function gutterLabel(
  text: string,
  y: number,
  isBold: boolean,
  thing: Thing,
  layout: Layout,
  measure: Measure,
): LabelShape {
  const { textSize } = layout;
  const x = insetOf(textSize, layout.isCompact);
  const room = layout.gutter - x - Math.min(x, 0.3 * textSize);
  const shown = fitted(text, room, measure, textSize, isBold);
  return {
    kind: 'label',
    text: shown,
    size: textSize,
    colour: isBold ? 'ink-soft' : 'ink-muted',
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: { x, y, width: measure(shown, textSize, isBold, false), height: layout.lineHeight },
    thing,
  };
}
