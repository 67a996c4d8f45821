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
  /** What further stacks took, where there are too many to hand out. */
  readonly rest: Nanos;
}

export interface ProfileStack {
  readonly cpu: number;
  /** Index into the glossary's contexts. */
  readonly context: number;
  /** What ran there, from the outside in: a path and its function; a task; a softirq; an interrupt. */
  readonly within: readonly string[];
  readonly nanos: Nanos;
  /** How often the innermost function was called, where that is told. */
  readonly calls: number | undefined;
}
