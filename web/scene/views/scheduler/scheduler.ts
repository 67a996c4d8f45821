/**
 * The view of the scheduler: under each CPU's head the task that runs with what is left of its
 * slice, whom it pushed out, and the tasks that wait in their order, with since when and who woke
 * or preempted them; below, the packets that wait to be read there.
 */
import { NO_WORD, NONE } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { taskName } from '../../heads.ts';
import { PREEMPTED, preemptedOn, sliceLeft } from '../../machine/status.ts';
import { overlaps } from '../../callout.ts';
import { between, ease } from '../../motion.ts';
import { packetsAwaited } from '../../readers.ts';
import { pinnedOf } from '../../place.ts';
import type { Rect, Shape, Thing, View } from '../../shapes.ts';
import { contextLook } from '../../words.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { headsBottom, headShapes } from '../heads.ts';
import { card, honest, line, LINE, packetBox, pill } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { formatNanos } from '../../../ui/format.ts';
import { m } from '../../../words/generated/messages.js';

/** Heights in text sizes; a waiting task has one line where the column is wide enough for it. */
const RUNNING = 5.2;
const WAITING = { wide: 1.95, narrow: 3.2 } as const;
const WIDE = 30;
const PACKETS = 3.4;
/** Rows of waiting tasks at the least. */
const LEAST_ROWS = 3;
/** Seconds of film in which a task that was pushed out slides to its place in the queue. */
const PUSH = 0.4;

/** A task that waits for a CPU. */
interface Waiter {
  /** Its place among those that wait, from 1. */
  readonly place: number;
  readonly pid: number;
  readonly name: string;
  readonly since: number;
  readonly why: number;
  readonly by: number;
  /** How many packets wait for it. */
  readonly packets: number;
}

export function drawScheduler(ground: Ground, frame: Frame, view: View): Drawn {
  return {
    height: schedulerHeight(ground),
    shapes: schedulerShapes(ground, frame, view),
    sentences: () => waitSentences(ground, frame),
  };
}

function schedulerHeight(ground: Ground): number {
  const { em, gap } = ground;
  const each = (RUNNING + LEAST_ROWS * WAITING.narrow + PACKETS + LINE) * em + 3 * gap;
  return Math.max(ground.height, headsBottom(ground) + each);
}

/** The tasks that wait for a CPU, in the order in which they came. */
function waitersOf(ground: Ground, frame: Frame, cpu: number): readonly Waiter[] {
  const { waits } = frame.machine;
  return [...waits.cpu.keys()]
    .filter((row) => waits.cpu[row] === cpu)
    .map((row, at) => ({
      place: at + 1,
      packets: packetsAwaited(frame, ground.run).get(waits.pid[row] ?? NONE)?.length ?? 0,
      pid: waits.pid[row] ?? NONE,
      name: taskName(ground.run, waits.pid[row] ?? NONE) ?? m.scheduler_unknown(),
      since: waits.since[row] ?? frame.time,
      why: waits.why[row] ?? 0,
      by: waits.by[row] ?? NONE,
    }));
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
  const each = em * (column.width < WIDE * em ? WAITING.narrow : WAITING.wide);
  const rows = Math.max(1, Math.floor((vessel.height - 2 * wall) / each));
  const waiters = waitersOf(ground, frame, column.cpu);
  const shown = shownOf(waiters, rows);
  const thing: Thing = { kind: 'cpu', cpu: column.cpu };
  const rest = waiters.length - shown.length;
  const title =
    waiters.length === 0 ? m.scheduler_nobody() : m.scheduler_waiting({ count: waiters.length });
  const rowAt = (at: number): Rect => ({
    ...{ x: vessel.x + 2 * wall, width: vessel.width - 4 * wall },
    ...{ y: vessel.y + wall + at * each, height: each - wall },
  });
  // Of several that were pushed out at once the last one is seen to come.
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
    some.flatMap(({ waiter, rect }) => waiterShapes(ground, frame, waiter, thing, rect));
  const sliding = placed.filter(({ waiter }) => waiter === pushed);
  const still: readonly Shape[] = [
    ...line(ground, {
      ...{ text: title, x: column.x + em * 0.4, y: titleTop, width: column.width - em * 0.8 },
      ...{ colour: 'ink-soft', thing },
    }),
    // Whoever is next stands next to the CPU; at the lower end they come.
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
    ...runningShapes(ground, frame, column, running),
    ...packetsShapes(ground, frame, column, bottom + gap / 2, view),
  ];
}

