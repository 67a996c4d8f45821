/**
 * The core in the thread that calls it: the interface of core.ts over the reader's wasm module, and over
 * the model (model.ts) as soon as something is simulated. The worker exposes it and tests use it as it
 * is. Knows of wasm, not of workers.
 */
import { transfer } from 'comlink';
import {
  NONE,
  type Excerpt,
  type Input,
  type Opened,
  type Outcome,
  type Progress,
} from './core.ts';
import {
  abreast,
  compare,
  curve,
  glossary,
  Importer,
  last_panic,
  figures_alone,
  open_simulated,
  version,
  type Session,
} from './generated/reader.js';
import type { Abreast } from './abreast.ts';
import type { Comparison, Curve, Figures } from './figures.ts';
import { feed, ofBroken } from './feed.ts';
import { handedOver } from './hand-over.ts';
import type { Model, Simulated } from './model.ts';
import type { Profile } from './profile.ts';
import type { Sequence } from './sequence.ts';
import type { Reproduced, SimulationProgress } from './simulation.ts';
import type { Journey } from './journeys.ts';
import type { SavedFormat } from './run.ts';
import type { Said } from './told.ts';
import { surveyOf } from './survey.ts';
import type { Modules } from './modules.ts';
import { errorOf, failed, isRefusal, isTrap, trapOf, troubleIn, TROUBLES } from './trouble.ts';
import {
  unpackAbreast,
  unpackEvents,
  unpackFindings,
  unpackFrame,
  unpackLanes,
  unpackLayerTimes,
  unpackPass,
  unpackRows,
  unpackStep,
  unpackTold,
  unpackWaits,
} from './unpack.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** How often an import says how far it is, in bytes. */
const PROGRESS_EVERY = 1 << 20;

export class Engine implements WorkerCalls {
  readonly #modules: Modules;
  #ready: Promise<unknown> | undefined;
  #model: Promise<Model> | undefined;
  /** What has to be asked for its last words when it trapped. */
  #modelAtHand: Model | undefined;
  #session: Session | undefined;
  /** Counts what was tried out and what was halted. */
  #turn = 0;

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  async version(): Promise<string> {
    await this.#prepare();
    return version();
  }

  async glossary(): ReturnType<WorkerCalls['glossary']> {
    await this.#prepare();
    return glossary();
  }

  async open(
    inputs: readonly Input[],
    onProgress: (progress: Progress) => void,
    excerpt: Excerpt = {},
  ): Promise<Outcome<Opened>> {
    try {
      await this.#prepare();
      const importer = new Importer();
      importer.only(excerpt.cpu, excerpt.from, excerpt.to);
      const meter = new Meter(inputs, () => importer.lines(), onProgress);
      let isWhole = true;
      for (const input of inputs) {
        importer.begin(input.name, input.clockOffset);
        const isRead = await feed(input.data, (chunk) => {
          meter.add(chunk.byteLength);
          return importer.push(chunk);
        });
        if (!isRead) importer.break_off();
        isWhole &&= isRead;
      }
      meter.report();
      return this.#take(isWhole ? importer.finish() : ofBroken(() => importer.finish()));
    } catch (error) {
      return this.#failed(error);
    }
  }

  async survey(inputs: readonly Input[]): ReturnType<WorkerCalls['survey']> {
    try {
      const survey = await surveyOf(inputs, (input) => this.open([input], () => undefined));
      return { kind: 'ok', value: survey };
    } catch (error) {
      return this.#failed(error);
    }
  }

  async simulate(
    scenario: string,
    onProgress: (progress: SimulationProgress) => void,
    machines: readonly string[] = [],
  ): Promise<Outcome<Opened>> {
    try {
      const model = await this.#prepareModel();
      const { run, measured } = model.simulate(scenario, machines, onProgress);
      return this.#take(open_simulated(run, measured));
    } catch (error) {
      return this.#failed(error);
    }
  }

