/**
 * What only a model knows, as the page sees it: the names for a run, the columns of a moment,
 * the measures of a range. All of it is empty in a recording. `core.ts` says what the marks
 * for "none" are.
 */
import type { Nanos } from './core.ts';

/** What the columns speak of, once for a run. */
export interface MachineInfo {
  /** The CPUs that share each cache; empty where nothing tells of cache lines. */
  readonly caches: readonly (readonly number[])[];
  /** Lines that a cache holds at most; 0 where nothing says so. */
  readonly cacheLines: number;
  /** Bytes of a line of the caches; of a recording, which does not say so, 64. */
  readonly lineBytes: number;
  /** The kinds of objects that lines belong to: `data`, `skb`, `sock` ... */
  readonly objects: readonly string[];
  /** Most lines of each kind that any cache held in the run, in the order of `objects`. */
  readonly mostLines: readonly number[];
  /** Clock of the CPUs in kHz; 0 where nothing says so. */
  readonly clockKhz: number;
  /** The locks that anybody waited for. */
  readonly locks: readonly string[];
  /** The devices that hold interrupts back. */
  readonly timers: readonly string[];
  /** Whether the states of cache lines are told. */
  readonly tellsStates: boolean;
  /** Whether time slices, preemption and waiting tasks are told. */
  readonly hasTasks: boolean;
  readonly longestSlice: Nanos;
  readonly hasProbeCosts: boolean;
}

/** One moment. Columns of the same group have the same length. */
export interface MachineColumns {
  /** Lines in the caches by kind, by index in `caches` and `objects`; only what there is or just was. */
  readonly held: {
    readonly cache: Uint16Array;
    readonly object: Uint16Array;
    readonly lines: Uint32Array;
    /**
     * Of these lines, those in the MESI states modified, exclusive and shared,
     * for each kind of object. All three are 0 if the run does not report states.
     */
    readonly modified: Uint32Array;
    readonly exclusive: Uint32Array;
    readonly shared: Uint32Array;
    /** Lines invalidated within the linger, because another cache or a device wrote them. */
    readonly invalidated: Uint32Array;
  };
  /** Cache-to-cache transfers by source and target: so far, and within the frame's linger. */
  readonly flows: {
    readonly from: Uint16Array;
    readonly to: Uint16Array;
    readonly lines: Float64Array;
    readonly cycles: Float64Array;
    readonly recentLines: Float64Array;
    readonly recentCycles: Float64Array;
  };
  /**
   * Single cache-to-cache transfers within the linger, in
   * order of time; a sample if there are very many.
   */
  readonly moves: {
    readonly from: Uint16Array;
    readonly to: Uint16Array;
    readonly object: Uint16Array;
    readonly lines: Uint32Array;
    readonly cycles: Uint32Array;
    readonly at: Float64Array;
  };
  /** Misses that each CPU filled from memory so far. */
  readonly fills: {
    readonly cpu: Uint16Array;
    readonly lines: Float64Array;
    readonly cycles: Float64Array;
  };
  /**
   * The copy to a process that each CPU began last: when it began and is over, how long it was
   * interrupted, and the lines that its CPU waited for meanwhile.
   */
  readonly copies: {
    readonly cpu: Uint16Array;
    readonly packet: Uint32Array;
    readonly start: Float64Array;
    readonly end: Float64Array;
    readonly interrupted: Float64Array;
    /** From whose cache lines came, or NO_CPU. */
    readonly from: Uint16Array;
    readonly movedLines: Uint32Array;
    readonly movedCycles: Uint32Array;
    readonly filledLines: Uint32Array;
    readonly filledCycles: Uint32Array;
  };
  /** Locks that are waited for now, with their holders; NO_CPU between two holders. */
  readonly locks: { readonly lock: Uint32Array; readonly holder: Uint16Array };
  readonly spins: {
    readonly lock: Uint32Array;
    readonly cpu: Uint16Array;
    readonly since: Float64Array;
  };
  /** Number of waits for locks so far, and the total time of those that are over. */
  readonly lockWaits: number;
  readonly lockWaited: Nanos;
  /** One entry for each CPU of the run, in its order: whose slice, what is left of it, whom its owner preempted. */
  readonly tasks: {
    readonly pid: Uint32Array;
    readonly left: Float64Array;
    readonly preempted: Uint32Array;
    readonly preemptedAt: Float64Array;
  };
  /**
   * The runnable tasks that wait for a CPU, in a recording too, longest first: since when, why
   * (0 woken by a task, 1 by a softirq, 2 by a hard interrupt, 3 preempted), and `by`, the task
   * that woke it, that the waking interrupt interrupted, or that got its CPU. A model also tells
   * its place in the run queue, from 1 (0 if unknown), and what decides it: `standing` is 0 if
   * unknown, 1 for the rest of its time slice, 2 for how much later its virtual deadline is than
   * the first one's, 3 for how much more than its share it has received; `amount` is that time.
   */
  readonly waits: {
    readonly cpu: Uint16Array;
    readonly pid: Uint32Array;
    readonly since: Float64Array;
    readonly why: Uint8Array;
    readonly by: Uint32Array;
    readonly place: Uint16Array;
    readonly standing: Uint8Array;
    readonly amount: Float64Array;
  };
  /** One entry for each of `timers`: when it was armed and will fire, or -1 while it is not armed. */
  readonly timers: {
    readonly since: Float64Array;
    readonly until: Float64Array;
    readonly held: Uint32Array;
  };
  /** What probes cost: so far, and within the linger. */
  readonly costs: {
    readonly cpu: Uint16Array;
    readonly nanos: Float64Array;
    readonly recent: Float64Array;
    readonly probes: Float64Array;
  };
}

/** What was measured of it in a range; the most expensive first. */
export interface MachineMeasures {
  readonly moved: readonly {
    readonly object: string;
    readonly from: number;
    readonly to: number;
    readonly lines: number;
    readonly cycles: number;
  }[];
  readonly locks: readonly {
    readonly lock: string;
    readonly waits: number;
    readonly nanos: Nanos;
  }[];
  readonly probeCosts: readonly {
    readonly cpu: number;
    readonly nanos: Nanos;
    readonly probes: number;
  }[];
}
