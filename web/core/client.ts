/**
 * The page's side of the door. Every import runs in a worker of its own: the run that is open
 * stays answerable meanwhile, cancelling ends that worker at once, and a run that is replaced
 * gives all its memory back (wasm memory never shrinks). Knows of workers, not of wasm.
 */
import { proxy, releaseProxy, wrap, type Remote } from 'comlink';
import type { Core, Input, Opened, Outcome, Progress } from './core.ts';
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
  let endImport: (() => void) | undefined;

  async function open(
    inputs: readonly Input[],
    onProgress: (progress: Progress) => void,
  ): Promise<Outcome<Opened>> {
    endImport?.();
    const seat = hasRun ? takeSeat() : current;
    const end = () => {
      seat.end();
      if (seat === current) current = takeSeat();
    };
    const cancelled = new Promise<Outcome<Opened>>((resolve) => {
      endImport = () => {
        endImport = undefined;
        end();
        resolve({ kind: 'cancelled' });
      };
    });
    const ownEnd = endImport;
    const outcome = await Promise.race([
      seat.calls.open(inputs, proxy(onProgress)),
      cancelled,
      seat.broken.then((message): Outcome<Opened> => ({ kind: 'failed', message })),
    ]);
    if (endImport === ownEnd) endImport = undefined;
    if (outcome.kind === 'ok') {
      if (seat !== current) current.end();
      current = seat;
      hasRun = true;
    } else if (outcome.kind === 'failed') {
      end();
    }
    return outcome;
  }

  return {
    open,
    cancel: () => endImport?.(),
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
