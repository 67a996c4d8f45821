/**
 * The vessels of the stage with their names, depths, limits and drops, each at the place of its queue.
 */
import { sum } from 'd3-array';
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import { landedOf } from './ended.ts';
import type { Entry } from './entries.ts';
import type { HeldIn } from './held.ts';
import type { Layout, Slot } from './layout.ts';
import { isOfModel } from './machine/has-status.ts';
import { onceOfBoth } from './once.ts';
import { armedTimers, timerBar, timerTexts } from './machine/notes.ts';
import { levelOf } from './packets.ts';
import { droppedBeside, reasonLabel, refusedAt } from './refused.ts';
import { interior, ringBoxes } from './packing.ts';
import type { LabelShape, Measure, Rect, Shape, Thing } from './shapes.ts';
import type { Words } from './words.ts';
import { formatCount } from '../numbers/format.ts';
import { socketsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { amountText, depthText, firstFitting } from './text.ts';
import { written } from './machine/texts.ts';
import { ownerWord, placeWord } from '../words/kernel-words.ts';

export interface QueueState {
  readonly at: number;
  readonly name: string;
  readonly label: string;
  readonly depth: number;
  readonly text: string;
  /** Whether its depth exceeds its limit. */
  readonly isPast: boolean;
  /** Fill level: 0 to 1 of the limit, or of the greatest depth in the run if no limit is known. */
  readonly share: number;
}

/** The state of a queue, optionally at another depth than the frame's. */
export function queueState(
  frame: Frame,
  run: Opened,
  words: Words,
  at: number,
  depth = frame.queueDepth[at] ?? 0,
): QueueState {
  const info = run.queues[at];
  const limit = frame.queueLimit[at] || (info?.limit ?? 0);
  const most = limit > 0 ? limit : (info?.maxDepth ?? 0);
  return {
    at,
    name: placeWord(words.glossary.queues[info?.kind ?? -1]?.name ?? ''),
    label: ownerWord(info?.label ?? ''),
    depth,
    text: depthText(depth, limit, info?.unit ?? ''),
    isPast: limit > 0 && depth > limit,
    share: most > 0 ? Math.min(1, depth / most) : 0,
  };
}

/** The vessels themselves, behind the packets. */
export function vesselShapes(
  frame: Frame,
  run: Opened,
  words: Words,
  layout: Layout,
  ended: readonly Entry[],
): readonly Shape[] {
  const refuser = onlyRefuser(run, words);
  return layout.slots.flatMap((slot): readonly Shape[] => {
    if (slot.kind === 'work') return [];
    const limited = levelOf(frame, run, slot);
    const level = limited ?? bytesOf(slot, frame, run, words);
    const vessel: Shape = {
      kind: 'vessel',
      rect: slot.body,
      mouth: slot.direction === 'rx' ? 'right' : 'left',
      hasLid: slot.hasLid,
      isFull: limited !== undefined && limited >= 1,
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
            ...heapIn(slot, slot.bin, refuser, frame, layout, ended),
          ];
    if (slot.kind !== 'ring') return [vessel, ...bin];
    const { boxes, pitch } = ringBoxes(slot, limitOf(slot, frame, run));
    return [vessel, { kind: 'ring', rect: interior(slot), boxes, pitch }, ...bin];
  });
}

/**
 * The only place of a run at which packets are dropped, if there is just one: all drops of the run occurred
 * there.
 */
const onlyRefuser = onceOfBoth((run: Opened, words: Words): string | undefined => {
  const refusing = run.visits.filter(({ drops }) => drops > 0);
  const [first] = refusing;
  return first === undefined || refusing.length > 1
    ? undefined
    : words.glossary.stations[first.station]?.name;
});

/** The packets in a bin: all drops so far, if it is known that they occurred here. */
function heapIn(
  slot: Slot,
  bin: Rect,
  refuser: string | undefined,
  { counters }: Frame,
  { textSize }: Layout,
  ended: readonly Entry[],
): readonly Shape[] {
  if (refuser === undefined || refuser !== slot.name) return [];
  // A falling packet counts once it has come to rest.
  const falling = ended.filter((entry) => entry.isDropped && entry.slot === slot);
  const count = counters.dropped - falling.length + landedOf(falling);
  if (count <= 0) return [];
  const text = `× ${formatCount(count)}`;
  const size = Math.min(1.2 * textSize, 0.36 * bin.height, (1.5 * bin.width) / text.length);
  return [{ kind: 'refused', rect: bin, count, text, size }];
}

/**
 * How much memory a queue without a known limit holds, of the most that it held in this run: it is charged for
 * packets, too, that stand there no longer.
 */
function bytesOf(slot: Slot, frame: Frame, run: Opened, words: Words): number | undefined {
  const [queue, other] = slot.queues;
  if (queue === undefined || other !== undefined) return undefined;
  if (run.queues[queue]?.unit !== 'bytes') return undefined;
  return queueState(frame, run, words, queue).share;
}

/** The texts above the vessels and in their bins; no packet covers them. */
export function vesselTexts(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  measure: Measure,
  notes: ReadonlyMap<Slot, string>,
  drops: ReadonlyMap<Slot, readonly Entry[]>,
  held: HeldIn,
): readonly Shape[] {
  // Timers belong to devices: only one vessel shows them.
  const [armed] = armedTimers(frame, run);
  const ring = layout.slots.find(({ kind, column }) => kind === 'ring' && column === layout.home);
  const places = layout.slots.filter(({ bin }) => bin !== undefined);
  return layout.slots.flatMap((slot): readonly Shape[] => {
    const dropped = drops.get(slot) ?? droppedBeside(slot, layout, drops);
    const refused = refusedAt(frame, words, slot, dropped, places.length === 1);
    if (slot.kind === 'work' && refused === undefined) return [];
    const reason = refused === undefined ? [] : reasonLabel(slot, refused, layout, measure);
    const beside = reason.filter(({ rect }) => rect.y === slot.titleRect.y);
    const taken = sum(beside, ({ rect }) => rect.width + layout.textSize);
    const room = slot.titleRect.width - taken;
    if (slot === ring && armed !== undefined && refused === undefined) {
      const depth = titleTexts(frame, run, words, slot, undefined, held)[0] ?? slot.title;
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
    const title = titleTexts(frame, run, words, slot, notes.get(slot), held);
    const texts = withBoxes(slot, frame, run, title);
    return [...titleLabel(slot, texts, room, layout, measure), ...reason];
  });
}

/** The name of a vessel with its depth and limit, the longest text first. */
function titleTexts(
  frame: Frame,
  run: Opened,
  words: Words,
  slot: Slot,
  note: string | undefined,
  held: HeldIn,
): readonly string[] {
  const [queue] = slot.queues;
  const names = [slot.title, slot.shortTitle];
  if (note !== undefined) return [...names.map((name) => `${name} · ${note}`), ...names];
  if (queue === undefined) return names;
  const unit = run.queues[queue]?.unit ?? '';
  const depths = slot.queues.map((at) => held.depth(slot, at));
  const isKnown = depths.every((depth) => depth !== undefined);
  const depth = sum(depths);
  if (slot.queues.length > 1) {
    const of = socketsText(slot.queues.length);
    const fullest = m.stage_queue_of({ queue: slot.title, of });
    const text = depthText(depth, 0, unit);
    return isKnown ? [fullest, ...names].map((name) => `${name}: ${text}`).concat(names) : names;
  }
  const { text, label, share } = queueState(frame, run, words, queue, depth);
  const fullest = m.stage_queue_of({ queue: slot.title, of: label });
  const whose = label === '' || isOfCpu(run, queue) ? names : [fullest, ...names];
  if (!isKnown || (isOfModel(run) && depth === 0 && share === 0)) return whose;
  // Memory is charged until a packet is freed, which may be long after it has left.
  const isCharged = unit === 'bytes' && depth > 0 && held.isBare(slot);
  const said = isCharged ? m.stage_charged({ amount: text }) : text;
  return [
    ...whose.map((name) => `${name}: ${said}`),
    ...narrowTexts(slot.shortTitle, depth, unit, isCharged),
    slot.shortTitle,
  ];
}

/** Texts for a narrow column: the depth without the limit; a number without a unit always counts packets. */
function narrowTexts(
  title: string,
  depth: number,
  unit: string,
  isCharged: boolean,
): readonly string[] {
  const written = amountText(depth, unit);
  const amount = `${title} ${written}`;
  if (isCharged) return [`${title} ${m.stage_charged({ amount: written })}`, amount];
  return unit === 'bytes' ? [amount] : [amount, `${title} ${formatCount(depth)}`];
}

/** Adds how many slots a drawn box of a ring stands for, unless it is one. */
function withBoxes(
  slot: Slot,
  frame: Frame,
  run: Opened,
  texts: readonly string[],
): readonly string[] {
  const { slots } = ringBoxes(slot, limitOf(slot, frame, run));
  const [fullest = '', ...others] = texts;
  if (slot.kind !== 'ring' || slots < 2) return texts;
  return [`${fullest} · ${m.scene_ring_box({ slots: formatCount(slots) })}`, fullest, ...others];
}

/** The limit of a slot's queue, of several that of the one with the greatest depth; 0 if it is unknown. */
function limitOf(slot: Slot, frame: Frame, run: Opened): number {
  const [queue = -1] = slot.queues;
  return frame.queueLimit[queue] || (run.queues[queue]?.limit ?? 0);
}

function isOfCpu(run: Opened, queue: number): boolean {
  return run.queues[queue]?.label.startsWith('CPU ') === true;
}

/** Factor by which a name is reduced in size before it is abbreviated. */
const SMALLER = 0.84;
const SMALLEST = 12;

/** The first of the texts that fits; none if even the shortest name does not. */
function titleLabel(
  slot: Slot,
  texts: readonly string[],
  room: number,
  { textSize, lineHeight }: Layout,
  measure: Measure,
): readonly LabelShape[] {
  const smaller = Math.max(SMALLEST, SMALLER * textSize);
  const tries: readonly (readonly [texts: readonly string[], size: number])[] = [
    [texts, textSize],
    [[slot.shortTitle], smaller],
    [[slot.leastTitle], textSize],
    [[slot.leastTitle], smaller],
  ];
  const fits = ([some, size]: (typeof tries)[number]) => firstFitting(some, room, measure, size);
  const found = tries.find((one) => fits(one) !== '');
  if (found === undefined) return [];
  const [text, size] = [fits(found), found[1]];
  const { x, y } = slot.titleRect;
  const rect = { x, y, width: measure(text, size, false, false), height: lineHeight };
  return [
    {
      ...{ kind: 'label', text, size, rect, colour: 'ink-muted', align: 'left' },
      ...{ isBold: false, isMono: false, isPlate: false, thing: thingOf(slot) },
    },
  ];
}

function thingOf(slot: Slot): Thing | undefined {
  const [queue] = slot.queues;
  if (queue !== undefined) return { kind: 'queue', queue };
  const [station] = slot.stations;
  return station === undefined ? undefined : { kind: 'station', station };
}
