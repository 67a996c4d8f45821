/**
 * What `npm run bench` asks of the page: the trace in the file input is read, imported and
 * sought through in a worker; a scenario is simulated there. Measures and judges nothing else.
 */
import { wrap } from 'comlink';
import type { Reading, Simulating, WorkerBench } from './bench.worker.ts';

const worker = new Worker(new URL('./bench.worker.ts', import.meta.url), { type: 'module' });
const remote = wrap<WorkerBench>(worker);

function file(): File {
  const chosen = document.querySelector('input')?.files?.[0];
  if (chosen === undefined) throw new Error('no trace was chosen');
  return chosen;
}

const bench = {
  /** Milliseconds to read the file, decode it and count its lines: the machine's own measure. */
  count: (): Promise<number> => remote.count(file()),

  /** Imports the file. */
  open: (): Promise<Reading> => remote.open(file()),

  /** Bytes of the module's memory once what the page asks for at once was answered. */
  memoryWhenTold: (): Promise<number> => remote.memoryWhenTold(),

  /** Milliseconds to find what happened, within the worker. */
  findings: (): Promise<number> => remote.findings(),

  /** Milliseconds for each frame, there and back again. */
  async roundTrips(times: readonly number[], linger: number): Promise<number[]> {
    const taken: number[] = [];
    for (const time of times) {
      const began = performance.now();
      await remote.frame(time, linger);
      taken.push(performance.now() - began);
    }
    return taken;
  },

  /** Milliseconds for each frame within the worker, and how many packets were in it. */
  seek: (times: readonly number[], linger: number): ReturnType<WorkerBench['seek']> =>
    remote.seek(times, linger),

  /** Simulates a scenario. */
  simulate: (scenario: string, isRecording: boolean): Promise<Simulating> =>
    remote.simulate(scenario, isRecording),
};

export type PageBench = typeof bench;

Object.assign(globalThis, { bench });
