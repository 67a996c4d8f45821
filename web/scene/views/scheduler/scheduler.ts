/**
 * The view of the scheduler: under each CPU's head the task that runs with what is left of its
 * slice, whom it pushed out, and the tasks that wait in their order, with since when and who woke
 * or preempted them; below, the packets that wait to be read there.
 */
import { NO_WORD, NONE } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { m } from '../../../words/generated/messages.js';
import { taskName } from '../../heads.ts';
import { sliceLeft } from '../../machine/status.ts';
import { ease } from '../../motion.ts';
import type { Rect, Shape, Thing, View } from '../../shapes.ts';
import { nanosText } from '../../text.ts';
import { contextLook } from '../../words.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { headsBottom, headShapes } from '../heads.ts';
import { card, honest, line, LINE, packetBox, pill } from '../parts.ts';

/** Heights in text sizes. */
const RUNNING = 5.2;
const WAITING = 3.2;
const PACKETS = 3.4;
/** Rows of waiting tasks at the least. */
const LEAST_ROWS = 3;
/** Seconds of film in which a task that was pushed out slides to its place in the queue. */
const PUSH = 0.4;
const PREEMPTED = 3;

/** A task that waits for a CPU. */
export interface Waiter {
  readonly pid: number;
  readonly name: string;
  readonly since: number;
  readonly why: number;
  readonly by: number;
}

export function schedulerHeight(ground: Ground): number {
  const { em, gap } = ground;
  const each = (RUNNING + LEAST_ROWS * WAITING + PACKETS + LINE) * em + 2 * gap;
  return Math.max(ground.height, headsBottom(ground) + each);
}

/** The tasks that wait for a CPU, in the order in which they came. */
export function waitersOf(ground: Ground, frame: Frame, cpu: number): readonly Waiter[] {
  const { waits } = frame.machine;
  return [...waits.cpu.keys()]
    .filter((row) => waits.cpu[row] === cpu)
    .map((row) => ({
      pid: waits.pid[row] ?? NONE,
      name: taskName(ground.run, waits.pid[row] ?? NONE) ?? m.scheduler_unknown(),
      since: waits.since[row] ?? frame.time,
      why: waits.why[row] ?? 0,
      by: waits.by[row] ?? NONE,
    }));
}

export function schedulerShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
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
  const queueTop = top + RUNNING * em + gap;
  const bottom = schedulerHeight(ground) - gap - PACKETS * em;
  const rows = Math.max(1, Math.floor((bottom - queueTop - LINE * em) / (WAITING * em)));
  const waiters = waitersOf(ground, frame, column.cpu);
  const shown = waiters.length <= rows ? waiters : waiters.slice(0, rows - 1);
  const thing: Thing = { kind: 'cpu', cpu: column.cpu };
  const rest = waiters.length - shown.length;
  const title =
    waiters.length === 0 ? m.scheduler_nobody() : m.scheduler_waiting({ count: waiters.length });
  return [
    ...runningShapes(ground, frame, column, running),
    ...line(ground, {
      ...{ text: title, x: column.x + em * 0.4, y: queueTop, width: column.width - em * 0.8 },
      ...{ colour: 'ink-soft', thing },
    }),
    ...shown.flatMap((waiter, at) => {
      const y = queueTop + LINE * em + at * WAITING * em;
      const rect = { x: column.x, y, width: column.width, height: (WAITING - 0.35) * em };
      return waiterShapes(ground, frame, waiter, at, column, rect, running, view);
    }),
    ...(rest === 0
      ? []
      : line(ground, {
          text: m.scheduler_more({ count: rest }),
          x: column.x + em * 0.4,
          y: queueTop + LINE * em + shown.length * WAITING * em,
          width: column.width - em * 0.8,
          colour: 'ink-muted',
        })),
    ...packetsShapes(ground, frame, column, bottom + gap / 2, view),
  ];
}

/** The task that has the CPU, whether it gets on, what is left of its slice, whom it pushed out. */
function runningShapes(
  ground: Ground,
  frame: Frame,
  { at, cpu }: CpuColumn,
  rect: Rect,
): readonly Shape[] {
  const { em, run, words } = ground;
  const thing: Thing = { kind: 'cpu', cpu };
  const look = contextLook(words, frame.cpus.context[at] ?? NO_WORD);
  const pid = frame.cpus.pid[at] ?? NONE;
  const name = taskName(run, pid);
  const pad = em * 0.7;
  const inner = { x: rect.x + pad, width: rect.width - 2 * pad };
  const isOwn = look.word === 'user' || look.word === 'kernel' || look.word === 'spinning';
  const state = name === undefined ? '' : isOwn ? m.scheduler_runs() : m.scheduler_interrupted();
  const left = sliceLeft(frame, at);
  const { longestSlice } = run.machine;
  const barY = rect.y + em * (0.7 + 2 * LINE);
  const preempted = taskName(run, preemptedOn(frame, at, cpu));
  return [
    card(ground, rect, {
      fill: name === undefined ? undefined : isOwn ? 'chosen' : 'panel',
      line: name === undefined ? 'line-strong' : look.fill,
      ...{ lineWidth: 2, isDashed: !isOwn, thing },
    }),
    ...line(ground, {
      ...{ ...inner, text: name ?? m.scheduler_idle(), y: rect.y + em * 0.3 },
      ...{ isBold: true, size: 1.15, thing },
    }),
    ...line(ground, {
      ...{ ...inner, y: rect.y + em * (0.65 + LINE), thing, colour: 'ink-soft' },
      text: preempted === undefined ? state : m.scheduler_pushed_out({ task: preempted }),
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
            text:
              left === 0 ? m.scheduler_slice_used() : m.scheduler_slice({ time: nanosText(left) }),
            x: inner.x + inner.width * 0.45,
            y: barY,
            width: inner.width * 0.55,
            colour: 'ink-soft',
            thing,
          }),
        ]),
  ];
}

