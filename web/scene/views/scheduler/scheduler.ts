/**
 * The view of the scheduler: under each CPU's head the running task with its remaining slice and the task
 * that it preempted, and the waiting tasks in their order, each with the packets that wait for it; below
 * them, the packets whose task does not wait for the CPU.
 */
import { NO_WORD, NONE } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { taskName } from '../../heads.ts';
import { PREEMPTED, preemptedOn, sliceLeft } from '../../machine/status.ts';
import { overlaps } from '../../callout.ts';
import { between, ease } from '../../motion.ts';
import { packetsAwaited } from '../../readers.ts';
import type { Rect, Shape, Thing, View } from '../../shapes.ts';
import { contextDetail, contextLook } from '../../words.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { headsBottom, headShapes } from '../heads.ts';
import { card, honest, line, LINE } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { awaitedShapes, leastRoom, rowHeight, waiterShapes } from './waiter-rows.ts';
import { sliceTexts, waitersOf, waitingTexts, waitSentences, type Waiter } from './waiters.ts';
import { firstFitting } from '../../text.ts';
import { m } from '../../../words/generated/messages.js';

/** Heights in text sizes. */
const RUNNING = 5.2;
const PACKETS = 3.4;
/** Minimum number of rows for waiting tasks. */
const LEAST_ROWS = 3;
/** Seconds of film in which a preempted task slides to its place in the queue. */
const PUSH = 0.4;

export function drawScheduler(ground: Ground, frame: Frame, view: View): Drawn {
  return {
    height: schedulerHeight(ground),
    shapes: schedulerShapes(ground, frame, view),
    sentences: () => waitSentences(ground, frame),
  };
}

function schedulerHeight(ground: Ground): number {
  const { em, gap } = ground;
  const rows = LEAST_ROWS * rowHeight(ground, ground.shown[0]?.width ?? 0);
  const each = (RUNNING + PACKETS + LINE) * em + rows + 3 * gap;
  return Math.max(ground.height, headsBottom(ground) + each);
}

function schedulerShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
  const heads = headShapes(ground, frame, view);
  const { run, words } = ground;
  const runQueue = words.queueIndex.get('run queue');
  if (!run.machine.hasTasks && !run.queues.some(({ kind }) => kind === runQueue)) {
    const [title, why] = [m.scheduler_none(), m.scheduler_none_why()];
    return [...heads, ...honest(ground, headsBottom(ground), title, why)];
  }
  return [...heads, ...ground.shown.flatMap((column) => columnShapes(ground, frame, column, view))];
}

