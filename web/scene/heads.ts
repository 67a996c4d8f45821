/**
 * The head of each CPU's column: its current activity and task, its run queue, its recent past.
 */
import type { Nanos, Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import { NONE } from '../core/core.ts';
import { laneOf } from './lane-of.ts';
import type { Column, Layout } from './layout.ts';
import { statusShapes } from './machine/status.ts';
import type { Band, LabelShape, Measure, Rect, Shape, Thing } from './shapes.ts';
import { contextDetail, contextLook } from './words.ts';
import type { Words } from './words.ts';
import { formatCount } from '../numbers/format.ts';
import { commOf } from './tasks.ts';
import { m } from '../words/generated/messages.js';
import { firstFitting, fitted } from './text.ts';
import { placeWord } from '../words/kernel-words.ts';

/** Minimum width of a band in pixels: narrower ones are drawn this wide, the most urgent on top. */
const SMALLEST_BAND = 1.5;
/** Heights in lines of text: the line of names, the strip below it. */
const HEAD = { top: 0.18, line: 1.4, strip: 0.36 } as const;

export function headShapes(
  frame: Frame,
  run: Opened,
  past: Lanes | undefined,
  layout: Layout,
  words: Words,
  measure: Measure,
  linger: Nanos,
): readonly Shape[] {
  return layout.columns.flatMap((column) =>
    headOf(column, frame, run, past, layout, words, measure, linger),
  );
}

function headOf(
  column: Column,
  frame: Frame,
  run: Opened,
  past: Lanes | undefined,
  layout: Layout,
  words: Words,
  measure: Measure,
  linger: Nanos,
): readonly Shape[] {
  const { scale, textSize, lineHeight: line } = layout;
  const thing: Thing = { kind: 'cpu', cpu: column.cpu };
  const look = contextLook(words, frame.cpus.context[column.at] ?? -1);
  const isBusy = column.at !== -1 && look.word !== 'idle' && look.word !== 'unknown';
  const box: Shape = {
    kind: 'panel',
    rect: column.head,
    fill: 'panel',
    line: isBusy ? look.fill : 'line-strong',
    lineWidth: (isBusy ? 2 : 1) * Math.max(1, scale * 0.8),
    radius: 6 * scale,
    isDashed: false,
    // On a narrow page the cells of other CPUs are close above it.
    hasPins: !layout.isCompact,
    thing,
  };
  const y = column.head.y + HEAD.top * line;
  const height = HEAD.line * line;
  const end = column.innerX + column.innerWidth;
  const label = (text: string, x: number, size: number, isBold: boolean): LabelShape => ({
    kind: 'label',
    text,
    size,
    colour: isBold ? 'ink' : 'ink-muted',
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: { x, y, width: measure(text, size, isBold, false), height },
    thing,
  });
  const nameSize = textSize * 1.1;
  const name = column.at === -1 ? m.cpu_not_recorded() : m.cpu({ cpu: column.cpu });
  const title = label(
    fitted(name, column.innerWidth, measure, nameSize, true),
    column.innerX,
    nameSize,
    true,
  );
  if (column.at === -1) return [box, title];

  const pad = 0.6 * textSize;
  const pillX = column.innerX + title.rect.width + 0.6 * textSize;
  const pillRoom = end - pillX - 2 * pad;
  // Before its first event nothing is known of a CPU, which is no gap in the recording.
  const isBefore = look.word === 'unknown' && (frame.cpus.since[column.at] ?? 0) <= 0;
  const word = isBefore ? '' : fitted(look.label(), pillRoom, measure, textSize, true);
  const pillWidth = measure(word, textSize, true, false) + 2 * pad;
  const shapes: Shape[] = [box, title];
  let x = pillX;
  if (word !== '') {
    shapes.push({
      kind: 'pill',
      text: word,
      size: textSize,
      fill: look.fill,
      colour: look.colour,
      rect: { x, y: y + 0.1 * line, width: pillWidth, height: height - 0.2 * line },
      thing,
    });
    x += pillWidth + 0.6 * textSize;
  }
  const task = taskName(run, frame.cpus.pid[column.at] ?? NONE);
  const detail = contextDetail(look, frame.cpus.detail[column.at] ?? NONE);
  const ownsIt = look.word === 'kernel' || look.word === 'user' || look.word === 'spinning';
  const more = ownsIt ? task : detail;
  const queue = runQueueText(frame, run, words, column.cpu);
  const queueWidth = queue === undefined ? 0 : measure(queue, textSize, false, false);
  const isQueueShown = queueWidth > 0 && end - x - queueWidth > 0;
  const room = end - x - (isQueueShown ? queueWidth + textSize : 0);
  const told = more === undefined ? '' : firstFitting([more], room, measure, textSize);
  if (told !== '') shapes.push(label(told, x, textSize, false));
  if (isQueueShown) shapes.push(label(queue ?? '', end - queueWidth, textSize, false));
  const strip: Rect = {
    x: column.innerX,
    y: y + height + 0.06 * line,
    width: column.innerWidth,
    height: HEAD.strip * line,
  };
  shapes.push({ kind: 'strip', rect: strip, bands: bandsOf(past, column, strip, words), thing });
  if (layout.hasStatus) {
    const statusY = strip.y + strip.height + 0.12 * line;
    shapes.push(...statusShapes(frame, run, column, statusY, linger, layout, measure));
  }
  return shapes;
}

/** `urecv (534)`; `undefined` for the idle task or an unknown one. */
export function taskName(run: Opened, pid: number): string | undefined {
  if (pid === NONE || pid === 0) return undefined;
  const comm = commOf(run.tasks, pid);
  return comm === '' ? m.stage_pid({ pid }) : `${comm} (${pid})`;
}

export function bandsOf(
  past: Lanes | undefined,
  column: Column,
  strip: Rect,
  words: Words,
): readonly Band[] {
  const lane = past && laneOf(past, column.cpu);
  if (past === undefined || lane === undefined || past.to <= past.from) return [];
  const scale = strip.width / (past.to - past.from);
  const bands: Band[] = [];
  lane.start.forEach((start, at) => {
    const end = lane.start[at + 1] ?? past.to;
    const from = Math.max(0, (start - past.from) * scale);
    const to = Math.min(strip.width, (end - past.from) * scale);
    const look = contextLook(words, lane.context[at] ?? -1);
    if (to <= from || look.word === 'unknown') return;
    const x = Math.min(from, strip.width - SMALLEST_BAND);
    const width = Math.max(SMALLEST_BAND, to - x);
    bands.push({ x: strip.x + x, width, height: look.height, fill: look.fill });
  });
  return bands;
}

function runQueueText(frame: Frame, run: Opened, words: Words, cpu: number): string | undefined {
  const kind = words.queueIndex.get('run queue');
  const at = run.queues.findIndex((queue) => queue.kind === kind && queue.cpu === cpu);
  if (at === -1) return undefined;
  const depth = frame.queueDepth[at] ?? 0;
  if (depth === 0) return undefined;
  const boxes = '▮'.repeat(Math.min(depth, 4)) + (depth > 4 ? '+' : '');
  return `${placeWord('run queue')} ${formatCount(depth)} ${boxes}`;
}
