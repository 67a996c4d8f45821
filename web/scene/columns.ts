/**
 * How the width of the stage is shared among CPUs: the CPUs with packets get a
 * column each as long as there is room, and the others are folded into one strip.
 * It depends on the whole run and on the followed packet, never on a moment.
 */
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { once } from './once.ts';

export interface ColumnPlan {
  readonly columns: readonly { readonly cpu: number; readonly x: number; readonly width: number }[];
  readonly width: number;
}

/** Which CPUs get a column. */
export interface CpuChoice {
  /** In their order. */
  readonly shown: readonly number[];
  /** How many have none. */
  readonly others: number;
}

/** A CPU that touched a smaller part of the packets than this is an onlooker. */
const ONLOOKER = 0.01;
/** A followed packet's CPU is wider than the others by this factor. */
const ENLARGED = 1.6;

/** How often packets stand with each CPU in the whole run. */
const staysByCpu = once((run: Opened): ReadonlyMap<number, number> => {
  const stays = new Map<number, number>();
  for (const visit of run.visits) {
    stays.set(visit.cpu, (stays.get(visit.cpu) ?? 0) + visit.stays);
  }
  return stays;
});

/** A CPU's place in the run's list of CPUs; nothing for one that is not in it. */
export const placeOfCpu = once(
  ({ cpus }: Pick<Opened, 'cpus'>): ReadonlyMap<number, number> =>
    new Map(cpus.map((cpu, at) => [cpu, at])),
);

/** All CPUs, those first with which packets stand most often. */
const ranked = once((run: Opened): readonly number[] => {
  const stays = staysByCpu(run);
  const count = (cpu: number) => stays.get(cpu) ?? 0;
  return cpusOf(run).toSorted((a, b) => count(b) - count(a) || a - b);
});

const cpusOf = (run: Opened) => (run.cpus.length > 0 ? run.cpus : [NO_CPU]);

/** The CPU at which things without a CPU are drawn: the one with most packets. */
export const busiest = (run: Opened): number => ranked(run)[0] ?? NO_CPU;

/** The CPUs that get a column: at most `most`, those of `wanted` before all others. */
export function shownCpus(run: Opened, most: number, wanted: readonly number[]): CpuChoice {
  const stays = staysByCpu(run);
  const count = (cpu: number) => stays.get(cpu) ?? 0;
  const least = Math.max(1, count(busiest(run)) * ONLOOKER);
  const isKnown = (cpu: number) => placeOfCpu(run).has(cpu);
  const chosen = new Set(
    wanted
      .filter(isKnown)
      .toSorted((a, b) => a - b)
      .slice(0, Math.max(1, most)),
  );
  for (const cpu of ranked(run)) {
    if (count(cpu) < least || chosen.size >= Math.max(1, most)) break;
    chosen.add(cpu);
  }
  if (chosen.size === 0) chosen.add(busiest(run));
  return { shown: inOrder(run, [...chosen]), others: cpusOf(run).length - chosen.size };
}

/** At most so many CPUs, those where most packets are, without some, in their order. */
export function busiestCpus(
  run: Opened,
  most: number,
  without: readonly number[] = [],
): readonly number[] {
  const isOut = new Set(without);
  const found: number[] = [];
  for (const cpu of ranked(run)) {
    if (found.length >= most) break;
    if (!isOut.has(cpu)) found.push(cpu);
  }
  return inOrder(run, found);
}

function inOrder(run: Opened, cpus: readonly number[]): readonly number[] {
  const place = (cpu: number) => placeOfCpu(run).get(cpu) ?? 0;
  return cpus.toSorted((a, b) => place(a) - place(b));
}

/** Columns side by side; `enlarged` says how much of the extra width each CPU has, 0 to 1. */
export function shareWidth(
  cpus: readonly number[],
  width: number,
  gap: number,
  enlarged: ReadonlyMap<number, number>,
): ColumnPlan['columns'] {
  const weight = (cpu: number) => 1 + (ENLARGED - 1) * (enlarged.get(cpu) ?? 0);
  const whole = cpus.reduce((sum, cpu) => sum + weight(cpu), 0);
  const room = width - gap * (cpus.length - 1);
  let x = 0;
  return cpus.map((cpu) => {
    const own = (room * weight(cpu)) / whole;
    const column = { cpu, x, width: own };
    x += own + gap;
    return column;
  });
}
