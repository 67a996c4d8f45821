// The one interface through which the page sees the core: what can be asked of a
// run and the shapes of the answers. It knows nothing of wasm, workers or the DOM.
//
// Times are nanoseconds since the start of the run (exact in a number for 104
// days). Words (stations, probes, contexts ...) cross as indices into the lists of
// the glossary. Per-frame data are columns in typed arrays; rows are rare.

import type { MachineColumns, MachineInfo, MachineMeasures } from './machine.ts';
import type { Catalogue, Reproduced, SimulationProgress, Study } from './simulation.ts';

/** Nanoseconds since the first event of the run. */
export type Nanos = number;

/** Index of a packet, which is also the index of its journey. */
export type PacketId = number;

/** Marks "none" in a Uint32 column (no packet, no group, no process). */
export const NONE = 0xffff_ffff;
/** Marks "none" in a Uint16 column (no CPU). */
export const NO_CPU = 0xffff;
/** Marks "none" in a Uint8 column (no station, no verdict). */
export const NO_WORD = 0xff;

export interface Core {
  /** The words of the stack with their explanations. The same for every run. */
  glossary(): Promise<Glossary>;
  /** Imports inputs that belong together (a trace, and a capture of the link beside it) and makes them the current run. */
  open(
    inputs: readonly Input[],
    onProgress: (progress: Progress) => void,
  ): Promise<Outcome<Opened>>;
  /** Runs a scenario (JSON text) to its end and makes it the current run. An error names the field and what is allowed. */
  simulate(
    scenario: string,
    onProgress: (progress: SimulationProgress) => void,
  ): Promise<Outcome<Opened>>;
  /** Ends an import or a simulation that is under way, at once; it answers with `cancelled`. The run before it stays. */
  cancel(): void;
  /** What a scenario can be made of. The same for every run. */
  catalogue(): Promise<Catalogue>;
  /** What was measured, by whom, on what: without modelled numbers. */
  published(): Promise<readonly Study[]>;
  /** Runs the experiments behind one entry of the published numbers. The current run is not touched and stays answerable. */
  reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>>;
  /** Ends a `reproduce` that is under way, at once; it answers with `cancelled`. */
  stopReproducing(): void;
  /** The state at one moment, with what ended in the `linger` nanoseconds before it. */
  frame(time: Nanos, linger: Nanos): Promise<Frame>;
  /** What the CPUs did and how deep the queues were between two times, in at most `columns` steps. */
  lanes(from: Nanos, to: Nanos, columns: number): Promise<Lanes>;
  /** The next or previous moment of a kind, or nothing at the end. */
  step(
    time: Nanos,
    kind: StepKind,
    isForward: boolean,
    packet: PacketId | undefined,
  ): Promise<Step | undefined>;
  /** The journeys that pass the filter, in order, as ids. */
  journeys(query: JourneyQuery): Promise<JourneyList>;
  /** The columns of some rows of the table. */
  journeyRows(ids: Uint32Array): Promise<JourneyRows>;
  /** Everything about one journey. */
  journey(packet: PacketId): Promise<Journey>;
  /** The measures of a range of time. */
  measures(from: Nanos, to: Nanos): Promise<Measures>;
  /** Layer times by packet, as the 2005 report plots them. */
  layerTimes(query: JourneyQuery): Promise<LayerTimes>;
  /** A stretch of the list of events, by index from 0. */
  events(from: number, count: number): Promise<EventRows>;
}

export type StepKind = 'event' | 'hop' | 'packet' | 'drop';

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
  readonly machine: MachineInfo;
  readonly tasks: readonly { readonly pid: number; readonly comm: string }[];
  readonly flows: readonly string[];
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
  /** Unit of depth and limit here (bytes where the trace tells bytes, packets otherwise). */
  readonly unit: string;
  readonly maxDepth: number;
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
  readonly notes: readonly string[];
}

/** What became of every line. The first five numbers add up to `total`. */
export interface LedgerView {
  readonly total: number;
  readonly understood: number;
  readonly skipped: number;
  readonly unknown: number;
  readonly malformed: number;
  readonly lostMarkers: number;
  readonly lostEvents: number;
  readonly lostByCpu: readonly { readonly cpu: number; readonly events: number }[];
  readonly skippedByName: readonly Tally[];
  readonly unknownByName: readonly Tally[];
  readonly malformedLines: readonly (SourceLine & { readonly why: string })[];
  readonly warnings: readonly string[];
}

