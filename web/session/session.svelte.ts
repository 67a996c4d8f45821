/**
 * The open run and how it was opened: asks the core to import or to simulate, keeps the result, and holds
 * the frame on screen. Only the clock sets the frame; everything else is derived.
 */
import { mayNeedMore } from '../core/survey.ts';
import { failed, TROUBLES } from '../core/trouble.ts';
import type { Core, Excerpt, Glossary, Input, Opened, Outcome, Progress } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Catalogue, CodedCatalogue, SimulationProgress } from '../core/simulation.ts';
import type { RunHandle } from '../core/run.ts';
import type { Told } from '../core/told.ts';
import type { Shown } from './shown.ts';
import { Ahead } from './ahead.ts';
import { calmSpeed } from './calm-speed.ts';
import { m } from '../words/generated/messages.js';
import { inWords } from '../words/setting-words.ts';
import type { View } from './view.svelte.ts';
import type { Playhead } from './playhead.svelte.ts';
import type { Crash, Failure, Opening } from './opening.ts';
import { openingStretch } from './opening-stretch.ts';
import { OwnMachines } from './own-machines.svelte.ts';
import { titleOf } from './scenario.ts';
import type { Selection } from './selection.svelte.ts';
import { surveyed, type TooLarge } from './too-large.ts';

/** Where a run came from: the shelf, the viewer's own files, or a scenario (compact JSON). */
export type Source =
  | { readonly kind: 'bundled'; readonly slug: string; readonly title: string }
  | {
      readonly kind: 'own';
      readonly title: string;
      /**
       * The part of the input that the viewer chose, possibly all of it, after a warning that the whole may
       * not fit.
       */
      readonly excerpt?: Excerpt | undefined;
    }
  | { readonly kind: 'simulated'; readonly scenario: string; readonly title: string };

export class Session {
  readonly core: Core;
  readonly machines = new OwnMachines();
  /** Simulations go through it, so that one can be begun before it is shown. */
  readonly ahead: Ahead;
  readonly #playhead: Playhead;
  readonly #selection: Selection;
  readonly #view: View;
  #glossary = $state.raw<Glossary>();
  #catalogue = $state.raw<CodedCatalogue>();
  #askedCatalogue: Promise<CodedCatalogue> | undefined;
  readonly #inWords = $derived(this.#catalogue && inWords(this.#catalogue));
  #handle = $state.raw<RunHandle>();
  #source = $state.raw<Source>();
  #opening = $state.raw<Opening>();
  #failure = $state.raw<Failure>();
  #crash = $state.raw<Crash>();
  #tooLarge = $state.raw<TooLarge>();
  #isAsking = $state(false);
  #inputs: readonly Input[] = [];
  /** Opens the run on the stage again. */
  #again: (() => Promise<boolean>) | undefined;
  #shown = $state.raw<Shown>();
  #isDrawn = $state(false);
  /** The moment at which the run on the stage opens is still searched: until then it is not drawn. */
  #isOpeningSought = $state(false);
  /** Counts the viewer's requests, including files that have only been inspected so far. */
  #wishes = 0;
  /** Ends the import or simulation that was begun last, whose answer is then discarded. */
  #abort = new AbortController();

  #tellTaken: () => void = () => undefined;

  constructor(core: Core, playhead: Playhead, selection: Selection, view: View) {
    this.core = core;
    this.ahead = new Ahead((scenario, onProgress, signal) =>
      core.simulate(scenario, onProgress, this.machines.texts, signal),
    );
    this.#playhead = playhead;
    this.#selection = selection;
    this.#view = view;
  }

