/**
 * The page's side of the interface to the workers. Every import and every simulation has a
 * worker of its own, which then belongs to its run: open runs can be asked meanwhile,
 * cancelling ends the worker at once, and closing a run frees all its memory (wasm memory never
 * shrinks). What no run is needed for and the scoreboard's experiments have another worker each.
 * Knows of workers, not of wasm.
 */
import { proxy, releaseProxy, wrap, type Remote } from 'comlink';
import type { Core, Input, Opened, Outcome, Survey } from './core.ts';
import { Line, type Seat } from './line.ts';
import { openPool } from './pool.ts';
import { RunGone, type RunHandle, type RunQuestions } from './run.ts';
import type { Reproduced } from './simulation.ts';
import { failed, TROUBLES } from './trouble.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** Bytes of a file that `look` passes to the core, which needs fewer to tell its format. */
const LOOK = 1 << 20;

export interface CoreClient extends Core {
  version(): Promise<string>;
}

/** @param cores how many scenarios are tried out at once */
export function openCore(
  room: number,
  cores: number,
  takeSeat: () => Seat = seatInWorker,
): CoreClient {
  /** Lines that are still open, oldest first, without the scoreboard's. */
  const lines = new Set<Line>();
  /** Started ahead of the first run, which takes it. */
  let spare: Line | undefined = takeLine();
  /** For what no run is needed, once the spare line is a run's. */
  let aside: Line | undefined;
  let bench: Line | undefined;

  function takeLine(): Line {
    const line = new Line(takeSeat());
    lines.add(line);
    return line;
  }

  function takeSpare(): Line {
    const line = spare === undefined || spare.isGone ? takeLine() : spare;
    spare = undefined;
    return line;
  }

  /** Makes a run in a worker, which ends at once where the signal is aborted before the run is there. */
  async function make(
    ask: (calls: WorkerCalls) => Promise<Outcome<Opened>>,
    signal?: AbortSignal,
  ): Promise<Outcome<RunHandle>> {
    const line = takeSpare();
    const outcome = await askUntil(line, ask, signal);
    if (outcome.kind !== 'ok') {
      line.close();
      return outcome;
    }
    return line.isGone ? { kind: 'cancelled' } : { kind: 'ok', value: handle(line, outcome.value) };
  }

  /** In a worker that is ended afterwards, so that nothing of the samples is kept. */
  async function survey(inputs: readonly Input[], signal?: AbortSignal): Promise<Outcome<Survey>> {
    const line = takeSpare();
    const outcome = await askUntil(line, (calls) => calls.survey(inputs), signal);
    line.close();
    return outcome;
  }

  /** In a worker that is ended afterwards, beside the one that makes a run. */
  async function look(inputs: readonly Input[]): Promise<Outcome<undefined>> {
    const line = takeSpare();
    const heads = inputs.map(({ name, data }) => ({ name, data: data.slice(0, LOOK) }));
    const nobody = proxy(() => undefined);
    const outcome = await line.ask((calls) => calls.open(heads, nobody)).catch(outcomeOf);
    line.close();
    return outcome.kind === 'ok' ? { kind: 'ok', value: undefined } : outcome;
  }

  const pool = openPool(() => new Line(takeSeat()), cores);

  /** Asks any line, as the answer is the same for every run and takes next to nothing. */
  function askAny<T>(question: (calls: WorkerCalls) => Promise<T>): Promise<T> {
    return askOneOf(() => [...openLines()][0] ?? (spare = takeLine()), question);
  }

  /**
   * Asks a line that no run has: what loads the model or takes long holds up no run,
   * and where it breaks its worker down none is lost.
   */
  function askAside<T>(question: (calls: WorkerCalls) => Promise<T>): Promise<T> {
    return askOneOf(() => {
      if (openLines().size === 0) spare = takeLine();
      if (spare !== undefined && !spare.isGone) return spare;
      return (aside = aside === undefined || aside.isGone ? takeLine() : aside);
    }, question);
  }

  function openLines(): ReadonlySet<Line> {
    for (const line of lines) if (line.isGone) lines.delete(line);
    return lines;
  }

  /** In a worker that is ended afterwards: both runs' packets are in its memory, which never shrinks. */
  async function layAbreast(...[a, b]: Parameters<Core['abreast']>): ReturnType<Core['abreast']> {
    const line = new Line(takeSeat());
    try {
      return await line.ask((calls) => calls.abreast(a, b));
    } finally {
      line.close();
    }
  }

  /** One experiment at a time, so that each has a core of the machine for itself. */
  async function reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>> {
    const line = bench === undefined || bench.isGone ? new Line(takeSeat()) : bench;
    bench = line;
    return line.ask((calls) => calls.reproduce(entry)).catch(outcomeOf);
  }

  return {
    room,
    open: (inputs, onProgress, excerpt, signal) =>
      make((calls) => calls.open(inputs, proxy(onProgress), excerpt), signal),
    look,
    survey,
    tryOut: pool.tryOut,
    compare: (before, after) => askAside((calls) => calls.compare(before, after)),
    simulate: (scenario, onProgress, machines, signal) =>
      make((calls) => calls.simulate(scenario, proxy(onProgress), machines), signal),
    abreast: layAbreast,
    curve: (...asked) => askAside((calls) => calls.curve(...asked)),
    publishedBeside: (...asked) => askAside((calls) => calls.publishedBeside(...asked)),
    glossary: () => askAny((calls) => calls.glossary()),
    catalogue: (machines) => askAside((calls) => calls.catalogue(machines)),
    published: () => askAside((calls) => calls.published()),
    version: () => askAny((calls) => calls.version()),
    reproduce,
    stopReproducing: () => bench?.close(),
  };
}

