/**
 * The measures of a stretch of time, and the times that packets took in each layer.
 */
import type { Nanos } from './core.ts';
import type { MachineMeasures } from './machine.ts';

export interface Measures {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly layers: readonly LayerMeasure[];
  /** Payload that processes read; undefined where packets were read and no payload was recorded. */
  readonly bytesDelivered: number | undefined;
  readonly packetsDelivered: number;
  readonly drops: readonly { readonly reason: string; readonly count: number }[];
  /** Of these each undefined where the recording has none of them anywhere. */
  readonly interrupts: number | undefined;
  readonly polls: number | undefined;
  /** Frames that drivers took from their NICs, in polls or in the interrupt. */
  readonly framesPolled: number | undefined;
  readonly crossCpu: number;
  /** For each CPU of the run the nanoseconds in each context of the glossary. */
  readonly timeByContext: readonly { readonly cpu: number; readonly nanos: readonly number[] }[];
  readonly queues: readonly {
    readonly queue: number;
    readonly max: number;
    readonly mean: number;
  }[];
  readonly machine: MachineMeasures;
}

export interface LayerMeasure {
  /** `6 to 7` of the 2005 toolkit, or a station's name. */
  readonly name: string;
  readonly kind: 'kperf' | 'station';
  readonly count: number;
  readonly mean: Nanos;
  readonly median: Nanos;
  readonly p95: Nanos;
  readonly p99: Nanos;
  /** Mean without the 5 % at each end, as the 2005 toolkit reports it. */
  readonly trimmedMean: Nanos;
  /** Of all packets together. */
  readonly service: Nanos;
  readonly wait: Nanos;
}

/** For each layer a cloud of points: which packet, how long. */
export interface LayerTimes {
  /** One of so many packets was looked at; 1 where all were. */
  readonly every: number;
  readonly layers: readonly {
    readonly name: string;
    readonly packet: Uint32Array;
    readonly nanos: Float64Array;
  }[];
}
