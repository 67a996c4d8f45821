/**
 * Names, depths and limits of queues: as the title of the slot where a queue belongs to a
 * CPU, as a gauge beside the row's name where it belongs to a device or a socket.
 */
import type { Frame } from '../core/frame.ts';
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import type { DropNote } from './ended.ts';
import type { Layout, Row, Slot } from './layout.ts';
import { isOfModel } from './machine/has-status.ts';
import { armedTimers, timerBar, timerTexts } from './machine/notes.ts';
import type { Armed } from './machine/notes.ts';
import { written } from './machine/texts.ts';
import { ringBoxes, ringPitch } from './packing.ts';
import type { LabelShape, Measure, Shape, Thing } from './shapes.ts';
import { depthText, firstFitting, fitted } from './text.ts';
import type { Words } from './words.ts';

export interface QueueState {
  readonly at: number;
  readonly name: string;
  readonly label: string;
  readonly depth: number;
  readonly text: string;
  /** 0 to 1 of the limit, or of the deepest it ever was where no limit is known. */
  readonly share: number;
}

export function slotShapes(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  measure: Measure,
  used: ReadonlySet<Slot>,
  notes: ReadonlyMap<Slot, string>,
  drops: ReadonlyMap<Slot, DropNote>,
): readonly Shape[] {
  return layout.slots.flatMap((slot) => {
    const queue = ownQueue(frame, run, layout, words, slot);
    const shapes: Shape[] = [];
    // Names where nothing is would be noise in every column; one column keeps them all.
    const isOwn = queue !== undefined && (!isOfModel(run) || queue.depth > 0);
    const isNamed = slot.column === layout.home || isOwn || used.has(slot) || drops.has(slot);
    if (!isNamed) return [];
    if (slot.kind === 'ring') {
      shapes.push({
        kind: 'ring',
        rect: slot.body,
        boxes: ringBoxes(slot, layout.scale),
        pitch: ringPitch(slot, layout.scale),
        isObserved: isKindKnown(run, words, slot.name),
        thing: stationThing(slot),
      });
    }
    const isNarrow = layout.columns[slot.column]?.isNarrow === true;
    // Timers belong to devices: one column tells of them.
    const armed =
      slot.kind === 'ring' && slot.column === layout.home ? armedTimers(frame, run)[0] : undefined;
    shapes.push(
      ...(armed === undefined
        ? titleShapes(slot, queue, isNarrow, layout, measure, notes.get(slot), drops.get(slot))
        : timerShapes(slot, armed, queue, layout, measure)),
    );
    if (slot.kind === 'ring' && !isKindKnown(run, words, slot.name) && !isNarrow) {
      shapes.push(...notObserved(slot, layout, measure));
    }
    return shapes;
  });
}

/** Queues of devices and sockets, beside the name of their row. */
export function gutterGauges(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  measure: Measure,
): readonly Shape[] {
  if (layout.gutter === 0) return [];
  return layout.rows.flatMap((row) => gaugesOf(frame, run, row, layout, words, measure));
}

export function queueState(frame: Frame, run: Opened, words: Words, at: number): QueueState {
  const info = run.queues[at];
  const depth = frame.queueDepth[at] ?? 0;
  const limit = frame.queueLimit[at] ?? 0;
  const most = limit > 0 ? limit : (info?.maxDepth ?? 0);
  return {
    at,
    name: words.glossary.queues[info?.kind ?? -1]?.name ?? 'queue',
    label: info?.label ?? '',
    depth,
    text: depthText(depth, limit, info?.unit ?? ''),
    share: most > 0 ? Math.min(1, depth / most) : 0,
  };
}

