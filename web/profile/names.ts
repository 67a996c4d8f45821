/** What places of a profile are called on the page, how much they weigh in words, and its tables. */
import type { Glossary } from '../core/core.ts';
import type { LockRow, Profile, ProfileStack } from '../core/profile.ts';
import type { Place, Row } from '../scene/profile/flame.ts';
import type { Weight } from '../scene/profile/weights.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import type { Table } from '../ui/csv.ts';
import { formatCount, formatNanos, formatShare } from '../ui/format.ts';
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

/** A weight by itself: a time, or so many. */
export function amountOf(weight: Weight, value: number): string {
  return isTime(weight) ? formatNanos(value) : formatCount(value);
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
