/** What places of a profile are called on the page, and its rows as a table. */
import type { Glossary } from '../core/core.ts';
import type { Profile } from '../core/profile.ts';
import type { Place, Row } from '../scene/profile/flame.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import type { Table } from '../ui/csv.ts';
import { contextWord } from '../words/kernel-words.ts';
import { m } from '../words/generated/messages.js';

export function nameOf({ kind, name, context }: Place, looks: readonly ContextLook[]): string {
  if (kind === 'all') return m.profile_all();
  if (kind === 'cpu') return m.cpu({ cpu: name });
  return kind === 'context' && context !== undefined
    ? contextWord(lookOf(looks, context).name)
    : name;
}

/** All stacks, for scripts. */
export function stacksTable({ stacks }: Profile, { contexts }: Pick<Glossary, 'contexts'>): Table {
  return {
    columns: ['cpu', 'context', 'within', 'time_ns', 'calls'],
    rows: stacks.map(({ cpu, context, within, nanos, calls }) => [
      cpu,
      contexts[context]?.name,
      within.join(';'),
      nanos,
      calls,
    ]),
  };
}

/** A row in B beside the same in A. */
export function likeOf(rows: readonly Row[], { name, context }: Row): Row | undefined {
  return rows.find((row) => row.name === name && row.context === context);
}
