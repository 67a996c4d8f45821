/**
 * The one interface through which the page sees the core, with the words of the kernel
 * that the answers refer to. What can be asked of a run is in run.ts, and the shapes of
 * the answers are in the files beside it. Nothing here knows of wasm, workers or the DOM.
 *
 * Times are nanoseconds since the start of the run, exact in a number for 104
 * days. Words (stations, probes, contexts ...) cross as indices into the lists
 * of the glossary. Per-frame data are columns in typed arrays; rows are rare.
 */
import type { Abreast, Routes } from './abreast.ts';
import type { Comparison, Curve, Figures, PublishedBeside, SoFar } from './figures.ts';
import type { LedgerView } from './ledger.ts';
import type { MachineInfo } from './machine.ts';
import type { RunHandle } from './run.ts';
import type { Saying } from './saying.ts';
import type { Trouble } from './trouble.ts';
import type { CodedCatalogue, Reproduced, SimulationProgress, Study } from './simulation.ts';

/** Nanoseconds since the first event of the run. */
export type Nanos = number;

/** A stretch of the run's time. */
export interface Stretch {
  readonly from: Nanos;
  readonly to: Nanos;
}

/** Index of a packet, which is also the index of its journey. */
export type PacketId = number;

/** Marks "none" in a Uint32 column (no packet, no group, no process). */
export const NONE = 0xffff_ffff;
/** Marks "none" in a Uint16 column (no CPU). */
export const NO_CPU = 0xffff;
/** Marks "none" in a Uint32 column (no queue). */
export const NO_QUEUE = 0xffff_ffff;
/** Marks "none" in a Uint8 column (no station, no verdict). */
export const NO_WORD = 0xff;

export interface Core {
  /** The words of the stack with their explanations. The same for every run. */
  glossary(): Promise<Glossary>;
  /** How many bytes of memory a run may take. */
  readonly room: number;
  /**
   * Imports inputs that belong together (a trace, and a capture of the link beside
   * it), or the part of them that `excerpt` names. Aborting the signal ends it at once; it
   * answers `cancelled`. Other runs that are open or being made stay. The caller closes the run.
   */
  open(
    inputs: readonly Input[],
    onProgress: (progress: Progress) => void,
    excerpt?: Excerpt,
    signal?: AbortSignal,
  ): Promise<Outcome<RunHandle>>;
  /**
   * Whether the inputs can be opened at all, judged by their
   * first bytes. A run that is being made is not disturbed.
   */
  look(inputs: readonly Input[]): Promise<Outcome<undefined>>;
  /**
   * Estimates size and memory of the inputs from their beginnings
   * and ends, before memory is spent on them. Aborting the signal ends it.
   */
  survey(inputs: readonly Input[], signal?: AbortSignal): Promise<Outcome<Survey>>;
  /**
   * Runs a scenario (JSON text) to its end and records it. An error
   * names the field and what is allowed. `machines` are the texts of
   * machine files that the scenario may name. Aborting the signal ends it, as of `open`. The caller
   * closes the run.
   */
  simulate(
    scenario: string,
    onProgress: (progress: SimulationProgress) => void,
    machines?: readonly string[],
    signal?: AbortSignal,
  ): Promise<Outcome<RunHandle>>;
  /**
   * Runs a scenario (JSON text) for its figures alone, without keeping the run. Of several
   * requests as many run at once as the machine has CPUs, beside a run that is open. Aborting
   * the signal cancels it. If it takes long, `onSoFar` is called once with the figures so far.
   */
  tryOut(
    scenario: string,
    signal: AbortSignal,
    machines?: readonly string[],
    onSoFar?: (soFar: SoFar) => void,
  ): Promise<Outcome<Figures>>;
  /**
   * Compares the figures of two sides, each of one run or of several that differ in their seeds.
   */
  compare(before: readonly Figures[], after: readonly Figures[]): Promise<Comparison>;
  /**
   * The curve of a figure over a setting: for each value of the setting the
   * figures of its runs. `isLog` says that the axis of the setting is logarithmic.
   */
  curve(
    settings: readonly number[],
    isLog: boolean,
    runs: readonly (readonly number[])[],
  ): Promise<Curve>;
  /**
   * Published numbers whose conditions differ from a scenario (JSON text) only in
   * the settings `swept`, which may include `machine`, `kernel` and `workload`.
   */
  publishedBeside(scenario: string, swept: readonly string[]): Promise<readonly PublishedBeside[]>;
  /** Compares two runs packet by packet. */
  abreast(a: Routes, b: Routes): Promise<Abreast>;
  /**
   * What a scenario can be made of, with `machines` (the texts of machine
   * files) added. Rejects, with the reason, if one of them is not valid.
   */
  catalogue(machines?: readonly string[]): Promise<CodedCatalogue>;
  /** The published studies: what was measured, by whom and on what, without modelled numbers. */
  published(): Promise<readonly Study[]>;
  /**
   * Runs the experiments behind one entry of the published numbers. Open runs can still be asked.
   */
  reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>>;
  /** Ends a `reproduce` that is under way, at once; it answers `cancelled`. */
  stopReproducing(): void;
}

