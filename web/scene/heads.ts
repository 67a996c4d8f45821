/**
 * The head of each CPU's column: what it does now, its run queue, its recent past; and the
 * card of the task that is current on it, in the row of processes.
 */
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import type { Nanos, Opened } from '../core/core.ts';
import { NONE } from '../core/core.ts';
import { HEAD } from './layout.ts';
import type { Column, Layout, Slot } from './layout.ts';
import { statusShapes } from './machine/status.ts';
import type { Band, Measure, Rect, Shape } from './shapes.ts';
import { firstFitting, fitted } from './text.ts';
import { contextDetail, contextLook } from './words.ts';
import type { Words } from './words.ts';

/** Narrower bands are noise: they are drawn as wide as this, the most urgent on top. */
const SMALLEST_BAND = 1.5;

export function headShapes(
  frame: Frame,
  run: Opened,
  past: Lanes | undefined,
  layout: Layout,
  words: Words,
  measure: Measure,
  linger: Nanos,
): readonly Shape[] {
  return layout.columns.flatMap((column) => {
    const { scale, textSize } = layout;
    const y = column.rect.y + HEAD.top * scale;
    const lineHeight = HEAD.line * scale;
    const name = column.at === -1 ? 'CPU not recorded' : `CPU ${column.cpu}`;
    const nameSize = 14 * scale;
    const nameWidth = measure(name, nameSize, true, false);
    const thing = { kind: 'cpu', cpu: column.cpu } as const;
    const shapes: Shape[] = [
      {
        kind: 'label',
        text: fitted(name, column.innerWidth, measure, nameSize, true),
        size: nameSize,
        colour: 'ink',
        align: 'left',
        isBold: true,
        isMono: false,
        isPlate: false,
        rect: {
          x: column.innerX,
          y,
          width: Math.min(nameWidth, column.innerWidth),
          height: lineHeight,
        },
        thing,
      },
    ];
    if (column.at === -1) return shapes;

    const look = contextLook(words, frame.cpus.context[column.at] ?? -1);
    const task = taskName(run, frame.cpus.pid[column.at] ?? NONE);
    const end = column.innerX + column.innerWidth;
    const queueText = column.isNarrow ? undefined : runQueueText(frame, run, words, column.cpu);
    const stripY = y + lineHeight + HEAD.gap * scale;
    const belowStrip = stripY + (HEAD.strip + HEAD.gap) * scale;

    const pillX = column.isNarrow ? column.innerX : column.innerX + nameWidth + 10 * scale;
    const pillPad = 10 * scale;
    const wordWidth = measure(look.word, textSize, true, false) + 2 * pillPad;
    // What it does comes before who waits for it, where there is not room for both.
    const queueWidth = queueText === undefined ? 0 : measure(queueText, textSize, false, false);
    const isQueueShown = queueWidth > 0 && end - pillX - queueWidth - 10 * scale >= wordWidth;
    const pillEnd = isQueueShown ? end - queueWidth - 10 * scale : end;
    const ownsIt = look.word === 'kernel' || look.word === 'user';
    const detail = contextDetail(look, frame.cpus.detail[column.at] ?? NONE);
    const more = ownsIt ? task : detail;
    const texts = more === undefined ? [look.word] : [`${look.word} · ${more}`, look.word];
    const text =
      firstFitting(texts, pillEnd - pillX - 2 * pillPad, measure, textSize, true) ||
      fitted(look.word, pillEnd - pillX - 8, measure, textSize, true);
    const pillHeight = 20 * scale;
    shapes.push({
      kind: 'pill',
      text,
      size: textSize,
      fill: look.fill,
      colour: look.colour,
      rect: {
        x: pillX,
        y: column.isNarrow ? belowStrip : y + (lineHeight - pillHeight) / 2,
        width: Math.min(pillEnd - pillX, measure(text, textSize, true, false) + 2 * pillPad),
        height: pillHeight,
      },
      thing,
    });
    if (queueText !== undefined && isQueueShown) {
      shapes.push({
        kind: 'label',
        text: queueText,
        size: textSize,
        colour: 'ink-muted',
        align: 'right',
        isBold: false,
        isMono: false,
        isPlate: false,
        rect: { x: end - queueWidth, y, width: queueWidth, height: lineHeight },
        thing,
      });
    }
    const strip = {
      x: column.innerX,
      y: stripY,
      width: column.innerWidth,
      height: HEAD.strip * scale,
    };
    shapes.push({ kind: 'strip', rect: strip, bands: bandsOf(past, column, strip, words), thing });
    // In a narrow column what the CPU does stands where others have their first line.
    const statusY = column.isNarrow ? belowStrip + 22 * scale : belowStrip + scale;
    const statusHeight = layout.hasStatus ? HEAD.status * scale : 0;
    if (layout.hasStatus && (!column.isNarrow || layout.waysHeight > 0)) {
      shapes.push(...statusShapes(frame, run, column, statusY, linger, layout, measure));
    }
    if (!column.isNarrow && layout.waysHeight > 0) {
      shapes.push(...wayLabels(column, belowStrip + statusHeight, layout, measure));
    }
    return shapes;
  });
}