export interface Tally {
  readonly name: string;
  readonly count: number;
  /** The first lines of this kind. */
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

// ---- a frame ---------------------------------------------------------------

/** The state at one moment. Columns of the same group have the same length. */
export interface Frame {
  readonly time: Nanos;
  readonly packets: PacketColumns;
  readonly cpus: CpuColumns;
  readonly queueDepth: Uint32Array;
  /** 0 where the limit is not known. */
  readonly queueLimit: Uint32Array;
  readonly counters: Counters;
  readonly machine: MachineColumns;
}

/** One entry for each packet in flight, or for each piece of one; and for those that ended within the linger. */
export interface PacketColumns {
  readonly packet: Uint32Array;
  readonly piece: Uint16Array;
  readonly station: Uint8Array;
  readonly cpu: Uint16Array;
  readonly context: Uint8Array;
  /** When it came to this station and when it will leave it (or when it ended). */
  readonly since: Float64Array;
  readonly until: Float64Array;
  readonly nextStation: Uint8Array;
  readonly nextCpu: Uint16Array;
  /** 1 while the CPU works on it, 0 while it waits. */
  readonly isServed: Uint8Array;
  readonly bytes: Uint32Array;
  /** Frames of the link that it holds now: grows with GRO and reassembly. */
  readonly parts: Uint32Array;
  /** Datagram that it is a fragment of, or NONE; its place in it and the datagram's size in bytes (0 while unknown). */
  readonly group: Uint32Array;
  readonly groupFrom: Uint32Array;
  readonly groupTo: Uint32Array;
  readonly groupBytes: Uint32Array;
  /** Index of the verdict once it has ended, else NO_WORD; drop reason or NO_WORD; packet it merged into or NONE. */
  readonly verdict: Uint8Array;
  readonly dropReason: Uint8Array;
  readonly mergedInto: Uint32Array;
}

/** One entry for each CPU of the run, in its order. */
export interface CpuColumns {
  readonly context: Uint8Array;
  readonly pid: Uint32Array;
  readonly since: Float64Array;
  /** The packet it works on, or NONE. */
  readonly packet: Uint32Array;
  /** The softirq's vector or the interrupt's number, or NONE. */
  readonly detail: Uint32Array;
}

/** Totals from the start of the run to this moment. */
export interface Counters {
  readonly delivered: number;
  readonly merged: number;
  readonly dropped: number;
  readonly transmitted: number;
  readonly consumed: number;
  readonly bytesDelivered: number;
  readonly interrupts: number;
  readonly polls: number;
  readonly framesPolled: number;
  readonly crossCpu: number;
  /** Packets touched on another CPU than the event before: a cache hand-over, inferred. */
  readonly cacheHandovers: number;
}

// ---- the time line ---------------------------------------------------------

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

// ---- journeys --------------------------------------------------------------

export interface Step {
  readonly time: Nanos;
  readonly packet: PacketId;
  readonly event: number;
}

export type JourneySort =
  'start' | 'duration' | 'wait' | 'service' | 'bytes' | 'verdict' | 'flow' | 'cpus';

export interface JourneyQuery {
  readonly sort: JourneySort;
  readonly isDescending: boolean;
  /** Each filter narrows; absent means any. */
  readonly flow?: number;
  readonly socket?: number;
  readonly cpu?: number;
  readonly verdict?: VerdictName;
  readonly dropReason?: number;
  readonly direction?: 'rx' | 'tx';
  readonly minDuration?: Nanos;
  readonly maxDuration?: Nanos;
  readonly from?: Nanos;
  readonly to?: Nanos;
}

export interface JourneyList {
  readonly ids: Uint32Array;
  readonly total: number;
}

/** Columns for the rows asked for, in the order asked. */
export interface JourneyRows {
  readonly id: Uint32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly service: Float64Array;
  readonly wait: Float64Array;
  readonly bytes: Uint32Array;
  readonly parts: Uint32Array;
  readonly verdict: Uint8Array;
  readonly dropReason: Uint8Array;
  readonly direction: Uint8Array; // 0 rx, 1 tx
  readonly flow: Uint32Array;
  /** First and last CPU it was on. */
  readonly firstCpu: Uint16Array;
  readonly lastCpu: Uint16Array;
  readonly label: readonly string[];
}

export interface Journey {
  readonly packet: PacketId;
  /** `skb ffff888009032e00 · id 0xa78d`, or `thread 1 packet 31`. */
  readonly label: string;
  readonly direction: 'rx' | 'tx';
  readonly start: Nanos;
  readonly end: Nanos;
  readonly bytes: number;
  readonly payload: number;
  readonly parts: number;
  readonly flow: string;
  /** The end in words: `delivered to urecv (534)`, `merged into packet 12`, `dropped: SOCKET_RCVBUFF`. */
  readonly ending: string;
  readonly verdict: VerdictName;
  readonly dropReason: number;
  readonly mergedInto: PacketId;
  readonly cutFrom: PacketId;
  /** Packets that merged into it or were cut from it. */
  readonly partPackets: readonly PacketId[];
  readonly mark: { readonly thread: number; readonly packet: number } | undefined;
  readonly service: Nanos;
  readonly wait: Nanos;
  readonly stays: readonly StayRow[];
  readonly events: readonly JourneyEvent[];
  /** kperf's three ways to account socket-layer time; undefined where the ends were not recorded. */
  readonly socketTime: SocketTime | undefined;
}

export interface StayRow {
  readonly station: number;
  readonly cpu: number;
  readonly context: number;
  readonly piece: number;
  readonly enter: Nanos;
  readonly leave: Nanos;
  readonly service: Nanos;
  readonly wait: Nanos;
}

export interface JourneyEvent {
  readonly event: number;
  readonly time: Nanos;
  readonly probe: number;
  readonly cpu: number;
  readonly context: number;
  readonly task: string;
  readonly line: number;
  readonly details: string;
}

export interface SocketTime {
  readonly lastOnly: Nanos;
  readonly bothSegments: Nanos;
  readonly lessOtherLayers: Nanos;
}

// ---- measures --------------------------------------------------------------

export interface Measures {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly layers: readonly LayerMeasure[];
  readonly bytesDelivered: number;
  readonly packetsDelivered: number;
  readonly drops: readonly { readonly reason: string; readonly count: number }[];
  readonly interrupts: number;
  readonly polls: number;
  readonly framesPolled: number;
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
  readonly layers: readonly {
    readonly name: string;
    readonly packet: Uint32Array;
    readonly nanos: Float64Array;
  }[];
}

export interface EventRows {
  readonly total: number;
  readonly index: Uint32Array;
  readonly time: Float64Array;
  readonly probe: Uint8Array;
  readonly cpu: Uint16Array;
  readonly context: Uint8Array;
  readonly packet: Uint32Array;
  readonly details: readonly string[];
}