  /** The glossary; `undefined` until a run is open. */
  get glossary(): Glossary | undefined {
    return this.#glossary;
  }
  /** What can be simulated; `undefined` until the Lab or a scenario needs it. */
  get catalogue(): Catalogue | undefined {
    return this.#inWords;
  }
  /** The handle by which the run on the stage is queried. */
  get handle(): RunHandle | undefined {
    return this.#handle;
  }
  /** The properties of the run on the stage as a whole. */
  get run(): Opened | undefined {
    return this.#handle?.opened;
  }
  get source(): Source | undefined {
    return this.#source;
  }
  /** The inputs from which the run on the stage was imported; none for a simulation. */
  get inputs(): readonly Input[] {
    return this.#inputs;
  }
  get opening(): Opening | undefined {
    return this.#opening;
  }
  get failure(): Failure | undefined {
    return this.#failure;
  }
  /** Inputs that may not fit into memory, until the viewer has chosen a part. */
  get tooLarge(): TooLarge | undefined {
    return this.#tooLarge;
  }
  /** The state of a run on the stage that can no longer answer. */
  get crash(): Crash | undefined {
    return this.#crash;
  }
  /** Whether questions to the run on the stage, or consequences of their answers, are outstanding. */
  get isAsking(): boolean {
    return this.#isAsking;
  }
  /** The picture on screen; `undefined` until the first frame of a run. */
  get shown(): Shown | undefined {
    return this.#shown;
  }
  /**
   * Whether the stage has drawn the run's first picture, so that the texts beside it may be made, in
   * another task.
   */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }
  get frame(): Frame | undefined {
    return this.#shown?.frame;
  }
  /** Whether the screen shows the playhead's moment, at its place in film and at its pace. */
  get isUpToDate(): boolean {
    const { time, film, told, tempo } = this.#playhead;
    const shown = this.#shown;
    const isMoment = shown?.time === time && shown.film === film;
    return isMoment && shown.told === told && shown.tempo === tempo;
  }

  /** Whether a frame is to be drawn: not before the run's opening moment is known. */
  get isToDraw(): boolean {
    return this.#handle !== undefined && !this.#isOpeningSought && !this.isUpToDate;
  }

  /**
   * Imports inputs that belong together. True once they are the current run; if not, `failure` says why,
   * or `tooLarge` that they would not fit, or did not. Where the source has an excerpt it is opened without a question.
   */
  async open(
    inputs: readonly Input[] | Promise<readonly Input[]>,
    source: Source,
  ): Promise<boolean> {
    const { title: name } = source;
    const excerpt = source.kind === 'own' ? source.excerpt : undefined;
    const again = () => this.open(inputs, source);
    const opening = { kind: 'import', name, progress: undefined } as const;
    const isOpen = await this.#make(opening, again, async (signal) => {
      const ready = await inputs;
      signal.throwIfAborted();
      const isToSurvey = excerpt === undefined && mayNeedMore(ready, this.core.room);
      const whole = isToSurvey ? await surveyed(this.core, ready, name, signal) : undefined;
      signal.throwIfAborted();
      if (whole !== undefined && whole.survey.memory > whole.room) {
        this.#tooLarge = whole;
        return { source, inputs: ready, outcome: { kind: 'cancelled' } };
      }
      const onProgress = (progress?: Progress) => {
        if (signal.aborted) return;
        this.#opening = { kind: 'import', name, progress, memory: whole?.survey.memory };
      };
      onProgress();
      const outcome = await this.core.open(ready, onProgress, excerpt, signal);
      return { source, inputs: ready, outcome };
    });
    if (source.kind === 'own' && this.#failure?.message === TROUBLES.memory) {
      // It did not fit after all, but a part of it may.
      const { signal } = this.#abort;
      const parts = await surveyed(this.core, await inputs, name, signal);
      if (!signal.aborted) this.#tooLarge = parts;
    }
    return isOpen;
  }

  /**
   * Whether files are to be opened. While a run is being made, which opening them ends, they are looked at first: what
   * cannot be opened is told of, and the run goes on.
   */
  async wants(inputs: readonly Input[], name: string): Promise<boolean> {
    if (this.#opening === undefined) return true;
    const wish = (this.#wishes += 1);
    const looked = await this.core.look(inputs);
    if (wish !== this.#wishes) return false;
    if (looked.kind === 'failed') {
      this.#failure = { ...looked, kind: 'import', name };
    }
    return looked.kind === 'ok';
  }

  /** Runs a scenario (compact JSON). True once it is the current run; if not, `failure` says why. */
  simulate(scenario: string): Promise<boolean> {
    const kind = 'simulation';
    const again = () => this.simulate(scenario);
    return this.#make(
      { kind, name: m.session_a_scenario(), progress: undefined },
      again,
      async (signal) => {
        const title = titleOf(await this.loadCatalogue(), scenario);
        const source: Source = { kind: 'simulated', scenario, title };
        signal.throwIfAborted();
        const onProgress = (progress: SimulationProgress | undefined) => {
          if (!signal.aborted) this.#opening = { kind, name: title, progress };
        };
        onProgress(undefined);
        return { source, inputs: [], outcome: await this.ahead.run(scenario, onProgress, signal) };
      },
    );
  }

  /** What can be simulated, requested once; where that fails, again when it is needed next. */
  async loadCatalogue(): Promise<CodedCatalogue> {
    const ask = (machines: readonly string[]) => this.core.catalogue(machines);
    if (this.#catalogue !== undefined) return this.#catalogue;
    const asked = (this.#askedCatalogue ??= this.machines.first(ask));
    try {
      const catalogue = await asked;
      // A machine may have been added meanwhile.
      return (this.#catalogue ??= catalogue);
    } catch (error) {
      if (this.#askedCatalogue === asked) this.#askedCatalogue = undefined;
      throw error;
    }
  }

  /** What can be simulated with these machine files; rejects if one of them is invalid. */
  async loadMachines(machines: readonly string[]): Promise<void> {
    this.#catalogue = await this.core.catalogue(machines);
  }

  /** Cancels the current import or simulation; the previous run remains. */
  cancel(): void {
    this.#wishes += 1;
    this.#opening = undefined;
    this.#abort.abort();
  }

  dismissTooLarge(): void {
    this.#tooLarge = undefined;
  }

  dismissFailure(): void {
    this.#failure = undefined;
  }

  /** Opens the run on the stage again from its source. True once it is open. */
  async reopen(): Promise<boolean> {
    return (await this.#again?.()) ?? false;
  }

  /**
   * Draws nothing of the run that has just been put on the stage until it stands at the moment at which it is to open:
   * another moment would be on screen meanwhile.
   */
  async opensAfter(seek: () => Promise<unknown>): Promise<void> {
    const handle = this.#handle;
    this.#isOpeningSought = true;
    try {
      await seek();
    } finally {
      if (this.#handle === handle) this.#isOpeningSought = false;
    }
  }

  /** Sets the frame on screen. Only the clock calls it. */
  show(shown: Shown): void {
    this.#shown = shown;
    if (this.#isDrawn) return;
    const handle = this.#handle;
    setTimeout(() => (this.#isDrawn ||= handle === this.#handle));
  }

  async #make(
    opening: Opening,
    again: () => Promise<boolean>,
    make: (signal: AbortSignal) => Promise<Made>,
  ): Promise<boolean> {
    this.cancel();
    const { signal } = (this.#abort = new AbortController());
    this.#opening = opening;
    this.#failure = undefined;
    this.#tooLarge = undefined;
    const made = await make(signal)
      .then((result) => this.#meet(result))
      .catch(failed);
    // A later import or simulation, or a cancellation, has superseded this one.
    if (signal.aborted) {
      if (made.kind === 'met') made.handle.close();
      return false;
    }
    if (made.kind === 'met') this.#take(made, again);
    if (made.kind === 'failed') {
      const { kind, name } = this.#opening;
      this.#failure = { ...made, kind, name };
    }
    this.#opening = undefined;
    return made.kind === 'met';
  }

  /** Requests what has to be known of a new run before it is shown. The run on the stage remains. */
  async #meet({ outcome, source, inputs }: Made): Promise<Met> {
    if (outcome.kind !== 'ok') return outcome;
    const handle = outcome.value;
    try {
      const [glossary, speed, told] = await Promise.all([
        this.#glossary ?? this.core.glossary(),
        calmSpeed(handle),
        handle.told(undefined),
      ]);
      return { kind: 'met', handle, source, inputs, glossary, speed, told };
    } catch (error) {
      handle.close();
      throw error;
    }
  }

  /** Registers a callback for when another run takes the stage. */
  whenTaken(tell: () => void): void {
    this.#tellTaken = tell;
  }

  /** Puts a run on the stage, in one step; the previous one is closed. */
  #take(
    { handle, source, inputs, glossary, speed, told }: Extract<Met, { kind: 'met' }>,
    again: () => Promise<boolean>,
  ): void {
    this.#tellTaken();
    this.#handle?.close();
    this.#crash = undefined;
    this.#again = again;
    this.#selection.clear();
    this.#view.setNotes([]);
    this.#view.setZoom(openingStretch(told, handle.opened.duration));
    this.#shown = undefined;
    this.#isDrawn = false;
    this.#isOpeningSought = false;
    this.#glossary = glossary;
    this.#handle = handle;
    this.#source = source;
    this.#inputs = inputs;
    this.#playhead.load(handle, speed, told);
    this.#watch(handle, source.title);
  }

  #watch(handle: RunHandle, name: string): void {
    const isOnStage = () => this.#handle === handle;
    void handle.broken.then((message) => {
      if (!isOnStage()) return;
      this.#playhead.pause();
      this.#crash = { name, message };
    });
    let unanswered = 0;
    handle.watch((count) => {
      unanswered = count;
      if (!isOnStage()) return;
      if (count > 0) this.#isAsking = true;
      // A consequence of the last answer may ask again before the next task begins.
      else setTimeout(() => (this.#isAsking = isOnStage() ? unanswered > 0 : this.#isAsking));
    });
  }
}

interface Made {
  readonly source: Source;
  readonly inputs: readonly Input[];
  readonly outcome: Outcome<RunHandle>;
}

/** The result: a run with what has to be known before it is shown. */
type Met =
  | {
      readonly kind: 'met';
      readonly handle: RunHandle;
      readonly source: Source;
      readonly inputs: readonly Input[];
      readonly glossary: Glossary;
      readonly speed: number;
      readonly told: Told;
    }
  | Exclude<Outcome<never>, { readonly kind: 'ok' }>;
