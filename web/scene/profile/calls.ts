/**
 * An annotated call graph, as far as a model has one: between a context and a kernel function is a path, a
 * step of the model that calls functions. A function is called by paths; a path runs in contexts and calls
 * functions; there are no calls between functions.
 */
import type { ProfileStack } from '../../core/profile.ts';

export interface Call {
  /** A path or a function; empty for the caller of a path, which is a context. */
  readonly name: string;
  /** Index of the context. */
  readonly context: number;
  nanos: number;
  calls: number;
}

export interface Around {
  readonly name: string;
  readonly isPath: boolean;
  /** The most calls first. */
  readonly callers: readonly Call[];
  readonly callees: readonly Call[];
  readonly nanos: number;
  readonly calls: number;
}

/**
 * The callers and callees of a function or path, over all CPUs; `undefined` if none of that name ran. A
 * function with the same name as its path takes precedence.
 *
 * @param spinning index of the context in which a CPU waits for a lock, which is not a call
 */
export function aroundOf(
  stacks: readonly ProfileStack[],
  name: string,
  spinning: number,
): Around | undefined {
  const called = stacks.filter(({ within, context }) => within.length > 1 && context !== spinning);
  const own = called.filter(({ within }) => within.at(-1) === name);
  const isPath = own.length === 0;
  const of = isPath ? called.filter(({ within }) => within.at(-2) === name) : own;
  if (of.length === 0) return undefined;
  return {
    name,
    isPath,
    callers: gathered(of, ({ within }) => (isPath ? '' : (within.at(-2) ?? ''))),
    callees: isPath ? gathered(of, ({ within }) => within.at(-1) ?? '') : [],
    nanos: of.reduce((sum, { nanos }) => sum + nanos, 0),
    calls: of.reduce((sum, { calls }) => sum + (calls ?? 0), 0),
  };
}

function gathered(
  stacks: readonly ProfileStack[],
  nameOf: (stack: ProfileStack) => string,
): readonly Call[] {
  const all = new Map<string, Call>();
  for (const stack of stacks) {
    const { context, nanos, calls = 0 } = stack;
    const name = nameOf(stack);
    const key = `${context}\n${name}`;
    const call = all.get(key) ?? { name, context, nanos: 0, calls: 0 };
    call.nanos += nanos;
    call.calls += calls;
    all.set(key, call);
  }
  return [...all.values()].sort((a, b) => b.calls - a.calls || b.nanos - a.nanos);
}
