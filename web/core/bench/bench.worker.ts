/**
 * The bench's worker: the engine and the modules of core.worker.ts, and what they cost. The
 * reader's memory never shrinks, so its size after an import is the import's peak.
 */
import { expose } from 'comlink';
import type { LedgerView } from '../ledger.ts';
import { Engine } from '../engine.ts';
import init, { fetchRest } from '../generated/reader.js';
import wasmUrl from '../generated/reader_bg.wasm?url';
import restUrl from '../generated/reader_rest.wasm?url';
import initSimulator, { Model } from '../generated/simulator.js';
import simulatorUrl from '../generated/simulator_bg.wasm?url';
import { files } from '../model-data.ts';
import { openModel } from '../model-in-browser.ts';

/** What an import took: milliseconds from its begin, and bytes of the module's memory. */
export interface Reading {
  readonly readMs: number;
  readonly openMs: number;
  readonly memoryAtStart: number;
  readonly memoryWhenRead: number;
  readonly memoryWhenOpen: number;
  readonly events: number;
  readonly packets: number;
  readonly duration: number;
  readonly ledger: Pick<
    LedgerView,
    'total' | 'understood' | 'skipped' | 'unknown' | 'malformed' | 'lostMarkers'
  >;
}

/** For each of some frames: its milliseconds, its packets, and those that came where they are within twice the linger. */
export interface Seeks {
  readonly taken: number[];
  readonly packets: number[];
  readonly hops: number[];
}

/** What a simulation took from its first event to its last, and how many events it had. */
export interface Simulating {
  readonly ms: number;
  readonly events: number;
}

/** As the app's worker does between two reports of how far it is, in the engine's events. */
const EVENTS_AT_ONCE = 250_000;

const ready = init({ module_or_path: wasmUrl }).then(async (exports) => {
  await fetchRest(restUrl);
  return exports;
});
const engine = new Engine({ reader: () => ready, model: openModel });

const calls = {
  async count(file: Blob): Promise<number> {
    const began = performance.now();
    const decoder = new TextDecoder();
    const reader = file.stream().getReader();
    let lines = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const text = decoder.decode(value, { stream: true });
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
    }
    if (lines === 0) throw new Error('the trace has no lines');
    return performance.now() - began;
  },

  async open(file: File): Promise<Reading> {
    const { memory } = await ready;
    const memoryAtStart = memory.buffer.byteLength;
    const began = performance.now();
    let [readMs, memoryWhenRead] = [0, 0];
    const outcome = await engine.open([{ name: file.name, data: file }], () => {
      readMs = performance.now() - began;
      memoryWhenRead = memory.buffer.byteLength;
    });
    if (outcome.kind !== 'ok') throw new Error(`the trace was not opened: ${outcome.kind}`);
    const openMs = performance.now() - began;
    const { events, duration, ledger, journeys } = outcome.value;
    const { total, understood, skipped, unknown, malformed, lostMarkers } = ledger;
    return {
      readMs,
      openMs,
      memoryAtStart,
      memoryWhenRead,
      memoryWhenOpen: memory.buffer.byteLength,
      events,
      packets: journeys.total,
      duration,
      ledger: { total, understood, skipped, unknown, malformed, lostMarkers },
    };
  },

  /** Bytes of the module's memory once the film and what happened were asked for, as the page does at once. */
  async memoryWhenTold(): Promise<number> {
    const { memory } = await ready;
    await engine.told(undefined);
    await engine.findings();
    return memory.buffer.byteLength;
  },

  frame: (...[time, linger]: Parameters<Engine['frame']>): ReturnType<Engine['frame']> =>
    engine.frame(time, linger),

  async findings(): Promise<number> {
    const began = performance.now();
    const found = await engine.findings();
    if (found.length === 0) throw new Error('nothing was found');
    return performance.now() - began;
  },

  async seek(times: readonly number[], linger: number): Promise<Seeks> {
    const [taken, packets, hops]: [number[], number[], number[]] = [[], [], []];
    for (const time of times) {
      const began = performance.now();
      const frame = await engine.frame(time, linger);
      taken.push(performance.now() - began);
      packets.push(frame.packets.packet.length);
      hops.push(frame.packets.since.filter((since) => since > time - 2 * linger).length);
    }
    return { taken, packets, hops };
  },

  async simulate(scenario: string, isRecording: boolean): Promise<Simulating> {
    await initSimulator({ module_or_path: simulatorUrl });
    const model = new Model();
    for (const [path, text] of Object.entries(files)) model.give(path, text);
    const simulator = model.simulator(scenario, isRecording, []);
    const began = performance.now();
    while (!simulator.advance(EVENTS_AT_ONCE));
    const ms = performance.now() - began;
    const events = simulator.steps();
    simulator.free();
    return { ms, events };
  },
};

export type WorkerBench = typeof calls;

expose(calls);
