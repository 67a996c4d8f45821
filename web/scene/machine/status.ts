/**
 * An additional line in the head of a model's CPU: the lock that it spins on, or holds while others spin,
 * the running task's remaining time slice, the task that it preempted, and the fraction of the CPU's time
 * spent in probes. What does not fit is left to the tooltip.
 */
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import { NO_CPU, NONE } from '../../core/core.ts';
import { taskName } from '../heads.ts';
import type { Column, Layout } from '../layout.ts';
import type { Measure, Shape, Thing } from '../shapes.ts';
import { formatNanos, formatShare } from '../../numbers/format.ts';
import { cpusText } from '../../words/counts.ts';
import { m } from '../../words/generated/messages.js';
import { firstFitting } from '../text.ts';
import { written } from './texts.ts';
import { contextWord } from '../../words/kernel-words.ts';

/** Minimum fraction of a CPU's time that is shown: 0.05 %. */
const LEAST_SHARE = 0.0005;

/** A CPU's wait for a lock. */
export interface Spin {
  readonly lock: number;
  readonly name: string;
  readonly since: number;
  /** The CPU that holds it, or NO_CPU. */
  readonly holder: number;
}

export function spinOf(frame: Frame, run: Opened, cpu: number): Spin | undefined {
  const { spins, locks } = frame.machine;
  const row = spins.cpu.lastIndexOf(cpu);
  const lock = spins.lock[row];
  if (lock === undefined) return undefined;
  return {
    lock,
    name: run.machine.locks[lock] ?? '',
    since: spins.since[row] ?? frame.time,
    holder: locks.holder[locks.lock.indexOf(lock)] ?? NO_CPU,
  };
}

/** A lock that a CPU holds while others spin on it. */
export interface Hold {
  readonly lock: number;
  readonly name: string;
  readonly waiting: readonly number[];
  /** The time since which the first of them waits. */
  readonly since: number;
}

export function holdOf(frame: Frame, run: Opened, cpu: number): Hold | undefined {
  const { spins, locks } = frame.machine;
  const lock = locks.lock[locks.holder.indexOf(cpu)];
  if (lock === undefined) return undefined;
  const rows = [...spins.lock.keys()].filter((row) => spins.lock[row] === lock);
  return {
    lock,
    name: run.machine.locks[lock] ?? '',
    waiting: rows.map((row) => spins.cpu[row] ?? NO_CPU),
    since: Math.min(frame.time, ...rows.map((row) => spins.since[row] ?? frame.time)),
  };
}

/** The remaining slice of the running task; `undefined` if it is not known. */
export function sliceLeft(frame: Frame, at: number): number | undefined {
  const { tasks } = frame.machine;
  const pid = tasks.pid[at] ?? NONE;
  if (pid === NONE || pid === 0 || pid !== frame.cpus.pid[at]) return undefined;
  return tasks.left[at];
}

/** The task that the running one preempted. */
export function preemptedBy(frame: Frame, run: Opened, at: number): string | undefined {
  return taskName(run, frame.machine.tasks.preempted[at] ?? NONE);
}

/** The value of `Waits.why` for a task that was preempted. */
export const PREEMPTED = 3;

/**
 * The tasks that lost a CPU and still wait for it, the most recent first: by the waits, else by the model's
 * records.
 */
export function preemptedOn(
  frame: Frame,
  at: number,
  cpu: number,
): readonly { readonly pid: number; readonly since: number }[] {
  const { waits, tasks } = frame.machine;
  const rows = [...waits.cpu.keys()].filter(
    (row) => waits.cpu[row] === cpu && waits.why[row] === PREEMPTED,
  );
  const waiting = rows
    .map((row) => ({ pid: waits.pid[row] ?? NONE, since: waits.since[row] ?? frame.time }))
    .sort((a, b) => b.since - a.since);
  const isOwner = tasks.pid[at] !== undefined && tasks.pid[at] === frame.cpus.pid[at];
  const known = isOwner ? (tasks.preempted[at] ?? NONE) : NONE;
  if (waiting.length > 0 || known === NONE) return waiting;
  return [{ pid: known, since: tasks.preemptedAt[at] ?? frame.time }];
}

/** The fraction of a CPU's time spent in probes: within the linger, else in total. */
export function probeShare(frame: Frame, cpu: number, linger: number): number | undefined {
  const { costs } = frame.machine;
  const row = costs.cpu.indexOf(cpu);
  if (row === -1) return undefined;
  if (linger > 0) return (costs.recent[row] ?? 0) / Math.min(linger, Math.max(1, frame.time));
  return frame.time > 0 ? (costs.nanos[row] ?? 0) / frame.time : 0;
}

interface Item {
  readonly texts: readonly string[];
  readonly draw: (text: string, x: number) => readonly Shape[];
  /** Width in addition to its text. */
  readonly more: number;
  readonly isRight?: boolean;
  readonly isBold?: boolean;
}

