/**
 * The vessels of the stage with their names, depths, limits and what they refused, each at the
 * place where its queue is.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { NO_WORD } from '../core/core.ts';
import type { Entry } from './entries.ts';
import type { Layout, Slot } from './layout.ts';
import { isOfModel } from './machine/has-status.ts';
import { armedTimers, timerBar, timerTexts } from './machine/notes.ts';
import { written } from './machine/texts.ts';
import { levelOf } from './packets.ts';
import { interior, ringPitch } from './packing.ts';
import type { LabelShape, Measure, Rect, Shape, Thing } from './shapes.ts';
import { depthText, firstFitting, fitted, wrapped } from './text.ts';
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

export function queueState(frame: Frame, run: Opened, words: Words, at: number): QueueState {
  const info = run.queues[at];
  const depth = frame.queueDepth[at] ?? 0;
  const limit = frame.queueLimit[at] || (info?.limit ?? 0);
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

/** The vessels themselves, behind the packets. */
export function vesselShapes(frame: Frame, run: Opened, layout: Layout): readonly Shape[] {
  return layout.slots.flatMap((slot): readonly Shape[] => {
    if (slot.kind === 'work') return [];
    const level = levelOf(frame, run, slot);
    const vessel: Shape = {
      kind: 'vessel',
      rect: slot.body,
      mouth: slot.direction === 'rx' ? 'right' : 'left',
      hasLid: slot.hasLid,
      isFull: level !== undefined && level >= 1,
      level,
      thing: thingOf(slot),
    };
    const bin: readonly Shape[] =
      slot.bin === undefined
        ? []
        : [
            {
              kind: 'panel',
              rect: slot.bin,
              fill: undefined,
              line: 'line-strong',
              radius: 0.12 * slot.bin.height,
              isDashed: true,
            },
          ];
    if (slot.kind !== 'ring') return [vessel, ...bin];
    const pitch = ringPitch(slot);
    const room = interior(slot);
    return [
      vessel,
      { kind: 'ring', rect: room, boxes: Math.round(room.width / pitch), pitch },
      ...bin,
    ];
  });
}

/** What is written above the vessels and in their bins; nothing flies above it. */
export function vesselTexts(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  measure: Measure,
  notes: ReadonlyMap<Slot, string>,
  drops: ReadonlyMap<Slot, readonly Entry[]>,
): readonly Shape[] {
  // Timers belong to devices: one vessel tells of them.
  const [armed] = armedTimers(frame, run);
  const ring = layout.slots.find(({ kind, column }) => kind === 'ring' && column === layout.home);
  const places = layout.slots.filter(({ bin }) => bin !== undefined);
  return layout.slots.flatMap((slot): readonly Shape[] => {
    const dropped = drops.get(slot) ?? droppedBeside(slot, layout, drops);
    const refused = refusedAt(frame, words, slot, dropped, places.length === 1);
    if (slot.kind === 'work' && refused === undefined) return [];
    const reason = refused === undefined ? [] : reasonLabel(slot, refused, layout, measure);
    const taken = reason
      .filter(({ rect }) => rect.y === slot.titleRect.y)
      .reduce((sum, { rect }) => sum + rect.width + layout.textSize, 0);
    const room = slot.titleRect.width - taken;
    if (slot === ring && armed !== undefined && refused === undefined) {
      const depth = titleTexts(frame, run, words, slot, undefined)[0] ?? slot.title;
      const texts = timerTexts(armed).flatMap((text) => [`${depth} · ${text}`, text]);
      const text = firstFitting(texts, room, measure, layout.textSize);
      const thing: Thing = { kind: 'timer', timer: armed.timer };
      const { x, y } = slot.titleRect;
      return [
        ...(text === '' ? [] : [written({ text, x, y, thing }, layout, measure)]),
        timerBar(slot, armed, layout.scale),
      ];
    }
    if (slot.kind === 'work') return reason;
    const texts = titleTexts(frame, run, words, slot, notes.get(slot));
    const text =
      firstFitting(texts, room, measure, layout.textSize) ||
      fitted(texts.at(-1) ?? slot.title, room, measure, layout.textSize);
    return [
      ...(text === '' ? [] : [label(text, slot, slot.titleRect.x, false, layout, measure)]),
      ...reason,
    ];
  });
}