/** It was pushed out of the CPU only just, and slides to its place. */
function isSliding({ why, since }: Waiter, view: View): boolean {
  const age = -view.filmTo(since);
  return why === PREEMPTED && view.travel > 0 && age >= 0 && age < PUSH;
}

/** Where one is on its way from below its CPU to its row. */
function onTheWay(waiter: Waiter, row: Rect, running: Rect, view: View): Rect {
  const share = ease(-view.filmTo(waiter.since) / PUSH);
  return { ...row, y: between(running.y + running.height, row.y, share) };
}

/** The first of those that wait; those for which packets wait are always among them. */
function shownOf(waiters: readonly Waiter[], rows: number): readonly Waiter[] {
  if (waiters.length <= rows) return waiters;
  const awaited = waiters.filter(({ packets }) => packets > 0).slice(0, rows - 1);
  const others = waiters.filter((waiter) => !awaited.includes(waiter));
  const kept = [...awaited, ...others.slice(0, rows - 1 - awaited.length)];
  return kept.sort((a, b) => a.place - b.place);
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
  const preempted = taskName(run, preemptedOn(frame, at, cpu)[0]?.pid ?? NONE);
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
              left === 0
                ? m.scheduler_slice_used()
                : m.scheduler_slice({ time: formatNanos(left) }),
            x: inner.x + inner.width * 0.45,
            y: barY,
            width: inner.width * 0.55,
            colour: 'ink-soft',
            thing,
          }),
        ]),
  ];
}

function waiterShapes(
  ground: Ground,
  frame: Frame,
  waiter: Waiter,
  thing: Thing,
  rect: Rect,
): readonly Shape[] {
  const { em } = ground;
  const pad = em * 0.5;
  const isWide = rect.width >= (WIDE - 2) * em;
  const { y } = rect;
  const inner = { x: rect.x + pad, width: rect.width - 2 * pad };
  const tag = pill(
    ground,
    `${waiter.place}`,
    { x: inner.x, y: y + em * 0.05, width: em * 3 },
    { fill: 'idle', colour: 'on-idle', thing },
  );
  const tagged = (tag[0]?.rect.width ?? 0) + em * 0.5;
  const told = { x: inner.x + tagged, width: inner.width - tagged, y: y + em * 0.12, thing };
  const name = line(ground, { ...told, text: waiter.name, isBold: true });
  const after = isWide ? (name[0]?.rect.width ?? 0) + em : 0;
  return [
    card(ground, rect, {
      ...{ line: waiter.packets > 0 ? 'ink' : 'line-strong', thing },
      lineWidth: waiter.why === PREEMPTED || waiter.packets > 0 ? 2 : 1,
    }),
    ...tag,
    ...name,
    ...line(ground, {
      ...told,
      ...{ x: told.x + after, width: told.width - after, y: told.y + (isWide ? 0 : em * LINE) },
      text: stateOf(ground, frame, waiter).join(' · '),
      colour: 'ink-soft',
    }),
  ];
}

/** What waits for it, why it waits, and how long already. */
function stateOf(ground: Ground, frame: Frame, waiter: Waiter): readonly string[] {
  const waited = formatNanos(Math.max(0, frame.time - waiter.since));
  return [
    ...(waiter.packets === 0 ? [] : [m.scheduler_awaited({ count: waiter.packets })]),
    whyText(ground, waiter),
    m.scheduler_waits({ time: waited }),
  ];
}

/** Who woke it, or who took its CPU. */
function whyText({ run }: Ground, { why, by }: Waiter): string {
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
      const rect = { x: x + at * (size.width + em * 0.3), y: y + em * (LINE + 0.2), ...size };
      const isChosen = packets.packet[index] === pinnedOf(view);
      return packetBox(rect, packets, index, { isServed: false, isChosen });
    }),
  ];
}

/** Who waits for each CPU, in their order, why, and how long already. */
function waitSentences(ground: Ground, frame: Frame): readonly string[] {
  return ground.run.cpus.flatMap((cpu) =>
    waitersOf(ground, frame, cpu).map((waiter) => {
      const state = stateOf(ground, frame, waiter).join(', ');
      const { place, name } = waiter;
      return m.scheduler_sentence({ cpu, place, task: name, state });
    }),
  );
}
