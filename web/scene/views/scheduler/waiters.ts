/**
 * The tasks that wait for a CPU, in the order in which its scheduler would pick them if a model gives it,
 * else in the order of their arrival; and the texts about each.
 */
import { NONE } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { taskName } from '../../heads.ts';
import { PREEMPTED } from '../../machine/status.ts';
import { packetsAwaited } from '../../readers.ts';
import type { Ground } from '../ground.ts';
import { formatNanos } from '../../../numbers/format.ts';
import { m } from '../../../words/generated/messages.js';

/** A task that waits for a CPU. */
export interface Waiter {
  /** Its position among the waiting tasks, from 1. */
  readonly place: number;
  readonly pid: number;
  readonly name: string;
  readonly since: number;
  readonly why: number;
  readonly by: number;
  /** The quantity that determines its position (`waits.standing`), and the amount of it. */
  readonly standing: number;
  readonly amount: number;
  /** The packets that wait for it, as rows of their columns. */
  readonly packets: readonly number[];
}

/** The remaining time slice determines the order (`waits.standing`). */
export const SLICE = 1;
const DUE = 2;
const AHEAD = 3;
const RAN = 4;

/** The tasks that wait for a CPU, the next to run first. */
export function waitersOf({ run }: Ground, frame: Frame, cpu: number): readonly Waiter[] {
  const { waits } = frame.machine;
  const packets = packetsAwaited(frame, run);
  const placeOf = (row: number) => waits.place[row] || Infinity;
  return [...waits.cpu.keys()]
    .filter((row) => waits.cpu[row] === cpu)
    .sort((a, b) => (placeOf(a) === placeOf(b) ? a - b : placeOf(a) - placeOf(b)))
    .map((row, at) => ({
      place: at + 1,
      packets: packets.get(waits.pid[row] ?? NONE) ?? [],
      pid: waits.pid[row] ?? NONE,
      name: taskName(run, waits.pid[row] ?? NONE) ?? m.scheduler_unknown(),
      since: waits.since[row] ?? frame.time,
      why: waits.why[row] ?? 0,
      by: waits.by[row] ?? NONE,
      standing: waits.standing[row] ?? 0,
      amount: waits.amount[row] ?? 0,
    }));
}

/**
 * The number of waiting tasks and the meaning of their order, which is the scheduler's only if known; the
 * longest text first.
 */
export function waitingTexts(waiters: readonly Waiter[]): readonly string[] {
  if (waiters.length === 0) return [m.scheduler_nobody()];
  const count = m.scheduler_waiting({ count: waiters.length });
  if (waiters.length === 1) return [count];
  const isTold = waiters.every(({ standing }) => standing > 0);
  const orders = isTold
    ? [m.scheduler_order()]
    : [m.scheduler_order_unknown(), m.scheduler_order_guessed()];
  return [...orders.map((order) => `${count} · ${order}`), count];
}

/** The quantity that determines a task's position, the longest text first; empty if it is not known. */
export function standingTexts({ standing, amount, place }: Waiter): readonly string[] {
  const time = formatNanos(amount);
  switch (standing) {
    case SLICE:
      return sliceTexts(amount);
    case DUE:
      return [place === 1 ? m.scheduler_due_first() : m.scheduler_due({ time })];
    case AHEAD:
      return [m.scheduler_ahead({ time })];
    case RAN:
      return [amount === 0 ? m.scheduler_ran_least() : m.scheduler_ran({ time })];
    default:
      return [];
  }
}

/** The remaining slice, the longest text first. */
export function sliceTexts(left: number): readonly string[] {
  if (left === 0) return [m.scheduler_slice_used(), m.stage_used_up()];
  const time = formatNanos(left);
  return [m.scheduler_slice({ time }), m.stage_left({ time })];
}

/** How long it has waited. */
export function waitText(frame: Frame, { since }: Waiter): string {
  return m.scheduler_waits({ time: formatNanos(Math.max(0, frame.time - since)) });
}

/** The task that woke it, or that preempted it. */
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

/** The waiting tasks of each CPU in their order, with position, cause and duration of their waits. */
export function waitSentences(ground: Ground, frame: Frame): readonly string[] {
  return ground.run.cpus.flatMap((cpu) =>
    waitersOf(ground, frame, cpu).map((waiter) => {
      const { place, name, packets } = waiter;
      const state = [
        ...(packets.length === 0 ? [] : [m.scheduler_awaited({ count: packets.length })]),
        ...standingTexts(waiter).slice(0, 1),
        whyText(ground, waiter),
        waitText(frame, waiter),
      ].join(', ');
      return m.scheduler_sentence({ cpu, place, task: name, state });
    }),
  );
}