/** What a place on the rail dropped is told by the vessel beside it. */
function droppedBeside(
  slot: Slot,
  layout: Layout,
  drops: ReadonlyMap<Slot, readonly Entry[]>,
): readonly Entry[] | undefined {
  if (slot.kind === 'work') return undefined;
  const first = layout.slots.find(
    ({ lane, column, kind }) => lane === slot.lane && column === slot.column && kind !== 'work',
  );
  if (first !== slot) return undefined;
  const beside = [...drops].find(
    ([{ lane, column, kind }]) => kind === 'work' && lane === slot.lane && column === slot.column,
  );
  return beside?.[1];
}

interface Refused {
  readonly count: number;
  readonly name: string;
  readonly sentence: string;
  readonly thing: Thing;
}

/** What a slot refused: within the linger, or since the start where it is the only one of the run that does. */
function refusedAt(
  frame: Frame,
  words: Words,
  slot: Slot,
  dropped: readonly Entry[] | undefined,
  isOnly: boolean,
): Refused | undefined {
  const last = dropped?.at(-1);
  if (last === undefined) return undefined;
  const reason = frame.packets.dropReason[last.index] ?? NO_WORD;
  const word = words.glossary.dropReasons[reason];
  const recent = dropped?.length ?? 0;
  const isAll = isOnly && slot.bin !== undefined;
  const count = isAll ? Math.max(recent, frame.counters.dropped) : recent;
  return {
    count,
    name: word?.name ?? 'dropped',
    // Its first part says why; the rest says what to do about it.
    sentence: (word?.sentence ?? '').split(/[:;.]/)[0] ?? '',
    thing: { kind: 'drop', packet: last.packet, reason },
  };
}

/**
 * The kernel's name of the reason, in words where there is room: at the end of a vessel's line of
 * titles; of a place on the rail beside it, where nothing else is.
 */
function reasonLabel(
  slot: Slot,
  { count, name, sentence, thing }: Refused,
  layout: Layout,
  measure: Measure,
): readonly LabelShape[] {
  const { textSize, lineHeight } = layout;
  const label = (text: string, { x, y, width, height }: Rect, isRight: boolean): LabelShape => {
    const own = measure(text, textSize, true, false);
    return {
      kind: 'label',
      text,
      size: textSize,
      colour: 'ink',
      align: 'left',
      isBold: true,
      isMono: false,
      isPlate: false,
      rect: { x: isRight ? x + width - own : x, y, width: own, height },
      thing,
    };
  };
  const fits = (texts: readonly string[], width: number) =>
    firstFitting(texts, width, measure, textSize, true);
  const below = areaBelow(slot, layout);
  if (below !== undefined) {
    const width = (text: string) => measure(text, textSize, true, false);
    const lines = [...wrapped(`✕ ${count} · ${sentence}`, below.width, width), name];
    const isRoomy = lines.length * lineHeight <= below.height;
    if (isRoomy && lines.every((line) => width(line) <= below.width)) {
      return lines.map((line, at) =>
        label(line, { ...below, y: below.y + at * lineHeight, height: lineHeight }, false),
      );
    }
  }
  const area = reasonArea(slot, layout);
  if (area === undefined) return [];
  const texts = [`✕ ${count} · ${sentence} · ${name}`, `✕ ${count} · ${name}`, `✕ ${count}`];
  const text = fits(sentence === '' ? texts.slice(1) : texts, area.width);
  return text === '' ? [] : [label(text, area, slot.kind !== 'work')];
}