/** A result that the page must show, good or bad. */
export type Outcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'failed' } & Trouble);

export interface Input {
  readonly name: string;
  readonly data: Blob;
  /** For a capture of the link: its clock minus the trace's, in nanoseconds, where the recording says so. */
  readonly clockOffset?: number;
}

/** A part of a recording. A field that is absent does not limit it. */
export interface Excerpt {
  /** Events of this CPU alone. */
  readonly cpu?: number | undefined;
  /** Events at this time of the trace's own clock or later, in nanoseconds. */
  readonly from?: number | undefined;
  /** Events before this time. */
  readonly to?: number | undefined;
}

/** Estimates of what inputs hold and need. */
export interface Survey {
  readonly events: number;
  /** Bytes of memory that opening all of it would take. */
  readonly memory: number;
  /** The CPUs that were seen. */
  readonly cpus: readonly number[];
  /**
   * The time of the trace's own clock at its start and its
   * end, in ns; the end of a compressed file is unknown.
   */
  readonly from: number;
  readonly to: number | undefined;
  /** A capture of the link is among the inputs. */
  readonly hasCapture: boolean;
}

export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly lines: number;
  readonly megabytesPerSecond: number;
}

// ---- the words -------------------------------------------------------------

export interface Glossary {
  readonly stations: readonly StationWord[];
  readonly probes: readonly ProbeWord[];
  readonly contexts: readonly Word[];
  readonly queues: readonly QueueWord[];
  readonly verdicts: readonly Word[];
  readonly dropReasons: readonly Word[];
}

export interface Word {
  /** The kernel's spelling. */
  readonly name: string;
  /** One plain sentence. */
  readonly sentence: string;
  /** The kernel function behind it, with its file; empty where there is none. */
  readonly function: string;
  /** The kernel version in which it was read. */
  readonly version: string;
}

export interface StationWord extends Word {
  readonly direction: 'rx' | 'tx';
  readonly isQueue: boolean;
}

export interface ProbeWord extends Word {
  /** Index of the station to which passing it brings a packet, or NO_WORD. */
  readonly station: number;
}

export interface QueueWord extends Word {
  readonly unit: string;
}

// ---- a run -----------------------------------------------------------------

export interface Opened {
  readonly origin: 'recorded' | 'simulated';
  /** As in the command line's summary: ftrace, trace-cmd, kperf ... A simulation has none. */
  readonly format: string | undefined;
  /** Hex hash of the run, the same for the same input everywhere. */
  readonly fingerprint: string;
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly events: number;
  readonly duration: Nanos;
  /** The trace's own clock at the run's start, in nanoseconds. */
  readonly startsAt: number;
  /** The CPUs that recorded something; empty when the trace names none. */
  readonly cpus: readonly number[];
  readonly queues: readonly QueueInfo[];
  readonly visits: readonly Visit[];
  readonly machine: MachineInfo;
  readonly tasks: readonly { readonly pid: number; readonly comm: string }[];
  readonly flows: readonly string[];
  /** Whether sequence numbers of TCP segments are told. */
  readonly hasSequences: boolean;
  /** The sockets that packets belonged to; `JourneyQuery.socket` takes an id. */
  readonly sockets: readonly { readonly id: number; readonly label: string }[];
  readonly journeys: Record<VerdictName, number> & { readonly total: number };
  readonly drops: readonly { readonly reason: string; readonly count: number }[];
  readonly wire: WireInfo | undefined;
  readonly ledger: LedgerView;
}

export type VerdictName = 'delivered' | 'merged' | 'dropped' | 'transmitted' | 'consumed' | 'open';

/** A queue of the run; frames and lanes give depths in this order. */
export interface QueueInfo {
  /** Index in the glossary's queues. */
  readonly kind: number;
  /** What tells it from others of its kind: `CPU 1`, `eth0`, `port 5001`. */
  readonly label: string;
  /** CPU to which it belongs, or NO_CPU. */
  readonly cpu: number;
  /** CPU beside which it is drawn (for a socket the one that reads from it most), or NO_CPU. */
  readonly home: number;
  /** The task that reads most from its socket, by its pid; NONE where that is not known. */
  readonly reader: number;
  /** Unit of depth and limit here (bytes where the trace tells bytes, packets otherwise). */
  readonly unit: string;
  readonly maxDepth: number;
  /** The largest limit of the run; 0 where none is known. */
  readonly limit: number;
}

/**
 * How often a station of a CPU is used in the whole run.
 * Stations that no packet visits have no entry.
 */
export interface Visit {
  readonly station: number;
  readonly cpu: number;
  readonly stays: number;
  readonly drops: number;
  /** Stays that packets came to from another CPU. */
  readonly crossings: number;
}

/** How a capture of the link was fitted to the trace. */
export interface WireInfo {
  readonly offsetNanos: number;
  readonly isEstimated: boolean;
  readonly matchedRx: number;
  readonly matchedTx: number;
  readonly unmatchedRx: number;
  readonly unmatchedTx: number;
  readonly droppedByNic: number;
  readonly notes: readonly Saying[];
}
