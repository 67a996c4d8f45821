/**
 * The heads of the CPUs, which every view shows: the number, the activity as a word on its colour, and the
 * running task; and the followed packet under its CPU. CPUs that hardly touch packets share one strip of
 * words.
 */
import { NO_CPU, NO_WORD, NONE } from '../../core/core.ts';
import type { Frame } from '../../core/frame.ts';
import { taskName } from '../heads.ts';
import { nameAt } from '../name.ts';
import { pinnedOf } from '../place.ts';
import type { Shape, View } from '../shapes.ts';
import { contextDetail, contextLook } from '../words.ts';
import type { CpuColumn, Ground } from './ground.ts';
import { card, line, LINE, packetBox, pill, widthOf } from './parts.ts';
import { formatCount } from '../../numbers/format.ts';
import { moreCpusText } from '../../words/counts.ts';
import { m } from '../../words/generated/messages.js';
import { placeWord } from '../../words/kernel-words.ts';

/** Heights in text sizes. */
const HEAD = 2.5;
const STRIP = 1.5;

/** The lower edge of the heads and the rows below them, where a view's own content begins. */
export function headsBottom(ground: Ground): number {
  return stripBottom(ground) + packetRow(ground) + ground.gap;
}

/** The lower edge of the heads and of the strip for CPUs without one. */
function stripBottom({ em, folded, gap }: Ground): number {
  return gap + HEAD * em + (folded.length > 0 ? STRIP * em + gap / 2 : 0);
}

/** The row in which the followed packet is shown under its CPU. */
function packetRow({ em }: Ground): number {
  return em * 1.9;
}

export function headShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
  return [
    ...ground.shown.flatMap((column) => headOf(ground, frame, column)),
    ...foldedStrip(ground, frame),
    ...followedShapes(ground, frame, view),
  ];
}

function headOf(ground: Ground, frame: Frame, column: CpuColumn): readonly Shape[] {
  const { em, gap, run, words } = ground;
  const { x, width, at, cpu } = column;
  const thing = { kind: 'cpu', cpu } as const;
  const look = contextLook(words, frame.cpus.context[at] ?? NO_WORD);
  const rect = { x, y: gap, width, height: HEAD * em };
  const pad = em * 0.7;
  const name = m.cpu({ cpu });
  const nameWidth = widthOf(ground, name, true, 1.15);
  const inner = width - 2 * pad;
  const pills = pill(
    ground,
    look.label(),
    { x: x + pad + nameWidth + pad, y: gap + em * 0.5, width: inner - nameWidth - pad },
    { ...look, thing },
  );
  const used = nameWidth + pad + (pills[0]?.rect.width ?? 0) + pad;
  const detail = contextDetail(look, frame.cpus.detail[at] ?? NONE);
  const task = taskName(run, frame.cpus.pid[at] ?? NONE);
  const more = [detail, task].filter((text) => text !== undefined).join(' · ');
  return [
    card(ground, rect, {
      line: look.word === 'idle' ? 'line-strong' : look.fill,
      lineWidth: 2,
      thing,
    }),
    ...line(ground, {
      ...{ text: name, x: x + pad, y: gap + em * 0.48, width: inner },
      ...{ size: 1.15, isBold: true, thing },
    }),
    ...pills,
    ...line(ground, {
      ...{ text: more, x: x + pad + used, y: gap + em * 0.58, width: Math.max(0, inner - used) },
      ...{ colour: 'ink-soft', thing },
    }),
  ];
}

/** `2 more CPUs: 1 idle, 1 user`. */
function foldedStrip(ground: Ground, frame: Frame): readonly Shape[] {
  const { folded, em, gap, words, width } = ground;
  if (folded.length === 0) return [];
  const counts = new Map<number, number>();
  for (const at of folded) {
    const context = frame.cpus.context[at] ?? NO_WORD;
    counts.set(context, (counts.get(context) ?? 0) + 1);
  }
  const states = [...counts]
    .map(([context, count]) => `${formatCount(count)} ${contextLook(words, context).label()}`)
    .join(', ');
  return line(ground, {
    text: `${moreCpusText(folded.length)}: ${states}`,
    x: gap * 2,
    y: gap + HEAD * em + gap / 2,
    width: width - 4 * gap,
    colour: 'ink-muted',
  });
}

/** The followed packet under its CPU, with its name and its place. */
function followedShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
  const { em, gap, words } = ground;
  const { packets } = frame;
  const packet = pinnedOf(view);
  const index = packet === undefined ? -1 : packets.packet.indexOf(packet);
  if (packet === undefined || index === -1) return [];
  const cpu = packets.cpu[index] ?? NO_CPU;
  const column = ground.shown.find((one) => one.cpu === cpu) ?? ground.shown[0];
  if (column === undefined) return [];
  const size = { width: em * 3, height: em * 1.3 };
  const y = stripBottom(ground) + (packetRow(ground) + gap - size.height) / 2;
  const x = column.x + em * 0.7;
  const station = words.glossary.stations[packets.station[index] ?? NO_WORD]?.name;
  const name = view.followedLabel ?? view.selectedLabel ?? nameAt(packets, index);
  const thing = {
    kind: 'packet',
    packet,
    piece: packets.piece[index] ?? 0,
  } as const;
  const where = station === undefined ? name : `${name} · ${placeWord(station)}`;
  return [
    packetBox({ x, y, ...size }, packets, index, {
      isServed: packets.isServed[index] === 1,
      isChosen: true,
    }),
    ...line(ground, {
      text: where,
      x: x + size.width + em * 0.6,
      y: y + (size.height - em * LINE) / 2,
      // The rest of this row is empty.
      width: ground.width - x - size.width - em * 1.2,
      isBold: true,
      thing,
    }),
  ];
}
