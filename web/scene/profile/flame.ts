/**
 * A profile as a tree of places, and the places as rows of a flame graph: the whole on top, below each place
 * those in it, the widest first.
 */
import { hierarchy, partition, type HierarchyRectangularNode } from 'd3-hierarchy';
import type { Profile, ProfileStack } from '../../core/profile.ts';

/** All CPUs, one CPU, a context, or something that ran in it. */
export interface Place {
  /** The way to it from the whole; the whole's is empty. */
  readonly key: string;
  readonly kind: 'all' | 'cpu' | 'context' | 'within';
  /** A CPU's number, a context's index, or the name of what ran. */
  readonly name: string;
  /** Index of the context that it is in. */
  readonly context: number | undefined;
  /** What it weighs without the places below. */
  own: number;
  /** Time in it and in no place below. */
  nanos: number;
  /** How often it was called, where that is told. */
  calls: number | undefined;
  /** Cache lines that came in it, where that is told. */
  lines: number | undefined;
  readonly children: Place[];
}

/** A place as it is drawn, in parts of the width. */
export interface Bar {
  readonly place: Place;
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** What it weighs with what is below. */
  readonly weight: number;
}

type Node = HierarchyRectangularNode<Place>;

/** A place's name and, in front of what it is in, nothing that a name can hold. */
const SEPARATOR = '\n';

/**
 * @param isByCpu whether each CPU has a place of its own
 * @param weigh what a stack weighs; who weighs nothing has no place
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
 * The rows of a place: what it is in over the whole width, and below it all that can be seen.
 *
 * @param zoomed the key of the place that has the whole width; the whole where there is none such
 * @param least the narrowest part of the width that is drawn
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

/** Something that ran, over all of its places. */
export interface Row {
  readonly name: string;
  readonly context: number;
  weight: number;
  nanos: number;
  calls: number | undefined;
  lines: number | undefined;
}

/** What a place weighs with all below it, by its key. */
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

/** What ran by itself in a place and below, the heaviest first; a context of which no more is told has no name. */
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

/** Nothing where neither is told. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