/** Asks a line, and ends it at once where the signal is aborted before it answered. */
async function askUntil<T>(
  line: Line,
  ask: (calls: WorkerCalls) => Promise<Outcome<T>>,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  const end = () => line.close();
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end);
  const outcome = await line.ask(ask).catch(outcomeOf);
  signal?.removeEventListener('abort', end);
  return outcome;
}

/** Asks the line that is found; if that is closed meanwhile, the one that is found then. */
async function askOneOf<T>(
  find: () => Line,
  question: (calls: WorkerCalls) => Promise<T>,
): Promise<T> {
  try {
    return await find().ask(question);
  } catch (error) {
    if (error instanceof RunGone && error.why === 'closed') return askOneOf(find, question);
    throw error;
  }
}

/** A run over the line to its worker. */
function handle(line: Line, opened: Opened): RunHandle {
  return {
    ...questions(line),
    opened,
    broken: line.broken,
    until: (signal) => questions(line, signal),
    watch: (tell) => line.watch(tell),
    close: () => line.close(),
  };
}

/** What the picture of this moment needs goes first, then what stands beside it, tables last. */
function questions(line: Line, signal?: AbortSignal): RunQuestions {
  const now = <T>(ask: (calls: WorkerCalls) => Promise<T>) => line.ask(ask, 'now', signal);
  const soon = <T>(ask: (calls: WorkerCalls) => Promise<T>) => line.ask(ask, 'soon', signal);
  const later = <T>(ask: (calls: WorkerCalls) => Promise<T>) => line.ask(ask, 'later', signal);
  return {
    frame: (time, linger) => now((calls) => calls.frame(time, linger)),
    step: (...asked) => now((calls) => calls.step(...asked)),
    lanes: (...asked) => soon((calls) => calls.lanes(...asked)),
    journey: (packet) => soon((calls) => calls.journey(packet)),
    journeys: (...asked) => later((calls) => calls.journeys(...asked)),
    journeyRows: (ids) => later((calls) => calls.journeyRows(ids)),
    longestWaits: (limit) => soon((calls) => calls.longestWaits(limit)),
    findings: () => soon((calls) => calls.findings()),
    figures: (...asked) => later((calls) => calls.figures(...asked)),
    measures: (from, to) => later((calls) => calls.measures(from, to)),
    profile: (from, to) => later((calls) => calls.profile(from, to)),
    sequence: (of, range, columns) => later((calls) => calls.sequence(of, range, columns)),
    layerTimes: (...asked) => later((calls) => calls.layerTimes(...asked)),
    nextPass: (...asked) => later((calls) => calls.nextPass(...asked)),
    told: (focus) => soon((calls) => calls.told(focus)),
    said: (...asked) => soon((calls) => calls.said(...asked)),
    events: (from, count) => later((calls) => calls.events(from, count)),
    routes: () => later((calls) => calls.routes()),
    saved: (format) => later((calls) => calls.saved(format)),
  };
}

/** `cancelled` for a worker that was ended on purpose; any other missing answer is a failure. */
function outcomeOf(error: unknown): Outcome<never> {
  if (error instanceof RunGone && error.why === 'closed') return { kind: 'cancelled' };
  return failed(error);
}

function seatInWorker(): Seat {
  // Written literally so: the bundler looks for exactly this expression.
  const worker = new Worker(new URL('./core.worker.ts', import.meta.url), { type: 'module' });
  const remote: Remote<WorkerCalls> = wrap<WorkerCalls>(worker);
  const broken = new Promise<string>((resolve) => {
    // A worker whose script cannot be fetched tells it by an event without a message.
    worker.addEventListener('error', (event: Event & { message?: string }) => {
      // The page tells it: the console need not.
      event.preventDefault();
      resolve(event.message || TROUBLES.fetch);
    });
    worker.addEventListener('messageerror', () => resolve('The core sent what cannot be read.'));
  });
  return {
    calls: remote,
    broken,
    end() {
      remote[releaseProxy]();
      worker.terminate();
    },
  };
}
