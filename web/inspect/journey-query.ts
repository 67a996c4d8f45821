/**
 * Changes to the query for journeys: set or clear one filter, or sort by a column. A cleared filter is
 * absent rather than `undefined`, so that equal queries compare equal.
 */
import type { JourneyQuery, JourneySort } from '../core/journeys.ts';

export type Filter = Exclude<keyof JourneyQuery, 'sort' | 'isDescending'>;

export const FILTERS: readonly Filter[] = [
  ...(['flow', 'socket', 'cpu', 'verdict', 'dropReason', 'direction'] as const),
  ...(['minDuration', 'maxDuration', 'from', 'to'] as const),
];

export function withFilter<K extends Filter>(
  query: JourneyQuery,
  filter: K,
  value: JourneyQuery[K] | undefined,
): JourneyQuery {
  const rest = Object.fromEntries(
    Object.entries(query).filter(([key]) => key !== filter),
  ) as unknown as JourneyQuery;
  return value === undefined ? rest : { ...rest, [filter]: value };
}

export function withoutFilters({ sort, isDescending }: JourneyQuery): JourneyQuery {
  return { sort, isDescending };
}

export function filterCount(query: JourneyQuery): number {
  return FILTERS.filter((filter) => query[filter] !== undefined).length;
}

/** Numbers sort the largest first, which is what one usually looks for; a second click reverses the order. */
export function sortedBy(query: JourneyQuery, sort: JourneySort): JourneyQuery {
  const isFirstDescending = !(['start', 'flow', 'verdict'] as readonly JourneySort[]).includes(
    sort,
  );
  const isDescending = query.sort === sort ? !query.isDescending : isFirstDescending;
  return { ...query, sort, isDescending };
}

export function ariaSort(
  query: JourneyQuery,
  sort: JourneySort | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (sort === undefined) return undefined;
  if (query.sort !== sort) return 'none';
  return query.isDescending ? 'descending' : 'ascending';
}