export function statusShapes(
  frame: Frame,
  run: Opened,
  column: Column,
  y: number,
  linger: number,
  layout: Layout,
  measure: Measure,
): readonly Shape[] {
  const { textSize, scale } = layout;
  const gap = 12 * scale;
  let room = column.innerWidth;
  const shapes: Shape[] = [];
  let x = column.innerX;
  // In order of importance: later items use the room that is left.
  for (const item of itemsOf(frame, run, column, y, linger, layout, measure)) {
    const isBold = item.isBold === true;
    const text = firstFitting(item.texts, room - item.more, measure, textSize, isBold);
    if (text === '') continue;
    const width = measure(text, textSize, isBold, false) + item.more;
    const at = item.isRight === true ? x + room - width : x;
    shapes.push(...item.draw(text, at));
    if (item.isRight !== true) x += width + gap;
    room -= width + gap;
  }
  return shapes;
}

function itemsOf(
  frame: Frame,
  run: Opened,
  column: Column,
  y: number,
  linger: number,
  layout: Layout,
  measure: Measure,
): readonly Item[] {
  const { scale } = layout;
  const thing: Thing = { kind: 'cpu', cpu: column.cpu };
  const label = (text: string, x: number) => written({ text, x, y, thing }, layout, measure);
  const items: Item[] = [...lockItems(frame, run, column, y, layout, measure)];
  const left = sliceLeft(frame, column.at);
  if (left !== undefined) {
    const gauge = 36 * scale;
    const share = run.machine.longestSlice > 0 ? left / run.machine.longestSlice : 0;
    const used = left === 0 ? m.stage_used_up() : m.stage_left({ time: formatNanos(left) });
    items.push({
      texts: [m.stage_slice({ left: used }), used],
      more: gauge + 6 * scale,
      draw: (text, x) => [
        {
          kind: 'gauge',
          rect: { x, y: y + (layout.lineHeight - 6 * scale) / 2, width: gauge, height: 6 * scale },
          share: Math.min(1, share),
          thing,
        },
        label(text, x + gauge + 6 * scale),
      ],
    });
  }
  const cost = probeShare(frame, column.cpu, linger);
  if (cost !== undefined && cost >= LEAST_SHARE) {
    items.push({
      texts: [`${m.machine_probes()} ${formatShare(cost, 1)}`],
      more: 0,
      isRight: true,
      draw: (text, x) => [label(text, x)],
    });
  }
  const preempted = preemptedBy(frame, run, column.at);
  if (preempted !== undefined) {
    items.push({
      texts: [m.scheduler_pushed_out({ task: preempted })],
      more: 0,
      draw: (text, x) => [label(text, x)],
    });
  }
  return items;
}

function lockItems(
  frame: Frame,
  run: Opened,
  column: Column,
  y: number,
  layout: Layout,
  measure: Measure,
): readonly Item[] {
  const spin = spinOf(frame, run, column.cpu);
  const hold = holdOf(frame, run, column.cpu);
  const pad = 8 * layout.scale;
  if (spin !== undefined) {
    const time = formatNanos(frame.time - spin.since);
    const { name: lock, holder } = spin;
    const texts = [
      holder === NO_CPU
        ? m.stage_spins_free({ time, lock })
        : m.stage_spins_held({ time, lock, cpu: holder }),
      m.stage_spins_on({ time, lock }),
      m.stage_spins_for({ time }),
      contextWord('spinning'),
    ];
    return [{ texts, more: 2 * pad, isBold: true, draw: pill({ kind: 'lock', lock: spin.lock }) }];
  }
  if (hold === undefined) return [];
  const { waiting } = hold;
  const who = waiting.length === 1 ? m.cpu({ cpu: waiting[0] ?? 0 }) : cpusText(waiting.length);
  const time = formatNanos(frame.time - hold.since);
  const texts = [
    m.stage_holds_while({ lock: hold.name, who, time }),
    m.stage_holds({ lock: hold.name }),
    m.locks_holds(),
  ];
  const thing: Thing = { kind: 'lock', lock: hold.lock };
  return [
    {
      texts,
      more: 0,
      isBold: true,
      draw: (text, x) => [
        written({ text, x, y, isBold: true, colour: 'lock-text', thing }, layout, measure),
      ],
    },
  ];

  function pill(pillThing: Thing): Item['draw'] {
    return (text, x) => [
      {
        kind: 'pill',
        text,
        size: layout.textSize,
        fill: 'lock',
        colour: 'on-lock',
        rect: {
          x,
          y: y - layout.scale,
          width: measure(text, layout.textSize, true, false) + 2 * pad,
          height: layout.lineHeight + 2 * layout.scale,
        },
        thing: pillThing,
      },
    ];
  }
}