function gaugesOf(
  frame: Frame,
  run: Opened,
  row: Row,
  layout: Layout,
  words: Words,
  measure: Measure,
): readonly Shape[] {
  const { scale, textSize, lineHeight } = layout;
  const names = row.spec.lanes.flatMap(({ rx, tx }) =>
    [...rx, ...tx].flatMap(({ stations }) => stations),
  );
  const placeOf = (kind: number) => names.indexOf(words.glossary.queues[kind]?.name ?? '');
  const shared = run.queues
    .map((info, at) => ({ info, at, place: placeOf(info.kind) }))
    .filter(({ info, place }) => info.cpu === NO_CPU && place !== -1)
    // Of one kind the deepest of the whole run comes first: the order is not the moment's.
    .sort((a, b) => a.place - b.place || b.info.maxDepth - a.info.maxDepth || a.at - b.at);
  if (shared.length === 0) return [];

  const x = 16 * scale;
  const width = layout.gutter - x - 14 * scale;
  const top = row.rect.y + layout.labelPad * 1.5 + lineHeight;
  const gaugeHeight = lineHeight * 2 + 9 * scale;
  const fits = Math.max(1, Math.floor((row.rect.y + row.rect.height - top) / gaugeHeight));
  const isSingleLine = row.rect.y + row.rect.height - top < gaugeHeight;

  return shared.slice(0, fits).flatMap(({ at }, index): readonly Shape[] => {
    const state = queueState(frame, run, words, at);
    const y = top + index * gaugeHeight;
    const thing: Thing = { kind: 'queue', queue: at };
    const more = index === fits - 1 && shared.length > fits ? ` +${shared.length - fits}` : '';
    const whose = state.label === '' ? '' : ` · ${state.label}`;
    const titles = [`${state.name}${whose}${more}`, `${state.name}${more}`];
    const label = (text: string, labelY: number): LabelShape => ({
      kind: 'label',
      text,
      size: textSize,
      colour: 'ink-soft',
      align: 'left',
      isBold: false,
      isMono: false,
      isPlate: false,
      rect: { x, y: labelY, width: measure(text, textSize, false, false), height: lineHeight },
      thing,
    });
    const gauge = (gaugeY: number): Shape => ({
      kind: 'gauge',
      rect: { x, y: gaugeY, width, height: 3 * scale },
      share: state.share,
      thing,
    });
    if (isSingleLine) {
      const text = firstFitting(
        [`${state.name} ${state.text}${more}`, `${state.text}${more}`, state.text],
        width,
        measure,
        textSize,
      );
      return text === '' ? [] : [label(text, y), gauge(y + lineHeight)];
    }
    const title =
      firstFitting(titles, width, measure, textSize) ||
      fitted(state.name, width, measure, textSize);
    const text = fitted(state.text, width, measure, textSize);
    return [label(title, y), label(text, y + lineHeight), gauge(y + 2 * lineHeight + scale)];
  });
}

/** The queue whose depth belongs to a slot: of its CPU; on a narrow page also the shared one. */
function ownQueue(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  slot: Slot,
): QueueState | undefined {
  const kind = words.queueIndex.get(slot.name);
  if (kind === undefined) return undefined;
  const cpu = layout.columns[slot.column]?.cpu;
  const own =
    cpu === NO_CPU ? -1 : run.queues.findIndex((queue) => queue.kind === kind && queue.cpu === cpu);
  const isOnlyColumn = layout.gutter === 0;
  const shared = isOnlyColumn
    ? run.queues.findIndex((queue) => queue.kind === kind && queue.cpu === NO_CPU)
    : -1;
  const at = own === -1 ? shared : own;
  if (at !== -1) return queueState(frame, run, words, at);
  return ofAllSockets(frame, run, words, slot.name);
}

/** In a model the short queues of sockets, of all of them together: beside the row is no room for each. */
function ofAllSockets(
  frame: Frame,
  run: Opened,
  words: Words,
  name: string,
): QueueState | undefined {
  if (!isOfModel(run) || (name !== 'prequeue' && name !== 'socket backlog')) return undefined;
  const kind = words.queueIndex.get(name);
  const all = run.queues.flatMap((queue, at) => (queue.kind === kind ? [at] : []));
  const states = all.map((at) => queueState(frame, run, words, at));
  const [first] = states;
  if (first === undefined || states.length === 1) return first;
  const depth = states.reduce((sum, state) => sum + state.depth, 0);
  const unit = run.queues[first.at]?.unit ?? '';
  return { ...first, depth, text: depthText(depth, 0, unit), share: 0 };
}

