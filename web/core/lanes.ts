/**
 * What the time line is drawn from: what the CPUs did and how deep the queues were over a stretch
 * of time, in as many steps as were asked for.
 */
import type { Nanos } from './core.ts';

export interface Lanes {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly cpus: readonly CpuLane[];
  readonly queues: readonly QueueLane[];
  /** Times of drops in the range (at most `columns`, one a step). */
  readonly drops: Float64Array;
  /** Packets delivered, and packets that came, in each of `columns` equal steps. */
  readonly deliveredPerStep: Uint32Array;
  readonly arrivedPerStep: Uint32Array;
}

/** Segments of one CPU, contiguous from `from` to `to`; those too short for a step are merged into the longest. */
export interface CpuLane {
  readonly cpu: number;
  readonly start: Float64Array;
  readonly context: Uint8Array;
  readonly pid: Uint32Array;
}

/** Depth of one queue as steps: the largest depth within each step that changed. */
export interface QueueLane {
  readonly queue: number;
  readonly start: Float64Array;
  readonly depth: Uint32Array;
}