/** What the current task does while its CPU does this; else something interrupts it. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['user', 'in user space'],
  ['kernel', 'in the kernel'],
  // The task itself, or what interrupted it: that is not told.
  ['spinning', 'spinning'],
  ['idle', ''],
  ['unknown', ''],
]);

/** The current task's card, behind the packets that it copies. */
export function processShapes(
  frame: Frame,
  run: Opened,
  layout: Layout,
  words: Words,
  measure: Measure,
  drops: ReadonlyMap<Slot, unknown>,
): readonly Shape[] {
  const row = layout.rows.find(({ spec }) => spec.name === 'process');
  if (row === undefined) return [];
  return layout.columns.flatMap((column): readonly Shape[] => {
    const pid = frame.cpus.pid[column.at] ?? NONE;
    const task = taskName(run, pid);
    const { scale, textSize } = layout;
    const pad = 8 * scale;
    const rect: Rect = {
      x: column.rect.x + (column.isNarrow ? 3 : 6) * scale,
      y: row.rect.y + 2 * scale,
      width: column.rect.width - (column.isNarrow ? 6 : 12) * scale,
      height: row.rect.height - 4 * scale,
    };
    const word = contextLook(words, frame.cpus.context[column.at] ?? -1).word;
    const isRunning = word === 'user' || word === 'kernel';
    const card: Shape = {
      kind: 'panel',
      rect,
      fill: task === undefined ? undefined : isRunning ? 'chosen' : 'panel',
      line: task === undefined ? undefined : isRunning ? 'kernel' : 'line',
      radius: 6 * scale,
      isDashed: task !== undefined && !isRunning && word !== 'spinning',
      thing: { kind: 'cpu', cpu: column.cpu },
    };
    if (task === undefined && !layout.isCompact) return [];
    const state = STATES.get(word) ?? 'interrupted';
    const room = rect.width - 2 * pad;
    const name = task ?? 'user process';
    const long = task === undefined || state === '' ? name : `${name} · ${state}`;
    const text =
      firstFitting([long, name], room, measure, textSize) || fitted(name, room, measure, textSize);
    // A drop is told where the card has its text.
    const isDropping = [...drops.keys()].some(
      (slot) => slot.row === 'process' && layout.columns[slot.column] === column,
    );
    if (text === '' || isDropping) return [card];
    const slot = layout.slots.find(
      ({ row: name, column: at }) => name === 'process' && layout.columns[at] === column,
    );
    const width = measure(text, textSize, false, false);
    return [
      card,
      {
        kind: 'label',
        text,
        size: textSize,
        colour: isRunning ? 'ink' : 'ink-muted',
        align: 'left',
        isBold: false,
        isMono: false,
        isPlate: false,
        rect: {
          x: rect.x + pad,
          y: slot?.titleRect.y ?? rect.y,
          width,
          height: layout.lineHeight,
        },
        thing: { kind: 'cpu', cpu: column.cpu },
      },
    ];
  });
}

/** `urecv (534)`; nothing for the idle task or an unknown one. */
export function taskName(run: Opened, pid: number): string | undefined {
  if (pid === NONE || pid === 0) return undefined;
  const comm = run.tasks.find((task) => task.pid === pid)?.comm;
  return comm === undefined || comm === '' ? `pid ${pid}` : `${comm} (${pid})`;
}

export function bandsOf(
  past: Lanes | undefined,
  column: Column,
  strip: Rect,
  words: Words,
): readonly Band[] {
  const lane = past?.cpus.find(({ cpu }) => cpu === column.cpu);
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
  const boxes = '▮'.repeat(Math.min(depth, 4)) + (depth > 4 ? '+' : '');
  return `run queue ${depth}${boxes === '' ? '' : ` ${boxes}`}`;
}

function wayLabels(column: Column, y: number, layout: Layout, measure: Measure): readonly Shape[] {
  const { textSize, lineHeight } = layout;
  const end = column.innerX + column.innerWidth;
  const label = (text: string, x: number, room: number): readonly Shape[] => {
    const width = measure(text, textSize, false, false);
    if (width > room) return [];
    return [
      {
        kind: 'label',
        text,
        size: textSize,
        colour: 'ink-muted',
        align: 'left',
        isBold: false,
        isMono: false,
        isPlate: false,
        rect: { x, y, width, height: lineHeight },
      },
    ];
  };
  const sendX = column.sendX + 5 * layout.scale;
  return [
    ...label('↑ receive', column.innerX, sendX - column.innerX - 4),
    ...label('↓ send', sendX, end - sendX),
  ];
}
