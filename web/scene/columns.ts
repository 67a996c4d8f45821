/**
 * How the stage's width is shared among CPUs: those where packets are have a column each as
 * far as there is room, the others fold to one strip. From what is used in the whole run, and
 * from whom the viewer follows; never from a moment.
 */
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { once } from './once.ts';

export interface ColumnPlan {
  readonly columns: readonly { readonly cpu: number; readonly x: number; readonly width: number }[];
  readonly width: number;
  /** The CPUs without a column, in their order. */
  readonly folded: readonly number[];
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

/** The CPU of what belongs to no CPU: there most packets are. */
export const busiest = once((run: Opened): number => {
  const stays = staysByCpu(run);
  const cpus = run.cpus.length > 0 ? run.cpus : [NO_CPU];
  return cpus.reduce((best, cpu) => ((stays.get(cpu) ?? 0) > (stays.get(best) ?? 0) ? cpu : best));
});

/** The CPUs that get a column: at most `most`, those of `wanted` before all others. */
export function shownCpus(
  run: Opened,
  most: number,
  wanted: readonly number[],
): { readonly shown: readonly number[]; readonly folded: readonly number[] } {
  const cpus = run.cpus.length > 0 ? run.cpus : [NO_CPU];
  const stays = staysByCpu(run);
  const count = (cpu: number) => stays.get(cpu) ?? 0;
  const least = Math.max(1, count(busiest(run)) * ONLOOKER);
  const rank = (cpu: number) => (wanted.includes(cpu) ? Infinity : count(cpu));
  const ranked = [...cpus]
    .filter((cpu) => count(cpu) >= least || wanted.includes(cpu))
    .sort((a, b) => rank(b) - rank(a) || a - b);
  const chosen = new Set(ranked.length > 0 ? ranked.slice(0, Math.max(1, most)) : [busiest(run)]);
  return {
    shown: cpus.filter((cpu) => chosen.has(cpu)),
    folded: cpus.filter((cpu) => !chosen.has(cpu)),
  };
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
