/**
 * One run and what can be asked of it. `Core.open` and `Core.simulate` give a handle. Each handle
 * has a worker of its own, so several runs can be open at once; there is no current run here.
 */
import type { Routes } from './abreast.ts';
import type { Nanos, Opened, Outcome, PacketId } from './core.ts';
import type { Figures } from './figures.ts';
import type { Finding } from './findings.ts';
import type { Frame } from './frame.ts';
import type {
  Journey,
  JourneyList,
  JourneyPage,
  JourneyQuery,
  JourneyRows,
  LongestWaits,
} from './journeys.ts';
import type { Lanes } from './lanes.ts';
import type { LayerTimes, Measures } from './measures.ts';
import type { Profile } from './profile.ts';
import type { Sequence, SequenceOf } from './sequence.ts';
import type { Said, Told } from './told.ts';

/**
 * What the core answers about one run. Every question settles; one that cannot be answered rejects.
 */
export interface RunQuestions {
  /** The state at one moment, with what ended in the `linger` nanoseconds before it. */
  frame(time: Nanos, linger: Nanos): Promise<Frame>;
  /**
   * What the CPUs did and how deep the queues were between two times, in at most `columns` steps; of
   * some CPUs alone where they are named, and then without the queues.
   */
  lanes(from: Nanos, to: Nanos, columns: number, cpus?: readonly number[]): Promise<Lanes>;
  /** The next or previous moment of a kind, or nothing at the end. */
  step(
    time: Nanos,
    kind: StepKind,
    isForward: boolean,
    packet: PacketId | undefined,
  ): Promise<Step | undefined>;
  /** A page of the journeys that pass the filter, in order, as ids, with how many there are. */
  journeys(query: JourneyQuery, page: JourneyPage): Promise<JourneyList>;
  /** The columns of some rows of the table. */
  journeyRows(ids: Uint32Array): Promise<JourneyRows>;
  /** Everything about one journey. */
  journey(packet: PacketId): Promise<Journey>;
  /** The packets that waited longest of those that arrived, at most `limit`. */
  longestWaits(limit: number): Promise<LongestWaits>;
  /** What happened in the run, the most telling first. */
  findings(): Promise<readonly Finding[]>;
  /**
   * The figures of the run after its warm-up, or of a range of time; with the
   * figures of its parts (`Figures.stretches`) if they are needed for a comparison.
   */
  figures(
    range: { readonly from: Nanos; readonly to: Nanos } | undefined,
    isCompared: boolean,
  ): Promise<Figures>;
  /** The measures of a range of time. */
  measures(from: Nanos, to: Nanos): Promise<Measures>;
  /** Where CPU time went: of a simulation in all of it, of a recording in a range of time. */
  profile(from: Nanos, to: Nanos): Promise<Profile>;
  /**
   * The time-sequence graph of a TCP connection over a range
   * of time, thinned out to `columns` columns.
   */
  sequence(
    of: SequenceOf,
    range: { readonly from: Nanos; readonly to: Nanos },
    columns: number,
  ): Promise<Sequence>;
  /** Layer times by packet, as the 2005 report plots them, of `most` packets at most. */
  layerTimes(query: JourneyQuery, most: number): Promise<LayerTimes>;
  /** The run as told film, opening with a packet's journey or with a typical one. */
  told(focus: PacketId | undefined): Promise<Told>;
  /** What some beats of that film say, by their places in it. */
  said(focus: PacketId | undefined, from: number, count: number): Promise<readonly Said[]>;
  /**
   * The first pass of a probe at `time` or later, else its
   * first in the run; nothing if it is never passed.
   */
  nextPass(probe: number, time: Nanos): Promise<Pass | undefined>;
  /** A stretch of the list of events, by index from 0. */
  events(from: number, count: number): Promise<EventRows>;
  /** What has to be known of the run to lay it beside another. */
  routes(): Promise<Routes>;
  /** The run as a file. `pcapng` is refused where no frame of the link is known. */
  saved(format: SavedFormat): Promise<Outcome<Uint8Array<ArrayBuffer>>>;
}

/** A run that is open. Its questions reject with `RunGone` once it was closed or its worker broke down. */
export interface RunHandle extends RunQuestions {
  /** What is known of the run as a whole. */
  readonly opened: Opened;
  /** Resolves with the reason if the worker breaks down (out of memory, a defect of the core). */
  readonly broken: Promise<string>;
  /** The same questions, but those unanswered when the signal aborts reject with its reason. */
  until(signal: AbortSignal): RunQuestions;
  /** Tells how many questions have no answer yet, now and whenever that changes. One listener a run. */
  watch(tell: (unanswered: number) => void): void;
  /** Ends the worker and gives its memory back; what is asked and not answered rejects. */
  close(): void;
}

/** Why a question about a run has no answer: the run was closed, or its worker broke down. */
export class RunGone extends Error {
  override readonly name = 'RunGone';
  readonly why: 'closed' | 'broken';

  constructor(why: 'closed' | 'broken', message: string) {
    super(message);
    this.why = why;
  }
}

/** A question about a run that has left the stage needs no answer; every other error is thrown on. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof RunGone)) throw error;
}

/** What a run can be saved as. */
export const SAVED_FORMATS = ['kperf2', 'ftrace', 'chrome', 'pcapng'] as const;
export type SavedFormat = (typeof SAVED_FORMATS)[number];

export type StepKind = 'event' | 'hop' | 'packet' | 'drop';

export interface Step {
  readonly time: Nanos;
  readonly packet: PacketId;
  readonly event: number;
}

/** One pass of a probe: which of how many, from 1. */
export interface Pass {
  readonly count: number;
  readonly number: number;
  readonly event: number;
  readonly time: Nanos;
  /** NONE where it is about no packet. */
  readonly packet: PacketId;
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
  /** The short name of each row's packet; empty where it is about none. */
  readonly name: readonly string[];
}
