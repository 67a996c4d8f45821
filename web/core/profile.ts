/**
 * Where the CPUs' time went: `wasm-core/core/src/profile` says what a stack is, of a simulation and of a recording.
 */
import type { Nanos } from './core.ts';

export interface Profile {
  /** Every step of a simulation was charged; a recording tells who had a CPU from event to event. */
  readonly source: 'charged' | 'recorded';
  /** How long each CPU was watched. */
  readonly elapsed: Nanos;
  readonly cpus: number;
  /** The largest first. */
  readonly stacks: readonly ProfileStack[];
  /** The locks that somebody wanted, the most time first. */
  readonly locks: readonly LockRow[];
  /** What further stacks took, where there are too many to hand out. */
  readonly rest: Nanos;
}

export interface ProfileStack {
  readonly cpu: number;
  /** Index into the glossary's contexts. */
  readonly context: number;
  /**
   * What ran there, from the outside in: a path and its function, while it spins behind the lock; a task; a
   * softirq; an interrupt.
   */
  readonly within: readonly string[];
  readonly nanos: Nanos;
  /** How often the innermost function was called, or began to spin, where that is told. */
  readonly calls: number | undefined;
  /** Cache lines that came into a cache in it, where that is told. */
  readonly lines: number | undefined;
}

/** A lock as somebody wanted it. */
export interface LockRow {
  readonly lock: string;
  /** Nothing where a recording tells of all CPUs together. */
  readonly cpu: number | undefined;
  /** The path and the function that wanted it; empty where nothing tells. */
  readonly within: readonly string[];
  /** How often it was taken, where that is told. */
  readonly holds: number | undefined;
  /** How often somebody else had it. */
  readonly spins: number;
  readonly nanos: Nanos;
}
