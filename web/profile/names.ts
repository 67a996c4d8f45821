/** What places of a profile are called on the page, how much they weigh in words, and its tables. */
import type { Glossary } from '../core/core.ts';
import type { LockRow, Profile, ProfileStack } from '../core/profile.ts';
import type { Place, Row } from '../scene/profile/flame.ts';
import { rateOf, type Weight } from '../scene/profile/weights.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import type { Table } from '../ui/csv.ts';
import { formatCount, formatNanos, formatShare } from '../numbers/format.ts';
import { contextWord } from '../words/kernel-words.ts';
import { m } from '../words/generated/messages.js';

export function nameOf({ kind, name, context }: Place, looks: readonly ContextLook[]): string {
  if (kind === 'all') return m.profile_all();
  if (kind === 'cpu') return m.cpu({ cpu: name });
  return kind === 'context' && context !== undefined
    ? contextWord(lookOf(looks, context).name)
    : name;
}

/** What the width of a bar means. */
export const WEIGHT_NAMES: Readonly<Record<Weight, () => string>> = {
  time: m.profile_share,
  lines: m.profile_lines,
  spin: m.profile_spin,
  calls: m.profile_calls,
};

const isTime = (weight: Weight) => weight === 'time' || weight === 'spin';

/**
 * A weight of one run, of a bar or a row: of time the part of all that the CPUs had, of lines and calls how
 * many.
 */
export function weightText(weight: Weight, value: number, profile: Profile): string {
  return isTime(weight) ? rateText(weight, rateOf(weight, value, profile)) : formatCount(value);
}

/** A bar by its name, with how much it is; `all` is what the whole weighs. */
export function barText(
  name: string,
  weight: Weight,
  value: number,
  all: number,
  profile: Profile,
): string {
  const amount = weightText(weight, value, profile);
  return isTime(weight)
    ? m.profile_place({ name, share: amount, time: formatNanos(value) })
    : m.profile_place_of({ name, amount, part: formatShare(value, all) });
}

/** Of what percentages are parts: of one run, or of two. */
export function baseText(weight: Weight, profile: Profile, isOfTwo: boolean): string {
  if (!isTime(weight)) return isOfTwo ? '' : m.profile_base_all();
  return isOfTwo
    ? m.profile_base_both()
    : m.profile_base({ all: formatNanos(profile.cpus * profile.elapsed) });
}

/** The same as runs of different length have it in common: a part of all CPU time, or so many a second. */
export function rateText(weight: Weight, rate: number): string {
  return isTime(weight)
    ? formatShare(rate, 1)
    : m.figure_a_second({ count: formatCount(Math.round(rate)) });
}

/** All stacks, for scripts. */
export function stacksTable({ stacks }: Profile, { contexts }: Pick<Glossary, 'contexts'>): Table {
  return {
    columns: ['cpu', 'context', 'within', 'time_ns', 'calls', 'lines'],
    rows: stacks.map(({ cpu, context, within, nanos, calls, lines }) => [
      cpu,
      contexts[context]?.name,
      within.join(';'),
      nanos,
      calls,
      lines,
    ]),
  };
}

/** The stacks of two runs beside each other, those of B alone last. */
export function changesTable(
  a: Profile,
  b: Profile,
  { contexts }: Pick<Glossary, 'contexts'>,
): Table {
  const key = ({ cpu, context, within }: ProfileStack) => [cpu, context, ...within].join('\n');
  const [inA, inB] = [a, b].map(({ stacks }) => new Map(stacks.map((one) => [key(one), one])));
  const alone = b.stacks.filter((stack) => !inA!.has(key(stack)));
  return {
    columns: [
      'cpu',
      'context',
      'within',
      'a_ns',
      'b_ns',
      'a_calls',
      'b_calls',
      'a_lines',
      'b_lines',
    ],
    rows: [...a.stacks, ...alone].map((stack) => {
      const [one, other] = [inA!.get(key(stack)), inB!.get(key(stack))];
      return [
        ...[stack.cpu, contexts[stack.context]?.name, stack.within.join(';')],
        ...[one?.nanos ?? 0, other?.nanos ?? 0],
        ...[one?.calls, other?.calls, one?.lines, other?.lines],
      ];
    }),
  };
}

/** Who wanted which lock, for scripts. */
export function locksTable(locks: readonly LockRow[]): Table {
  return {
    columns: ['lock', 'cpu', 'within', 'holds', 'spins', 'spun_ns'],
    rows: locks.map(({ lock, cpu, within, holds, spins, nanos }) => [
      ...[lock, cpu, within.join(';')],
      ...[holds, spins, nanos],
    ]),
  };
}

/** A row in B beside the same in A. */
export function likeOf(rows: readonly Row[], { name, context }: Row): Row | undefined {
  return rows.find((row) => row.name === name && row.context === context);
}
