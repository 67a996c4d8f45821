/**
 * The page's side of the door. Every import and every simulation runs in a worker of its own: the
 * run that is open stays answerable meanwhile, cancelling ends that worker at once, and a run that
 * is replaced gives all its memory back (wasm memory never shrinks). The scoreboard's experiments
 * have a worker apart. Knows of workers, not of wasm.
 */
import { proxy, releaseProxy, wrap, type Remote } from 'comlink';
import type { Core, Opened, Outcome } from './core.ts';
import type { Reproduced } from './simulation.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** One worker and how to speak to it. */
export interface Seat {
  readonly calls: WorkerCalls;
  /** Resolves with the reason if the worker breaks down (out of memory, a failed start). */
  readonly broken: Promise<string>;
  end(): void;
}

export interface CoreClient extends Core {
  version(): Promise<string>;
}

export function openCore(takeSeat: () => Seat = seatInWorker): CoreClient {
  let current = takeSeat();
  let hasRun = false;
  let endMaking: (() => void) | undefined;
  let bench: Seat | undefined;
  let endExperiment: (() => void) | undefined;

  /** Has a seat make the run that is to be the current one; the one before it stays until then. */
  async function make(
    ask: (calls: WorkerCalls) => Promise<Outcome<Opened>>,
  ): Promise<Outcome<Opened>> {
    endMaking?.();
    const seat = hasRun ? takeSeat() : current;
    const end = () => {
      seat.end();
      if (seat === current) current = takeSeat();
    };
    const cancelled = new Promise<Outcome<Opened>>((resolve) => {
      endMaking = () => {
        endMaking = undefined;
        end();
        resolve({ kind: 'cancelled' });
      };
    });
    const ownEnd = endMaking;
    const outcome = await Promise.race([ask(seat.calls), cancelled, failureOf(seat)]);
    if (endMaking === ownEnd) endMaking = undefined;
    if (outcome.kind === 'ok') {
      if (seat !== current) current.end();
      current = seat;
      hasRun = true;
    } else if (outcome.kind === 'failed') {
      end();
    }
    return outcome;
  }

  /** One experiment at a time, so that each has a core of the machine for itself. */
  async function reproduce(entry: string): Promise<Outcome<readonly Reproduced[]>> {
    endExperiment?.();
    const seat = (bench ??= takeSeat());
    const leave = () => {
      seat.end();
      if (bench === seat) bench = undefined;
    };
    const stopped = new Promise<Outcome<never>>((resolve) => {
      endExperiment = () => {
        endExperiment = undefined;
        leave();
        resolve({ kind: 'cancelled' });
      };
    });
    const ownEnd = endExperiment;
    const broken = failureOf(seat).then((failure) => {
      leave();
      return failure;
    });
    const outcome = await Promise.race([seat.calls.reproduce(entry), stopped, broken]);
    if (endExperiment === ownEnd) endExperiment = undefined;
    return outcome;
  }

  return {
    open: (inputs, onProgress) => make((calls) => calls.open(inputs, proxy(onProgress))),
    simulate: (scenario, onProgress) =>
      make((calls) => calls.simulate(scenario, proxy(onProgress))),
    cancel: () => endMaking?.(),
    catalogue: () => current.calls.catalogue(),
    published: () => current.calls.published(),
    reproduce,
    stopReproducing: () => endExperiment?.(),
    version: () => current.calls.version(),
    glossary: () => current.calls.glossary(),
    frame: (time, linger) => current.calls.frame(time, linger),
    lanes: (from, to, columns) => current.calls.lanes(from, to, columns),
    step: (time, kind, isForward, packet) => current.calls.step(time, kind, isForward, packet),
    journeys: (query) => current.calls.journeys(query),
    journeyRows: (ids) => current.calls.journeyRows(ids),
    journey: (packet) => current.calls.journey(packet),
    measures: (from, to) => current.calls.measures(from, to),
    layerTimes: (query) => current.calls.layerTimes(query),
    events: (from, count) => current.calls.events(from, count),
  };
}

async function failureOf(seat: Seat): Promise<Outcome<never>> {
  return { kind: 'failed', message: await seat.broken };
}

function seatInWorker(): Seat {
  // Written literally so: the bundler looks for exactly this expression.
  const worker = new Worker(new URL('./core.worker.ts', import.meta.url), { type: 'module' });
  const remote: Remote<WorkerCalls> = wrap<WorkerCalls>(worker);
  const broken = new Promise<string>((resolve) => {
    worker.addEventListener('error', (event) => {
      resolve(event.message === '' ? 'The core could not be started.' : event.message);
    });
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
