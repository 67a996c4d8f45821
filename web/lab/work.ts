/**
 * How much the CPUs of two sides have to do where they are not as many: a share of two and a share of four of them say
 * nothing of each other, the work of so many CPUs does.
 */
import type { Difference, Figures, VerdictSentence } from '../core/figures.ts';
import { formatNumber } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import { ofRun } from './figures.ts';

export type CpuCounts = readonly [before: number, after: number];

/** Within this part of what it was, it is as much as before. */
const AS_MUCH = 0.05;

/** How many CPUs there are on each side; nothing where one of them does not tell. */
export function cpusOf(
  before: Figures | undefined,
  after: Figures | undefined,
): CpuCounts | undefined {
  const [was, is] = [before, after].map(
    (one) => one?.all.filter(({ quantity, kind }) => quantity === 'busy' && kind === 'cpu').length,
  );
  return was && is ? [was, is] : undefined;
}

/** How many CPUs would be busy all the time; nothing where there are as many as before, and their share says it. */
export function workOf(
  differences: readonly Difference[],
  cpus: CpuCounts | undefined,
): CpuCounts | undefined {
  const busy = ofRun(differences, 'busy');
  if (cpus === undefined || cpus[0] === cpus[1] || busy === undefined) return undefined;
  return [busy.before.mean * cpus[0], busy.after.mean * cpus[1]];
}

/** What a sentence on how busy the CPUs are has to say in its place; nothing of any other. */
export function workText(
  { quantity, kind }: VerdictSentence,
  differences: readonly Difference[],
  cpus: CpuCounts | undefined,
): string | undefined {
  const work = quantity === 'busy' && kind === 'run' ? workOf(differences, cpus) : undefined;
  if (work === undefined) return undefined;
  const [was, is] = work;
  const said = { before: formatNumber(was), after: formatNumber(is) };
  if (Math.abs(is / was - 1) <= AS_MUCH) return m.lab_work_same(said);
  return is > was ? m.lab_work_more(said) : m.lab_work_less(said);
}
