/**
 * The figures of a run, and the comparison of two sides of them: by how much
 * they differ, which differences another seed would give as well, and what
 * explains them. The core's side is `wasm-core/core/src/figures` and `compare`.
 */
import type { Nanos, PacketId } from './core.ts';
import type { Saying } from './saying.ts';
import type { SettingValue } from './simulation.ts';

/** What a figure says, by the core's name of it. */
export type Quantity =
  | 'throughput'
  | 'packet_rate'
  | 'payload_each'
  | 'latency_median'
  | 'latency_p99'
  | 'latency_mean'
  | 'response_median'
  | 'response_p99'
  | 'response_wait'
  | 'transaction_rate'
  | 'round_trip'
  | 'dropped'
  | 'busy'
  | 'cpu_each'
  | 'function_each'
  | 'calls_each'
  | 'fetch_each'
  | 'lines_each'
  | 'memory_each'
  | 'lock_each'
  | 'probes_each'
  | 'bystanders_each'
  | 'hops_each'
  | 'interrupt_rate'
  | 'frames_each_interrupt'
  | 'frames_each_poll'
  | 'merged'
  | 'lost_on_link'
  | 'retransmitted'
  | 'switches_each'
  | 'wait_each'
  | 'service_each';

export type Unit = 'bit/s' | '1/s' | 'B' | 'ns' | '1';

/** The part of a run that a figure is about: all of it, or one CPU, lock, function ... by its name. */
export interface Part {
  readonly kind:
    'run' | 'cpu' | 'context' | 'reason' | 'station' | 'lock' | 'object' | 'function' | 'task';
  readonly name: string;
}

export interface Figure extends Part {
  readonly quantity: Quantity;
  readonly unit: Unit;
  readonly value: number;
  /** A packet in which it can be seen, and when. */
  readonly packet: PacketId | undefined;
  readonly time: Nanos | undefined;
}

/** All figures of a run, in the order of their quantities. */
export interface Figures {
  /** Length of the run, or of the part of it, that they describe. */
  readonly nanos: Nanos;
  readonly all: readonly Figure[];
  /** Quantities that the run reports: a part without a figure for one of them had none of it. */
  readonly told: readonly Quantity[];
  /**
   * The figures of parts of the run, from whose spread a confidence
   * interval is estimated; empty if they were not asked for.
   */
  readonly stretches: readonly Figures[];
}

/** Figures of a run that is not over: of its beginning alone. */
export interface SoFar {
  readonly figures: Figures;
  /** Simulated time so far, and how much was asked for. */
  readonly simulated: Nanos;
  readonly duration: Nanos;
}

/** A published number under the conditions of a sweep, and where on it. */
export interface PublishedBeside {
  /** What the swept settings are there, in the order in which they were asked for. */
  readonly at: readonly SettingValue[];
  /** The figure that it is of: a quantity of the whole run. */
  readonly figure: string;
  /** From here to there; the same where one number was published. */
  readonly low: number;
  readonly high: number;
  /** Authors and year. */
  readonly by: string;
  /** As in the list of published numbers: `wc.share`. */
  readonly entry: string;
  /** `Table 2`. */
  readonly place: string;
  readonly conditions: string;
  /** Which of the entry's numbers. */
  readonly item: string;
}

/**
 * A mean, and half the width of its 99 % confidence interval
 * if several runs, or parts of one, give one.
 */
export interface Estimate {
  readonly mean: number;
  readonly halfWidth: number | undefined;
}

/** A figure over a setting: a point for each value, and where the curve bends (Kneedle), if it does. */
export interface Curve {
  readonly points: readonly Estimate[];
  readonly knee: { readonly at: number; readonly bend: 'levels_off' | 'takes_off' } | undefined;
}

/** A figure of both sides. */
export interface Difference extends Part {
  readonly quantity: Quantity;
  readonly unit: Unit;
  readonly before: Estimate;
  readonly after: Estimate;
  readonly change: Estimate;
  /** The change relative to the larger of both values; for a share, in points. */
  readonly part: number;
  /** The difference is within the noise of other seeds, or too small to report. */
  readonly isNoise: boolean;
}

/** A sentence of the verdict, and the figure that it is about. */
export interface VerdictSentence extends Part {
  readonly saying: Saying;
  readonly quantity: Quantity;
}

export interface Comparison {
  /** How many runs there are on each side. */
  readonly runs: readonly [before: number, after: number];
  /** How many CPUs they have; 0 where they do not tell. */
  readonly cpus: readonly [before: number, after: number];
  /** How many of them would be busy all the time, where there are not as many on both sides. */
  readonly work: readonly [before: number, after: number] | undefined;
  readonly differences: readonly Difference[];
  /** What came out differently: throughput first, then losses, times and CPU time. */
  readonly outcomes: readonly VerdictSentence[];
  /** What made the difference, what explains most of it first. */
  readonly causes: readonly VerdictSentence[];
  /** Each side is one run: what another would have given is not known. */
  readonly isSingle: boolean;
}