function titleShapes(
  slot: Slot,
  queue: QueueState | undefined,
  isNarrow: boolean,
  layout: Layout,
  measure: Measure,
  note: string | undefined,
  drop: DropNote | undefined,
): readonly Shape[] {
  if (isNarrow && drop === undefined) return [];
  const { textSize, scale } = layout;
  const { width } = slot.titleRect;
  const shapes: Shape[] = [];
  const label = (
    text: string,
    x: number,
    isDrop: boolean,
    thing: Thing | undefined,
  ): LabelShape => ({
    kind: 'label',
    text,
    size: textSize,
    colour: isDrop ? 'ink' : 'ink-muted',
    align: 'left',
    isBold: isDrop,
    isMono: false,
    isPlate: false,
    rect: { ...slot.titleRect, x, width: measure(text, textSize, isDrop, false) },
    thing,
  });
  let x = slot.titleRect.x;
  const dropText = drop === undefined ? '' : fitted(drop.text, width, measure, textSize, true);
  const dropWidth = dropText === '' ? 0 : measure(dropText, textSize, true, false) + 8 * scale;
  // The process's row has its card's text there, unless something is dropped.
  if (slot.row !== 'process' && slot.title !== '' && !isNarrow) {
    const detail = note ?? queue?.text;
    const texts =
      detail === undefined
        ? [slot.title, slot.shortTitle]
        : [
            `${slot.title} · ${detail}`,
            `${slot.shortTitle} · ${detail}`,
            ...(queue === undefined ? [] : [`${slot.shortTitle} ${queue.depth}`]),
            slot.title,
          ];
    const room = width - dropWidth;
    const text =
      firstFitting(texts, room, measure, textSize) ||
      (drop === undefined ? fitted(slot.title, room, measure, textSize) : '');
    if (text !== '') {
      const thing: Thing | undefined =
        queue === undefined ? stationThing(slot) : { kind: 'queue', queue: queue.at };
      shapes.push(label(text, x, false, thing));
      x += measure(text, textSize, false, false) + 8 * scale;
    }
  }
  if (drop !== undefined && dropText !== '') shapes.push(label(dropText, x, true, drop.thing));
  return shapes;
}

/** The title of a ring while an interrupt is held back, with what is left of the timer. */
function timerShapes(
  slot: Slot,
  armed: Armed,
  queue: QueueState | undefined,
  layout: Layout,
  measure: Measure,
): readonly Shape[] {
  const depth = queue === undefined ? '' : ` ${queue.text}`;
  const texts = timerTexts(armed).flatMap((text) => [`${slot.title}${depth} · ${text}`, text]);
  const text = firstFitting(texts, slot.titleRect.width, measure, layout.textSize);
  const thing: Thing = { kind: 'timer', timer: armed.timer };
  const { x, y } = slot.titleRect;
  return [
    ...(text === '' ? [] : [written({ text, x, y, thing }, layout, measure)]),
    timerBar(slot, armed, layout.scale),
  ];
}

function notObserved(slot: Slot, layout: Layout, measure: Measure): readonly Shape[] {
  const text = fitted('not observed', slot.body.width, measure, layout.textSize);
  if (text === '') return [];
  const width = measure(text, layout.textSize, false, false);
  return [
    {
      kind: 'label',
      text,
      size: layout.textSize,
      colour: 'ink-muted',
      align: 'center',
      isBold: false,
      isMono: false,
      isPlate: true,
      rect: {
        x: slot.body.x + (slot.body.width - width) / 2,
        y: slot.body.y + (slot.body.height - layout.lineHeight) / 2,
        width,
        height: layout.lineHeight,
      },
      thing: stationThing(slot),
    },
  ];
}

export function isKindKnown(run: Opened, words: Words, name: string): boolean {
  const kind = words.queueIndex.get(name);
  return run.queues.some((queue) => queue.kind === kind);
}

export function stationThing(slot: Slot): Thing | undefined {
  const [station] = slot.stations;
  return station === undefined ? undefined : { kind: 'station', station };
}