function columnShapes(
  ground: Ground,
  frame: Frame,
  column: CpuColumn,
  view: View,
): readonly Shape[] {
  const { em, gap } = ground;
  const top = headsBottom(ground);
  const running = { x: column.x, y: top, width: column.width, height: RUNNING * em };
  const titleTop = top + RUNNING * em + gap;
  const bottom = schedulerHeight(ground) - gap - PACKETS * em;
  const wall = 0.35 * em;
  const vessel = {
    ...{ x: column.x, y: titleTop + LINE * em, width: column.width },
    height: bottom - titleTop - LINE * em,
  };
  const each = rowHeight(ground, column.width) + wall;
  const waiters = waitersOf(ground, frame, column.cpu);
  const room = vessel.height - 2 * wall;
  const rows = (height: number) => Math.max(1, Math.floor(height / each));
  const isWhole = waiters.length <= rows(room);
  const shown = isWhole ? waiters : shownOf(ground, waiters, rows(room - LINE * em));
  const thing: Thing = { kind: 'cpu', cpu: column.cpu };
  const rest = waiters.length - shown.length;
  const titleWidth = column.width - em * 0.8;
  const title = firstFitting(waitingTexts(waiters), titleWidth, ground.measure, em);
  const rowAt = (at: number): Rect => ({
    ...{ x: vessel.x + 2 * wall, width: vessel.width - 4 * wall },
    ...{ y: vessel.y + wall + at * each, height: each - wall },
  });
  // Of several tasks preempted at the same time only the last one is animated.
  const pushed = shown
    .filter((waiter) => isSliding(waiter, view))
    .reduce<Waiter | undefined>(
      (last, one) => (last && last.since > one.since ? last : one),
      undefined,
    );
  const placed = shown.map((waiter, at) => ({
    waiter,
    rect: waiter === pushed ? onTheWay(waiter, rowAt(at), running, view) : rowAt(at),
  }));
  const drawn = (some: typeof placed) =>
    some.flatMap(({ waiter, rect }) => waiterShapes(ground, frame, waiter, thing, rect, view));
  const sliding = placed.filter(({ waiter }) => waiter === pushed);
  const still: readonly Shape[] = [
    ...line(ground, {
      ...{ text: title, x: column.x + em * 0.4, y: titleTop, width: titleWidth },
      ...{ colour: 'ink-soft', thing },
    }),
    // The next task to run is nearest to the CPU; tasks arrive at the lower end.
    {
      ...{ kind: 'vessel', rect: vessel, mouth: 'bottom', thing },
      ...{ hasLid: false, isFull: false, level: undefined },
    },
    ...drawn(placed.filter(({ waiter }) => waiter !== pushed)),
    ...(rest === 0
      ? []
      : line(ground, {
          text: m.scheduler_more({ count: rest }),
          ...rowAt(shown.length),
          colour: 'ink-muted',
        })),
  ];
  const isCovered = (shape: Shape) =>
    shape.kind !== 'panel' &&
    shape.kind !== 'vessel' &&
    sliding.some(({ rect }) => overlaps(shape.rect, [rect]) > 0);
  return [
    ...still.filter((shape) => !isCovered(shape)),
    ...drawn(sliding),
    ...runningShapes(ground, frame, column, running, view),
    ...packetsShapes(ground, frame, column, bottom + gap / 2, shown, view),
  ];
}

/**
 * Whether the task was preempted just now and slides to its place. If the film is stopped at that very
 * time, it is already in its place and covers no other task.
 */
function isSliding({ why, since }: Waiter, view: View): boolean {
  const age = -view.filmTo(since);
  return why === PREEMPTED && view.travel > 0 && age > 0 && age < PUSH;
}

/** The position of a task that moves from below its CPU to its row. */
function onTheWay(waiter: Waiter, row: Rect, running: Rect, view: View): Rect {
  const share = ease(-view.filmTo(waiter.since) / PUSH);
  return { ...row, y: between(running.y + running.height, row.y, share) };
}

/** The first waiting tasks; those for which packets wait come before all, and other readers of a socket next. */
function shownOf({ run }: Ground, waiters: readonly Waiter[], rows: number): readonly Waiter[] {
  const readers = new Set(run.queues.map(({ reader }) => reader));
  const claimOf = ({ packets, pid }: Waiter) => (packets.length > 0 ? 2 : readers.has(pid) ? 1 : 0);
  const kept = waiters.toSorted((a, b) => claimOf(b) - claimOf(a)).slice(0, rows);
  return kept.sort((a, b) => a.place - b.place);
}

/**
 * The running task, whether it makes progress, its remaining slice, and the task that it preempted. Where an
 * interrupt or a softirq runs and no task with it, that.
 */
