/**
 * The drops at a place as text: the number in its bin, the kernel's name of the reason and its meaning,
 * placed where nothing else is drawn.
 */
import type { Frame } from '../core/frame.ts';
import { NO_WORD } from '../core/core.ts';
import { landedOf } from './ended.ts';
import type { Entry } from './entries.ts';
import type { Layout, Slot } from './layout.ts';
import type { LabelShape, Measure, Rect, Thing } from './shapes.ts';
import type { Words } from './words.ts';
import { formatCount } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { firstFitting, wrapped } from './text.ts';

/** Drops at a place on the rail, which the vessel beside it reports. */
export function droppedBeside(
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

export interface Refused {
  readonly count: number;
  readonly name: string;
  readonly sentence: string;
  readonly thing: Thing;
}

/** Short texts for what was full, by the kernel's names of reasons; other reasons have their name alone. */
const FULL: Readonly<Record<string, () => string>> = {
  SOCKET_RCVBUFF: m.stage_full_socket,
  SOCKET_BACKLOG: m.stage_full_socket_backlog,
  PROTO_MEM: m.stage_full_memory,
  RX_RING_FULL: m.stage_full_ring,
  CPU_BACKLOG: m.stage_full_backlog,
  QDISC_DROP: m.stage_full_qdisc,
  QDISC_OVERLIMIT: m.stage_full_qdisc,
  FQ_BAND_LIMIT: m.stage_full_qdisc,
  TCP_LISTEN_OVERFLOW: m.stage_full_listen,
};

/** The drops of a slot: within the linger, or since the start of the run if no other slot drops. */
export function refusedAt(
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
  const all = isAll ? Math.max(recent, frame.counters.dropped) : recent;
  // As in the bin: a packet counts once it has come to rest.
  const count = all - recent + landedOf(dropped ?? []);
  return {
    count,
    name: word?.name ?? m.stage_dropped(),
    sentence: FULL[word?.name ?? '']?.() ?? '',
    thing: { kind: 'drop', packet: last.packet, reason },
  };
}

/**
 * The label of the kernel's reason, with an explanation if there is room: at the end of a vessel's title
 * line; for a place on the rail, beside it where nothing else is drawn.
 */
export function reasonLabel(
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
  const sign = count === 0 ? '✕' : `✕ ${formatCount(count)}`;
  const below = areaBelow(slot, layout);
  if (below !== undefined) {
    const width = (text: string) => measure(text, textSize, true, false);
    const lines = [...wrapped(`${sign} · ${sentence}`, below.width, width), name];
    const isRoomy = lines.length * lineHeight <= below.height;
    if (isRoomy && lines.every((line) => width(line) <= below.width)) {
      return lines.map((line, at) =>
        label(line, { ...below, y: below.y + at * lineHeight, height: lineHeight }, false),
      );
    }
  }
  const area = reasonArea(slot, layout);
  if (area === undefined) return [];
  const texts = [`${sign} · ${sentence} · ${name}`, `${sign} · ${name}`, sign];
  const text = fits(sentence === '' ? texts.slice(1) : texts, area.width);
  return text === '' ? [] : [label(text, area, slot.kind !== 'work')];
}

/** The area below a vessel, if its CPU uses none of the lanes that come next. */
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
  // Packets going up use the left half, those going down the right one; the tasks' lane is full.
  const width = Math.max(0, (to - from) / 2 - 2 * gap);
  if (slot.lane === 'process') return undefined;
  return {
    x: slot.direction === 'rx' ? from + gap : to - gap - width,
    y: slot.body.y + (slot.body.height - height) / 2,
    width,
    height,
  };
}
