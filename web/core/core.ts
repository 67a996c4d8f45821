/**
 * The one interface through which the page sees the core, and the words that go with it. What can
 * be asked of a run is in run.ts, the shapes of the answers in the files beside it. It knows nothing
 * of wasm, workers or the DOM.
 *
 * Times are nanoseconds since the start of the run (exact in a number for 104 days). Words
 * (stations, probes, contexts ...) cross as indices into the lists of the glossary. Per-frame data
 * are columns in typed arrays; rows are rare.
 */
import type { Abreast, Routes } from './abreast.ts';
import type { Comparison, Curve, Figures, PublishedBeside, SoFar } from './figures.ts';
import type { LedgerView } from './ledger.ts';
import type { MachineInfo } from './machine.ts';
import type { RunHandle } from './run.ts';
import type { Saying } from './saying.ts';
import type { Catalogue, Reproduced, SimulationProgress, Study } from './simulation.ts';

/** Nanoseconds since the first event of the run. */
export type Nanos = number;

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
  /** Imports inputs that belong together (a trace, and a capture of the link beside it), or a part of them. Whoever gets the run closes it. */
  open(
    inputs: readonly Input[],
    onProgress: (progress: Progress) => void,
    excerpt?: Excerpt,
  ): Promise<Outcome<RunHandle>>;
  /** Whether inputs that belong together can be opened at all, by how they begin: a run that is being made goes on meanwhile. */
  look(inputs: readonly Input[]): Promise<Outcome<undefined>>;
  /** What inputs would come to, judged by their ends: before memory is spent on them. `cancel` ends it, too. */
  survey(inputs: readonly Input[]): Promise<Outcome<Survey>>;
  /**
   * Runs a scenario (JSON text) to its end. An error names the field and what is allowed. Whoever gets the run closes it.
   * It can name machines of one's own, whose files' texts are given.
   */
  simulate(
    scenario: string,
    onProgress: (progress: SimulationProgress) => void,
    machines?: readonly string[],
  ): Promise<Outcome<RunHandle>>;
  /**
   * Runs a scenario (JSON text) for its figures alone: no run is left of it. Several can be asked for; as
   * many as the machine has CPUs run at once, beside a run that is open. It is cancelled when the signal aborts.
   * A run that takes long tells once what has come so far.
   */
  tryOut(
    scenario: string,
    signal: AbortSignal,
    machines?: readonly string[],
    onSoFar?: (soFar: SoFar) => void,
  ): Promise<Outcome<Figures>>;
  /** Holds the runs of one side against those of the other. */
  compare(before: readonly Figures[], after: readonly Figures[]): Promise<Comparison>;
  /** The curve of a figure over a setting, on an axis of logarithms or not: at each value what the runs gave. */
  curve(
    settings: readonly number[],
    isLog: boolean,
    runs: readonly (readonly number[])[],
  ): Promise<Curve>;
  /**
   * Published numbers of runs that differ from a scenario (JSON text) in these settings alone, which may be
   * `machine`, `kernel` or `workload`, too.
   */
  publishedBeside(scenario: string, swept: readonly string[]): Promise<readonly PublishedBeside[]>;
  /** Lays two runs beside each other, packet by packet. */
  abreast(a: Routes, b: Routes): Promise<Abreast>;
  /** Ends an import or a simulation that is under way, at once; it answers with `cancelled`. Runs that are open stay. */
  cancel(): void;
  /** What a scenario can be made of; with machines of one's own, of which it says (rejecting) why one is none. */
  catalogue(machines?: readonly string[]): Promise<Catalogue>;
  /** What was measured, by whom, on what: without modelled numbers. */
  published(): Promise<readonly Study[]>;
  /** Runs the experiments behind one entry of the published numbers. Runs that are open are not touched and stay answerable. */
  reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>>;
  /** Ends a `reproduce` that is under way, at once; it answers with `cancelled`. */
  stopReproducing(): void;
}

/** A result that the page must show, good or bad. */
export type Outcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

export interface Input {
  readonly name: string;
  readonly data: Blob;
  /** For a capture of the link: its clock minus the trace's, in nanoseconds, where the recording says so. */
  readonly clockOffset?: number;
}

/** A part of a recording; what is not there limits nothing. */
export interface Excerpt {
  /** Events of this CPU alone. */
  readonly cpu?: number | undefined;
  /** Events at this time of the trace's own clock or later, in nanoseconds. */
  readonly from?: number | undefined;
  /** Events before this time. */
  readonly to?: number | undefined;
}

/** About how much a file has and needs. */
export interface Survey {
  readonly events: number;
  /** Bytes of memory that opening all of it would take. */
  readonly memory: number;
  /** The CPUs that were seen. */
  readonly cpus: readonly number[];
  /** The trace's own clock at its start and its end, in nanoseconds; the end of a packed file is not known. */
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
  /** CPU with which it is drawn (for a socket the one that reads from it most), or NO_CPU. */
  readonly home: number;
  /** The task that reads most from its socket, by its pid; NONE where that is not known. */
  readonly reader: number;
  /** Unit of depth and limit here (bytes where the trace tells bytes, packets otherwise). */
  readonly unit: string;
  readonly maxDepth: number;
  /** The largest limit of the run; 0 where none is known. */
  readonly limit: number;
}

/** How much a station of a CPU is used in the whole run; one that nobody visits is not there. */
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