function runningShapes(
  ground: Ground,
  frame: Frame,
  { at, cpu }: CpuColumn,
  rect: Rect,
  view: View,
): readonly Shape[] {
  const { em, run, words, measure } = ground;
  const thing: Thing = { kind: 'cpu', cpu };
  const look = contextLook(words, frame.cpus.context[at] ?? NO_WORD);
  const pid = frame.cpus.pid[at] ?? NONE;
  const name = taskName(run, pid);
  const pad = em * 0.7;
  const inner = { x: rect.x + pad, width: rect.width - 2 * pad };
  const isOwn = look.word === 'user' || look.word === 'kernel' || look.word === 'spinning';
  const isInterrupt = look.word === 'softirq' || look.word === 'hardirq';
  const detail = contextDetail(look, frame.cpus.detail[at] ?? NONE) ?? '';
  const title = name ?? (isInterrupt ? `${look.label()} ${detail}`.trim() : m.scheduler_idle());
  const state =
    name === undefined
      ? isInterrupt
        ? m.scheduler_no_process()
        : ''
      : isOwn
        ? m.scheduler_runs()
        : m.scheduler_interrupted();
  const left = sliceLeft(frame, at);
  const { longestSlice } = run.machine;
  const slice = inner.width * 0.55;
  const barY = rect.y + em * (0.7 + 2 * LINE);
  const preempted = taskName(run, preemptedOn(frame, at, cpu)[0]?.pid ?? NONE);
  const awaited = packetsAwaited(frame, run).get(pid) ?? [];
  const told = line(ground, {
    ...{ ...inner, width: inner.width - leastRoom(ground, awaited) },
    ...{ y: rect.y + em * (0.65 + LINE), thing, colour: 'ink-soft' },
    text: preempted === undefined ? state : m.scheduler_pushed_out({ task: preempted }),
  });
  const used = (told[0]?.rect.width ?? 0) + em / 2;
  return [
    card(ground, rect, {
      fill: name === undefined ? undefined : isOwn ? 'chosen' : 'panel',
      line: name === undefined && !isInterrupt ? 'line-strong' : look.fill,
      ...{ lineWidth: 2, isDashed: !isOwn, thing },
    }),
    ...line(ground, {
      ...{ ...inner, text: title, y: rect.y + em * 0.3 },
      ...{ isBold: true, size: 1.15, thing },
    }),
    ...told,
    ...awaitedShapes(ground, frame, awaited, view, {
      ...{ x: inner.x + used, width: inner.width - used, y: rect.y + em * (0.65 + LINE) },
      align: 'right',
    }),
    ...(left === undefined || longestSlice === 0
      ? []
      : [
          {
            kind: 'gauge',
            rect: { ...inner, width: inner.width * 0.4, y: barY + em * 0.4, height: em * 0.6 },
            share: Math.min(1, left / longestSlice),
            thing,
          } as const,
          ...line(ground, {
            text: firstFitting(sliceTexts(left), slice, measure, em) || (sliceTexts(left)[1] ?? ''),
            x: inner.x + inner.width * 0.45,
            y: barY,
            width: slice,
            colour: 'ink-soft',
            thing,
          }),
        ]),
  ];
}

/** Queues whose packets wait for a process, not for a softirq. */
const FOR_TASKS = new Set(['receive queue', 'prequeue', 'socket backlog', 'out-of-order queue']);

/** The other packets that wait for a process on a CPU: their task sleeps, or is not known. */
function packetsShapes(
  ground: Ground,
  frame: Frame,
  { at, cpu, x, width }: CpuColumn,
  y: number,
  shown: readonly Waiter[],
  view: View,
): readonly Shape[] {
  const { em, run, words } = ground;
  const { packets } = frame;
  const runs = packetsAwaited(frame, run).get(frame.cpus.pid[at] ?? NONE) ?? [];
  const atTasks = new Set([...runs, ...shown.flatMap((waiter) => waiter.packets)]);
  const rest = [...packets.packet.keys()].filter((index) => {
    const station = words.glossary.stations[packets.station[index] ?? NO_WORD]?.name ?? '';
    const isLive = (packets.verdict[index] ?? NO_WORD) === NO_WORD;
    const isHere = packets.nextCpu[index] === cpu && !atTasks.has(index);
    return isLive && isHere && FOR_TASKS.has(station);
  });
  const isNone = rest.length === 0 && atTasks.size === 0;
  const count = rest.length;
  const text = isNone
    ? m.scheduler_no_packets()
    : atTasks.size === 0
      ? m.scheduler_packets({ count })
      : m.scheduler_more_packets({ count });
  return [
    ...(count === 0 && !isNone
      ? []
      : line(ground, {
          ...{ text, x: x + em * 0.4, y, width: width - em * 0.8 },
          colour: isNone ? 'ink-muted' : 'ink-soft',
        })),
    ...awaitedShapes(ground, frame, rest, view, {
      ...{ x, width, y: y + em * (LINE + 0.1), align: 'left' },
    }),
  ];
}