  async tryOut(
    ...[scenario, machines = [], onSoFar]: Parameters<WorkerCalls['tryOut']>
  ): Promise<Outcome<Figures>> {
    try {
      // Taken before the model is there: what is halted meanwhile is not begun.
      const turn = (this.#turn += 1);
      const model = await this.#prepareModel();
      if (turn !== this.#turn) return { kind: 'cancelled' };
      const simulated = await model.tryOut(
        scenario,
        machines,
        () => turn === this.#turn,
        onSoFar && ((ended, how) => onSoFar({ figures: figuresOf(ended), ...how })),
      );
      if (simulated === undefined) return { kind: 'cancelled' };
      return { kind: 'ok', value: figuresOf(simulated) };
    } catch (error) {
      return this.#failed(error);
    }
  }

  halt(): Promise<void> {
    this.#turn += 1;
    return Promise.resolve();
  }

  async compare(...[before, after]: Parameters<WorkerCalls['compare']>): Promise<Comparison> {
    await this.#prepare();
    return compare([...before], [...after]) as Comparison;
  }

  async curve(...[settings, isLog, runs]: Parameters<WorkerCalls['curve']>): Promise<Curve> {
    await this.#prepare();
    const counts = Uint32Array.from(runs, ({ length }) => length);
    return curve(Float64Array.from(settings), isLog, counts, Float64Array.from(runs.flat()));
  }

  async publishedBeside(
    ...[scenario, swept]: Parameters<WorkerCalls['publishedBeside']>
  ): ReturnType<WorkerCalls['publishedBeside']> {
    return (await this.#prepareModel()).publishedBeside(scenario, swept);
  }

  async abreast(...[a, b]: Parameters<WorkerCalls['abreast']>): Promise<Abreast> {
    await this.#prepare();
    return unpackAbreast(abreast(a, b));
  }

  async catalogue(machines: readonly string[] = []): ReturnType<WorkerCalls['catalogue']> {
    return (await this.#prepareModel()).catalogue(machines);
  }

  async published(): ReturnType<WorkerCalls['published']> {
    return (await this.#prepareModel()).published();
  }

  async reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>> {
    try {
      const model = await this.#prepareModel();
      return { kind: 'ok', value: await model.reproduce(entry) };
    } catch (error) {
      return this.#failed(error);
    }
  }

  frame(time: number, linger: number): ReturnType<WorkerCalls['frame']> {
    return this.#ask((session) => unpackFrame(session.frame(time, linger)));
  }

  lanes(
    ...[from, to, columns, cpus]: Parameters<WorkerCalls['lanes']>
  ): ReturnType<WorkerCalls['lanes']> {
    const asked = cpus && Uint16Array.from(cpus);
    return this.#ask((session) => unpackLanes(session.lanes(from, to, columns, asked)));
  }

  step(
    ...[time, kind, isForward, packet]: Parameters<WorkerCalls['step']>
  ): ReturnType<WorkerCalls['step']> {
    return this.#ask((session) => unpackStep(session.step(time, kind, isForward, packet)));
  }

  journeys(
    ...[query, { from, count, of }]: Parameters<WorkerCalls['journeys']>
  ): ReturnType<WorkerCalls['journeys']> {
    return this.#ask((session) => {
      const found = session.journeys(query, from, count, of);
      const [total = 0, place = NONE] = found;
      return { ids: found.slice(2), total, place: place === NONE ? undefined : place };
    });
  }

  journeyRows(ids: Uint32Array): ReturnType<WorkerCalls['journeyRows']> {
    return this.#ask((session) => unpackRows(session.journey_rows(ids), session.names(ids)));
  }

  longestWaits(limit: number): ReturnType<WorkerCalls['longestWaits']> {
    return this.#ask((session) => unpackWaits(session.longest_waits(limit)));
  }

  journey(packet: number): ReturnType<WorkerCalls['journey']> {
    return this.#ask((session) => session.journey(packet) as Journey);
  }

  findings(): ReturnType<WorkerCalls['findings']> {
    return this.#ask((session) => unpackFindings(session.findings()));
  }

  figures(
    ...[range, isCompared]: Parameters<WorkerCalls['figures']>
  ): ReturnType<WorkerCalls['figures']> {
    return this.#ask((session) => session.figures(isCompared, range?.from, range?.to) as Figures);
  }

  measures(from: number, to: number): ReturnType<WorkerCalls['measures']> {
    return this.#ask((session) => session.measures(from, to));
  }

  profile(from: number, to: number): ReturnType<WorkerCalls['profile']> {
    return this.#ask((session) => session.profile(from, to) as Profile);
  }

  sequence(
    ...[{ flow, isTurned, end }, { from, to }, columns]: Parameters<WorkerCalls['sequence']>
  ): ReturnType<WorkerCalls['sequence']> {
    return this.#ask(
      (session) => session.sequence(flow, isTurned, end ?? '', from, to, columns) as Sequence,
    );
  }

  layerTimes(
    ...[query, most]: Parameters<WorkerCalls['layerTimes']>
  ): ReturnType<WorkerCalls['layerTimes']> {
    return this.#ask((session) => unpackLayerTimes(session.layer_times(query, most)));
  }

  routes(): ReturnType<WorkerCalls['routes']> {
    return this.#ask((session) => {
      const bytes = session.routes() as Uint8Array<ArrayBuffer>;
      return transfer(bytes, [bytes.buffer]);
    });
  }

