/**
 * The run that is open and how it came to be: asks the core to import or to simulate, keeps what
 * it answers, and holds the frame on screen. The frame is set by the clock alone; everything else derives.
 */
import type {
  Core,
  Frame,
  Glossary,
  Input,
  Lanes,
  Nanos,
  Opened,
  Outcome,
  Progress,
  VerdictName,
} from '../core/core.ts';
import type { Catalogue, SimulationProgress } from '../core/simulation.ts';
import type { Playhead } from './playhead.svelte.ts';
import { titleOf } from './scenario.ts';
import type { Selection } from './selection.svelte.ts';
import { DEFAULT_SPEED, speedFor } from './speed.ts';

/** Where a run came from: the shelf, the viewer's own files, or a scenario (compact JSON). */
export type Source =
  | { readonly kind: 'bundled'; readonly slug: string; readonly title: string }
  | { readonly kind: 'own'; readonly title: string }
  | { readonly kind: 'simulated'; readonly scenario: string; readonly title: string };

/** What is under way; no progress until the first bytes are read or the first events have happened. */
export type Opening =
  | {
      readonly kind: 'import';
      readonly name: string;
      readonly progress: Progress | undefined;
    }
  | {
      readonly kind: 'simulation';
      readonly name: string;
      readonly progress: SimulationProgress | undefined;
    };

/** What did not come to a run, for the page to show; the run before it stays. */
export interface Failure {
  readonly kind: Opening['kind'];
  readonly name: string;
  readonly message: string;
}

/** What the stage needs to draw one moment. */
export interface Shown {
  /** The time that was asked for: the playhead's once all is shown. */
  readonly time: Nanos;
  readonly frame: Frame;
  /** What the CPUs did in the last seconds of film. */
  readonly past: Lanes;
  /** How long what ended stays in the frame, in time of the run. */
  readonly linger: Nanos;
  /** Seconds of film from this moment to when the run reaches a time; negative in the past. */
  readonly filmTo: (time: Nanos) => number;
}

export class Session {
  readonly core: Core;
  readonly #playhead: Playhead;
  readonly #selection: Selection;
  #glossary = $state.raw<Glossary>();
  #catalogue = $state.raw<Catalogue>();
  #run = $state.raw<Opened>();
  #source = $state.raw<Source>();
  #opening = $state.raw<Opening>();
  #failure = $state.raw<Failure>();
  #shown = $state.raw<Shown>();
  /** Counts imports and simulations; the answer to any but the last is not wanted. */
  #turn = 0;

  constructor(core: Core, playhead: Playhead, selection: Selection) {
    this.core = core;
    this.#playhead = playhead;
    this.#selection = selection;
  }

  /** The words of the stack; nothing until a run is open. */
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }
  /** What can be simulated; nothing until the Lab or a scenario asked for it. */
  get catalogue(): Catalogue | undefined {
    return this.#catalogue;
  }
  get run(): Opened | undefined {
    return this.#run;
  }
  get source(): Source | undefined {
    return this.#source;
  }
  get opening(): Opening | undefined {
    return this.#opening;
  }
  get failure(): Failure | undefined {
    return this.#failure;
  }
  /** What is to be seen; nothing until the first frame of a run has come. */
  get shown(): Shown | undefined {
    return this.#shown;
  }
  get frame(): Frame | undefined {
    return this.#shown?.frame;
  }

  /** Imports inputs that belong together. True once they are the current run; if not, `failure` says why. */
  open(inputs: readonly Input[] | Promise<readonly Input[]>, source: Source): Promise<boolean> {
    const { title: name } = source;
    return this.#make({ kind: 'import', name, progress: undefined }, async (turn) => {
      const ready = await inputs;
      if (turn !== this.#turn) return { source, outcome: { kind: 'cancelled' } };
      const onProgress = (progress: Progress) => {
        if (turn === this.#turn) this.#opening = { kind: 'import', name, progress };
      };
      return { source, outcome: await this.core.open(ready, onProgress) };
    });
  }

  /** Runs a scenario (compact JSON). True once it is the current run; if not, `failure` says why. */
  simulate(scenario: string): Promise<boolean> {
    const kind = 'simulation';
    return this.#make({ kind, name: 'a scenario', progress: undefined }, async (turn) => {
      const title = titleOf(await this.loadCatalogue(), scenario);
      const source: Source = { kind: 'simulated', scenario, title };
      if (turn !== this.#turn) return { source, outcome: { kind: 'cancelled' } };
      const onProgress = (progress: SimulationProgress | undefined) => {
        if (turn === this.#turn) this.#opening = { kind, name: title, progress };
      };
      onProgress(undefined);
      return { source, outcome: await this.core.simulate(scenario, onProgress) };
    });
  }

  /** What can be simulated, asked for once. */
  async loadCatalogue(): Promise<Catalogue> {
    return (this.#catalogue ??= await this.core.catalogue());
  }

  /** Ends what is under way, at once; the run before it stays. */
  cancel(): void {
    this.#turn += 1;
    this.#opening = undefined;
    this.core.cancel();
  }

  dismissFailure(): void {
    this.#failure = undefined;
  }

  /** Puts a frame on screen. Called by the clock and by nothing else. */
  show(shown: Shown): void {
    this.#shown = shown;
  }

  async #make(opening: Opening, make: (turn: number) => Promise<Made>): Promise<boolean> {
    if (this.#opening !== undefined) this.cancel();
    const turn = (this.#turn += 1);
    this.#opening = opening;
    this.#failure = undefined;
    const { outcome, source } = await make(turn).catch(failed);
    // A later import or simulation, or a cancel, has taken over: what came of this one is not wanted.
    if (turn !== this.#turn) return false;
    if (outcome.kind === 'ok' && source !== undefined) await this.#take(outcome.value, source);
    if (outcome.kind === 'failed') {
      const { kind, name } = this.#opening;
      this.#failure = { kind, name, message: outcome.message };
    }
    this.#opening = undefined;
    return outcome.kind === 'ok';
  }

  async #take(run: Opened, source: Source): Promise<void> {
    const [glossary, speed, first] = await Promise.all([
      this.#glossary ?? this.core.glossary(),
      this.#calmSpeed(run),
      this.core.step(0, 'packet', true, undefined),
    ]);
    this.#selection.clear();
    this.#shown = undefined;
    this.#glossary = glossary;
    this.#run = run;
    this.#source = source;
    this.#playhead.load(run.duration, speed);
    // Before the first packet there is nothing to see.
    this.#playhead.seek(first?.time ?? 0);
  }

  /** A speed at which the packet of median duration can be followed. */
  async #calmSpeed(run: Opened): Promise<number> {
    const ends: readonly VerdictName[] = ['delivered', 'transmitted', 'consumed'];
    const verdict = ends.find((name) => run.journeys[name] > 0);
    if (verdict === undefined) return DEFAULT_SPEED;
    const { ids } = await this.core.journeys({ sort: 'duration', isDescending: false, verdict });
    const middle = ids.subarray(ids.length >> 1, (ids.length >> 1) + 1).slice();
    const { duration } = await this.core.journeyRows(middle);
    return speedFor(duration[0] ?? 0);
  }
}

interface Made {
  readonly source: Source | undefined;
  readonly outcome: Outcome<Opened>;
}

function failed(error: unknown): Made {
  const message = error instanceof Error ? error.message : String(error);
  return { source: undefined, outcome: { kind: 'failed', message } };
}
