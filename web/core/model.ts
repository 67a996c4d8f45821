/**
 * The model in the calling thread: the simulator's wasm module with its
 * data files. It returns a run as bytes, which the reader's module opens
 * (engine.ts). A page that only opens recordings loads none of this.
 */
import type { PublishedBeside, SoFar } from './figures.ts';
import { last_panic, Model as Module, type Simulated as Ended } from './generated/simulator.js';
import type { CodedCatalogue, Reproduced, SimulationProgress, Study } from './simulation.ts';
import { TROUBLES } from './trouble.ts';

/** Texts of data files by their paths below `wasm-core/data/`: `kernels/6.1.json`. */
export type DataFiles = Readonly<Record<string, string>>;

/** A simulation that has ended: its run and what was measured, as bytes for the reader's module. */
export interface Simulated {
  readonly run: Uint8Array;
  readonly measured: Uint8Array;
}

/** Steps between two reports of progress, about twenty a second. */
const STEPS_AT_ONCE = 250_000;
/** Steps that a trial runs without looking for a cancellation, about a hundredth of a second. */
const STEPS_UNHEARD = 25_000;
/** Trials run side by side at every change of a setting: each may take about 300 MB. */
const MOST_TRIED = 2_000_000;
/** After so long, in ms, what is tried out tells what has come so far ... */
const SO_FAR_AFTER = 60;
/**
 * ... if the whole is not there within this time, with its figures, which take as long as the run again: half of
 * what a card may take, as all cores are at work for it, and the estimate is of this run alone.
 */
const SOON = 150;

export class Model {
  readonly #module = new Module();
  readonly #loadPapers: () => Promise<DataFiles>;
  #papers: Promise<void> | undefined;

  /**
   * @param data machines, kernels, workloads and scenarios
   * @param loadPapers fetches published numbers and studies; called when the scoreboard is first asked for
   */
  constructor(data: DataFiles, loadPapers: () => Promise<DataFiles>) {
    this.#loadPapers = loadPapers;
    this.#give(data);
  }

  catalogue(machines: readonly string[]): CodedCatalogue {
    return this.#module.catalogue([...machines]);
  }

  /** Runs a scenario to its end. Throws where it cannot be run; the reason begins with the field. */
  simulate(
    scenario: string,
    machines: readonly string[],
    onProgress: (progress: SimulationProgress) => void,
  ): Simulated {
    const startedAt = performance.now();
    const simulator = this.#module.simulator(scenario, true, [...machines]);
    while (!simulator.advance(STEPS_AT_ONCE)) {
      const events = simulator.events();
      onProgress({
        simulated: simulator.simulated_ns(),
        duration: simulator.duration_ns(),
        events,
        eventsPerSecond: (events / (performance.now() - startedAt)) * 1000,
      });
    }
    return bytesOf(simulator.finish());
  }

  /**
   * Runs a scenario as a trial that checks now and then whether it is still wanted; `undefined`
   * if it is not. If it takes long, `onSoFar` is called once with what has come so far.
   */
  async tryOut(
    scenario: string,
    machines: readonly string[],
    isWanted: () => boolean,
    onSoFar?: (soFar: Simulated, how: Pick<SoFar, 'simulated' | 'duration'>) => void,
  ): Promise<Simulated | undefined> {
    const startedAt = performance.now();
    const simulator = this.#module.simulator(scenario, true, [...machines]);
    let tell = onSoFar;
    while (!simulator.advance(STEPS_UNHEARD)) {
      if (simulator.events() > MOST_TRIED) throw new Error(TROUBLES.long);
      const taken = performance.now() - startedAt;
      if (tell && taken > SO_FAR_AFTER) {
        const [simulated, duration] = [simulator.simulated_ns(), simulator.duration_ns()];
        if (2 * taken * (duration / simulated) > SOON)
          tell(bytesOf(simulator.so_far()), { simulated, duration });
        tell = undefined;
      }
      await breath();
      if (!isWanted()) {
        simulator.free();
        return undefined;
      }
    }
    return bytesOf(simulator.finish());
  }

  async published(): Promise<readonly Study[]> {
    await this.#withPapers();
    return this.#module.published();
  }

  async publishedBeside(
    scenario: string,
    swept: readonly string[],
  ): Promise<readonly PublishedBeside[]> {
    await this.#withPapers();
    return this.#module.published_beside(scenario, [...swept]);
  }

  async reproduce(entry: string): Promise<readonly Reproduced[]> {
    await this.#withPapers();
    return this.#module.reproduce(entry);
  }

  /** The words of the panic that the module ended with. */
  lastPanic(): string | undefined {
    return last_panic();
  }

  #give(files: DataFiles): void {
    for (const [path, text] of Object.entries(files)) this.#module.give(path, text);
  }

  async #withPapers(): Promise<void> {
    this.#papers ??= this.#loadPapers().then((files) => this.#give(files));
    try {
      await this.#papers;
    } catch {
      this.#papers = undefined;
      throw new Error(TROUBLES.fetch);
    }
  }
}

function bytesOf(simulated: Ended): Simulated {
  const bytes = { run: simulated.run(), measured: simulated.measured() };
  simulated.free();
  return bytes;
}

/** Lets messages that have arrived be handled. A timer would do so too, but not within 4 ms. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