  saved(format: SavedFormat): ReturnType<WorkerCalls['saved']> {
    return this.#ask((session) => {
      try {
        const value = session.saved(format) as Uint8Array<ArrayBuffer>;
        return transfer({ kind: 'ok', value } as const, [value.buffer]);
      } catch (error) {
        if (isRefusal(error)) return failed(error);
        throw error;
      }
    });
  }

  events(from: number, count: number): ReturnType<WorkerCalls['events']> {
    return this.#ask((session) =>
      unpackEvents(session.events(from, count), session.event_details(from, count), (packets) =>
        session.names(packets),
      ),
    );
  }

  nextPass(probe: number, time: number): ReturnType<WorkerCalls['nextPass']> {
    return this.#ask((session) => unpackPass(session.next_pass(probe, time)));
  }

  told(focus: number | undefined): ReturnType<WorkerCalls['told']> {
    return this.#ask((session) => handedOver(unpackTold(session.told(focus))));
  }

  said(...[focus, from, count]: Parameters<WorkerCalls['said']>): ReturnType<WorkerCalls['said']> {
    // The generated types know the kind of a value only as a text, here as elsewhere.
    return this.#ask((session) => session.said(focus, from, count) as readonly Said[]);
  }

  /** The shelf needs no core, so the module is fetched with the first trace. */
  async #prepare(): Promise<void> {
    this.#ready ??= this.#modules.reader();
    try {
      await this.#ready;
    } catch {
      // Asked again, it is fetched again: the network may be back.
      this.#ready = undefined;
      throw new Error(TROUBLES.fetch);
    }
  }

  /** The model, and the reader that opens what it gives. */
  async #prepareModel(): Promise<Model> {
    this.#model ??= this.#modules.model();
    const model = this.#model.catch(() => {
      this.#model = undefined;
      throw new Error(TROUBLES.fetch);
    });
    [this.#modelAtHand] = await Promise.all([model, this.#prepare()]);
    this.#modules.rest?.();
    return this.#modelAtHand;
  }

  #take(session: Session): Outcome<Opened> {
    this.#session?.free();
    this.#session = session;
    this.#modules.rest?.();
    return { kind: 'ok', value: session.opened() as Opened };
  }

  #ask<T>(question: (session: Session) => T): Promise<T> {
    if (this.#session === undefined) return Promise.reject(new Error('No run is open.'));
    try {
      return Promise.resolve(question(this.#session));
    } catch (error) {
      return Promise.reject(this.#told(error));
    }
  }

  #failed(error: unknown): Outcome<never> {
    return failed(this.#told(error));
  }

  /** What was thrown, as the page is told of it. */
  #told(error: unknown): Error {
    if (isTrap(error)) return trapOf(last_panic() ?? this.#modelAtHand?.lastPanic());
    return error instanceof Error ? error : errorOf(troubleIn(error));
  }
}

function figuresOf({ run, measured }: Simulated): Figures {
  return figures_alone(run, measured) as Figures;
}

/** Says how far an import is, at most once for each stretch of bytes. */
class Meter {
  readonly #totalBytes: number;
  readonly #lines: () => number;
  readonly #onProgress: (progress: Progress) => void;
  readonly #startedAt = performance.now();
  #bytes = 0;
  #reportedAt = 0;

  constructor(
    inputs: readonly Input[],
    lines: () => number,
    onProgress: (progress: Progress) => void,
  ) {
    this.#totalBytes = inputs.reduce((sum, input) => sum + input.data.size, 0);
    this.#lines = lines;
    this.#onProgress = onProgress;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes - this.#reportedAt >= PROGRESS_EVERY) this.report();
  }

  report(): void {
    this.#reportedAt = this.#bytes;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#onProgress({
      bytes: this.#bytes,
      totalBytes: this.#totalBytes,
      lines: this.#lines(),
      megabytesPerSecond: seconds === 0 ? 0 : this.#bytes / 1e6 / seconds,
    });
  }
}