/** Below a vessel, where its CPU uses nothing of the lanes that come next. */
function areaBelow(slot: Slot, layout: Layout): Rect | undefined {
  const column = layout.columns[slot.column];
  const at = layout.lanes.findIndex(({ spec }) => spec.id === slot.lane);
  const next = layout.lanes.slice(at + 1);
  const isFree = (lane: Layout['lanes'][number]) =>
    !layout.slots.some(({ column: of, lane: id }) => of === slot.column && id === lane.spec.id);
  const taken = next.findIndex((lane) => !isFree(lane));
  const free = taken === -1 ? next : next.slice(0, taken);
  const height = free.reduce((sum, { rect }) => sum + rect.height, 0);
  const [first] = free;
  if (slot.kind === 'work' || column === undefined || first === undefined) return undefined;
  if (height < 2.4 * layout.lineHeight) return undefined;
  const y = first.rect.y + 0.2 * layout.lineHeight;
  return {
    x: column.innerX,
    y,
    width: column.innerWidth,
    height: height - 0.4 * layout.lineHeight,
  };
}

function reasonArea(slot: Slot, layout: Layout): Rect | undefined {
  if (slot.kind !== 'work') return slot.titleRect;
  const column = layout.columns[slot.column];
  const others = layout.slots.filter(
    ({ lane, column: at, kind }) => lane === slot.lane && at === slot.column && kind !== 'work',
  );
  if (column === undefined || others.length > 0) return undefined;
  const gap = 0.5 * layout.textSize;
  const from = column.rxRail === undefined ? column.innerX : column.rxRail.x + column.rxRail.width;
  const to = column.txRail === undefined ? column.innerX + column.innerWidth : column.txRail.x;
  const height = Math.min(layout.lineHeight, slot.body.height);
  // What comes up has the left half, what goes down the right one; the tasks' lane is full.
  const width = Math.max(0, (to - from) / 2 - 2 * gap);
  if (slot.lane === 'process') return undefined;
  return {
    x: slot.direction === 'rx' ? from + gap : to - gap - width,
    y: slot.body.y + (slot.body.height - height) / 2,
    width,
    height,
  };
}

/** The name of a vessel with its depth and limit, the fullest text first. */
function titleTexts(
  frame: Frame,
  run: Opened,
  words: Words,
  slot: Slot,
  note: string | undefined,
): readonly string[] {
  const states = slot.queues.map((at) => queueState(frame, run, words, at));
  const [first] = states;
  const names = [slot.title, slot.shortTitle];
  if (note !== undefined) return [...names.map((name) => `${name} · ${note}`), ...names];
  if (first === undefined) return names;
  if (states.length === 1) {
    const whose = first.label === '' || isOfCpu(run, first.at) ? [] : [` of ${first.label}`];
    const told = isOfModel(run) && first.depth === 0 && first.share === 0 ? '' : `: ${first.text}`;
    return [
      ...whose.map((of) => `${slot.title}${of}${told}`),
      `${slot.title}${told}`,
      `${slot.shortTitle}${told}`,
      `${slot.shortTitle} ${first.depth}`,
      slot.shortTitle,
    ];
  }
  const depth = states.reduce((sum, state) => sum + state.depth, 0);
  const text = depthText(depth, 0, run.queues[first.at]?.unit ?? '');
  return [
    `${slot.title} of ${states.length} sockets: ${text}`,
    `${slot.title}: ${text}`,
    `${slot.shortTitle}: ${text}`,
    slot.shortTitle,
  ];
}

function isOfCpu(run: Opened, queue: number): boolean {
  return run.queues[queue]?.label.startsWith('CPU ') === true;
}

function label(
  text: string,
  slot: Slot,
  x: number,
  isBold: boolean,
  layout: Layout,
  measure: Measure,
): LabelShape {
  return {
    kind: 'label',
    text,
    size: layout.textSize,
    colour: 'ink-muted',
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: {
      x,
      y: slot.titleRect.y,
      width: measure(text, layout.textSize, isBold, false),
      height: layout.lineHeight,
    },
    thing: thingOf(slot),
  };
}

function thingOf(slot: Slot): Thing | undefined {
  const [queue] = slot.queues;
  if (queue !== undefined) return { kind: 'queue', queue };
  const [station] = slot.stations;
  return station === undefined ? undefined : { kind: 'station', station };
}
