/**
 * The tasks that wait for a CPU, in the order in which its scheduler would take them where a model
 * tells it, else in the order in which they came; and what is said of each, in words.
 */
import { NONE } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { taskName } from '../../heads.ts';
import { PREEMPTED } from '../../machine/status.ts';
import { packetsAwaited } from '../../readers.ts';
import type { Ground } from '../ground.ts';
import { formatNanos } from '../../../ui/format.ts';
import { m } from '../../../words/generated/messages.js';

/** A task that waits for a CPU. */
export interface Waiter {
  /** Its place among those that wait, from 1. */
  readonly place: number;
  readonly pid: number;
  readonly name: string;
  readonly since: number;
  readonly why: number;
  readonly by: number;
  /** By what it has its place (`waits.standing`), and how much of that there is. */
  readonly standing: number;
  readonly amount: number;
  /** The packets that wait for it, as rows of their columns. */
  readonly packets: readonly number[];
}

/** What is left of its slice decides (`waits.standing`). */
export const SLICE = 1;
const DUE = 2;
const AHEAD = 3;

/** The tasks that wait for a CPU, the next first. */
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

/** How many wait, and what their order is: the scheduler's own only where that is told; shorter and shorter. */
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

/** By what it has its place, the longest text first; none where that is not told. */
export function standingTexts({ standing, amount, place }: Waiter): readonly string[] {
  const time = formatNanos(amount);
  switch (standing) {
    case SLICE:
      return sliceTexts(amount);
    case DUE:
      return [place === 1 ? m.scheduler_due_first() : m.scheduler_due({ time })];
    case AHEAD:
      return [m.scheduler_ahead({ time })];
    default:
      return [];
  }
}

/** What is left of a slice, the longest text first. */
export function sliceTexts(left: number): readonly string[] {
  if (left === 0) return [m.scheduler_slice_used(), m.stage_used_up()];
  const time = formatNanos(left);
  return [m.scheduler_slice({ time }), m.stage_left({ time })];
}

/** How long it waits already. */
export function waitText(frame: Frame, { since }: Waiter): string {
  return m.scheduler_waits({ time: formatNanos(Math.max(0, frame.time - since)) });
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

/** Who waits for each CPU, in their order, by what, why, and how long already. */
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
