/**
 * A profile as a tree of places, and the rows of its flame graph: the whole on top, below each place those
 * in it, the widest first.
 */
import { hierarchy, partition, type HierarchyRectangularNode } from 'd3-hierarchy';
import type { Profile, ProfileStack } from '../../core/profile.ts';

/** The whole, a CPU, a context, or a path or function that ran in it. */
export interface Place {
  /** Its path from the root; the root's is empty. */
  readonly key: string;
  readonly kind: 'all' | 'cpu' | 'context' | 'within';
  /** A CPU's number, a context's index, or the name of what ran. */
  readonly name: string;
  /** Index of the context that contains it. */
  readonly context: number | undefined;
  /** Weight without the places below. */
  own: number;
  /** Nanoseconds in it and in no place below. */
  nanos: number;
  /** Number of calls, if known. */
  calls: number | undefined;
  /** Number of cache lines transferred in it, if known. */
  lines: number | undefined;
  readonly children: Place[];
}

/** A place as drawn; positions are fractions of the width. */
export interface Bar {
  readonly place: Place;
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** Weight with the places below. */
  readonly weight: number;
}

type Node = HierarchyRectangularNode<Place>;

/** Separates the names in a key; no name contains it. */
const SEPARATOR = '\n';

/**
 * @param isByCpu whether each CPU has a place of its own
 * @param weigh returns the weight of a stack; a stack of weight 0 has no place
 */
export function treeOf(
  { stacks }: Pick<Profile, 'stacks'>,
  isByCpu: boolean,
  weigh: (stack: ProfileStack) => number = ({ nanos }) => nanos,
): Place {
  const all: Place = place('', 'all', '', undefined);
  const places = new Map<string, Place>();
  const within = (parent: Place, kind: Place['kind'], name: string, context?: number) => {
    const key = `${parent.key}${SEPARATOR}${name}`;
    let found = places.get(key);
    if (found === undefined) {
      found = place(key, kind, name, context);
      places.set(key, found);
      parent.children.push(found);
    }
    return found;
  };
  for (const stack of stacks) {
    const { cpu, context, within: names, nanos, calls, lines } = stack;
    const weight = weigh(stack);
    if (weight === 0) continue;
    const outer = isByCpu ? within(all, 'cpu', String(cpu)) : all;
    let at = within(outer, 'context', String(context), context);
    for (const name of names) at = within(at, 'within', name, context);
    at.own += weight;
    at.nanos += nanos;
    at.calls = sum(at.calls, calls);
    at.lines = sum(at.lines, lines);
  }
  return all;
}

/**
 * The rows of a place: its ancestors over the whole width, and below it all places wide enough to draw.
 *
 * @param zoomed key of the place that has the whole width; the root if there is none of this key
 * @param least minimum fraction of the width that is drawn
 */
export function barsOf(tree: Place, zoomed: string, least: number): readonly Bar[] {
  const root = hierarchy(tree)
    .sum(({ own }) => own)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = partition<Place>()(root);
  const focus = laid.find(({ data }) => data.key === zoomed) ?? laid;
  const width = focus.x1 - focus.x0;
  if (width === 0) return [];
  const above = new Set(focus.ancestors());
  const bars: Bar[] = [];
  const add = (node: Node) => {
    const isAbove = above.has(node);
    const from = isAbove ? 0 : (node.x0 - focus.x0) / width;
    const to = isAbove ? 1 : (node.x1 - focus.x0) / width;
    if (to - from < least || from >= 1 || to <= 0) return;
    bars.push({ place: node.data, row: node.depth, from, to, weight: node.value ?? 0 });
    node.children?.forEach(add);
  };
  add(laid);
  return bars;
}

/** A path or function, summed over all of its places. */
export interface Row {
  readonly name: string;
  readonly context: number;
  weight: number;
  nanos: number;
  calls: number | undefined;
  lines: number | undefined;
}

/** The weight of each place with all places below it, by key. */
export function weightsOf(tree: Place): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = ({ key, own, children }: Place): number => {
    const weight = children.reduce((all, child) => all + add(child), own);
    weights.set(key, weight);
    return weight;
  };
  add(tree);
  return weights;
}

/**
 * What ran in a place and below without what it called, the heaviest first; the name is empty for a context
 * without details.
 */
export function rowsOf(tree: Place, zoomed: string): readonly Row[] {
  const focus = find(tree, zoomed) ?? tree;
  const rows = new Map<string, Row>();
  const add = ({ kind, name, context, own, nanos, calls, lines, children }: Place) => {
    if (own > 0 && context !== undefined) {
      const shown = kind === 'within' ? name : '';
      const key = `${context}${SEPARATOR}${shown}`;
      const row = rows.get(key) ?? { ...NOTHING, name: shown, context };
      row.weight += own;
      row.nanos += nanos;
      row.calls = sum(row.calls, calls);
      row.lines = sum(row.lines, lines);
      rows.set(key, row);
    }
    children.forEach(add);
  };
  add(focus);
  return [...rows.values()].sort((a, b) => b.weight - a.weight);
}

function find(tree: Place, key: string): Place | undefined {
  if (tree.key === key) return tree;
  for (const child of tree.children) {
    const found = key.startsWith(child.key) ? find(child, key) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function place(key: string, kind: Place['kind'], name: string, context: number | undefined): Place {
  const own = { own: 0, nanos: 0, calls: undefined, lines: undefined };
  return { key, kind, name, context, ...own, children: [] };
}

const NOTHING = { weight: 0, nanos: 0, calls: undefined, lines: undefined };

/** The sum of the known values; `undefined` if neither is known. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}

/**
 * The bar that an arrow key leads to: in its row, to the widest of those below, or to the one above; `undefined` if
 * there is none.
 */
export function barTowards(
  bars: readonly Bar[],
  { row, from, to }: Bar,
  key: string,
): Bar | undefined {
  const inRow = (of: number) =>
    bars.filter((bar) => bar.row === of).sort((one, other) => one.from - other.from);
  switch (key) {
    case 'ArrowRight':
      return inRow(row).find((bar) => bar.from > from);
    case 'ArrowLeft':
      return inRow(row).findLast((bar) => bar.from < from);
    case 'ArrowUp':
      return inRow(row - 1).findLast((bar) => bar.from <= from);
    case 'ArrowDown':
      return inRow(row + 1)
        .filter((bar) => from <= bar.from && bar.from < to)
        .reduce<Bar | undefined>(
          (most, bar) => (most === undefined || bar.weight > most.weight ? bar : most),
          undefined,
        );
    case 'Home':
      return inRow(0)[0];
    default:
      return undefined;
  }
}