/** Whom the running task pushed out and who still waits for it, on a model or by the waits. */
function preemptedOn(frame: Frame, at: number, cpu: number): number {
  const { waits, tasks } = frame.machine;
  const pid = frame.cpus.pid[at] ?? NONE;
  const row = [...waits.cpu.keys()].findLast(
    (one) => waits.cpu[one] === cpu && waits.why[one] === PREEMPTED && waits.by[one] === pid,
  );
  return (row === undefined ? tasks.preempted[at] : waits.pid[row]) ?? NONE;
}

function waiterShapes(
  ground: Ground,
  frame: Frame,
  waiter: Waiter,
  place: number,
  { cpu }: CpuColumn,
  rect: Rect,
  running: Rect,
  view: View,
): readonly Shape[] {
  const { em } = ground;
  const thing: Thing = { kind: 'cpu', cpu };
  const pad = em * 0.7;
  // Pushed out of the CPU it slides from there to its place.
  const age = -view.filmTo(waiter.since);
  const isSliding = waiter.why === PREEMPTED && view.travel > 0 && age >= 0 && age < PUSH;
  const y = isSliding ? running.y + (rect.y - running.y) * ease(age / PUSH) : rect.y;
  const inner = { x: rect.x + pad, width: rect.width - 2 * pad };
  const waited = nanosText(Math.max(0, frame.time - waiter.since));
  const shapes: Shape[] = [
    card(
      ground,
      { ...rect, y },
      { line: 'line-strong', lineWidth: waiter.why === PREEMPTED ? 2 : 1, thing },
    ),
  ];
  if (isSliding) return shapes;
  const tag = pill(
    ground,
    `${place + 1}`,
    { x: inner.x, y: y + em * 0.3, width: em * 3 },
    { fill: 'idle', colour: 'on-idle', thing },
  );
  const tagged = (tag[0]?.rect.width ?? 0) + em * 0.5;
  return [
    ...shapes,
    ...tag,
    ...line(ground, {
      ...{ text: waiter.name, x: inner.x + tagged, y: y + em * 0.25, isBold: true, thing },
      width: inner.width - tagged,
    }),
    ...line(ground, {
      ...{ text: `${whyText(ground, waiter)} · ${m.scheduler_waits({ time: waited })}`, thing },
      ...{ x: inner.x + tagged, y: y + em * (0.25 + LINE), width: inner.width - tagged },
      colour: 'ink-soft',
    }),
  ];
}

/** Who woke it, or who took its CPU. */
export function whyText({ run }: Ground, { why, by }: Waiter): string {
  const who = taskName(run, by) ?? m.scheduler_unknown();
  switch (why) {
    case 1:
      return m.scheduler_by_softirq();
    case 2:
      return m.scheduler_by_hardirq();
    case PREEMPTED:
      return m.scheduler_preempted_by({ task: who });
    default:
      return m.scheduler_by_task({ task: who });
  }
}

/** Queues whose packets wait for a process, not for a softirq. */
const FOR_TASKS = new Set(['receive queue', 'prequeue', 'socket backlog', 'out-of-order queue']);

/** The packets that wait to be taken by a process on a CPU. */
function packetsShapes(
  ground: Ground,
  frame: Frame,
  { cpu, x, width }: CpuColumn,
  y: number,
  view: View,
): readonly Shape[] {
  const { em, words } = ground;
  const { packets } = frame;
  const waiting = [...packets.packet.keys()].filter((index) => {
    const station = words.glossary.stations[packets.station[index] ?? NO_WORD]?.name ?? '';
    const isLive = (packets.verdict[index] ?? NO_WORD) === NO_WORD;
    return isLive && FOR_TASKS.has(station) && packets.nextCpu[index] === cpu;
  });
  const size = { width: em * 1.9, height: em * 1.1 };
  const fits = Math.max(1, Math.floor((width + em * 0.3) / (size.width + em * 0.3)));
  const [first, ...others] = waiting;
  const shown = first === undefined ? [] : [first, ...others].slice(0, fits);
  const text =
    waiting.length === 0
      ? m.scheduler_no_packets()
      : m.scheduler_packets({ count: waiting.length });
  return [
    ...line(ground, {
      ...{ text, x: x + em * 0.4, y, width: width - em * 0.8 },
      colour: waiting.length === 0 ? 'ink-muted' : 'ink-soft',
    }),
    ...shown.map((index, at): Shape => {
      const packet = packets.packet[index] ?? 0;
      const piece = packets.piece[index] ?? 0;
      const rect = { x: x + at * (size.width + em * 0.3), y: y + em * (LINE + 0.2), ...size };
      const isChosen = packet === (view.followed ?? view.selected);
      return packetBox(rect, packet, piece, { isServed: false, isChosen });
    }),
  ];
}
