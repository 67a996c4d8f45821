/**
 * The state of an active lesson: its step, the answers, the tries. It changes the page only through its
 * door, and waits for the learner at every step. Independent of components.
 */
import { troubleOf } from '../words/trouble.ts';
import { plain, type Block } from './format/prose.ts';
import type { Ask, Lesson, Step } from './format/lesson.ts';
import type { ShownStep } from './format/shown-step.ts';
import { withHelp, type Help } from './format/variant.ts';
import type { Door } from './door.ts';
import { judge, valueOf, type Value } from './play/measure.ts';
import { filmOf, timeOf } from './play/moments.ts';
import { ringOf } from './play/rings.ts';
import { FILM_SECONDS, type LessonRun } from './play/run.ts';
import type { Settings } from './play/source.ts';
import { keepProgress, readProgress, SHOWN, type Store } from './progress.ts';
import type { ShelvedLesson } from './shelf.ts';

/** One run of a vary step: its settings and its result. */
export interface Try {
  readonly settings: Settings;
  readonly values: readonly Value[];
  readonly isMet: boolean;
}

/** `still`: no film; `playing`: under way or paused in it; `done`: the film has ended. */
export type Motion = 'still' | 'playing' | 'done';

/** So many steps ahead a simulation is begun. */
const AHEAD = 2;

export class LessonSession {
  readonly #door: Door;
  readonly #store: Store;
  #shelved = $state.raw<ShelvedLesson>();
  #help = $state<Help>('asked');
  #index = $state(0);
  #answers = $state.raw<Readonly<Record<string, number>>>({});
  #isDone = false;
  #isOver = $state(false);
  #tries = $state.raw<readonly Try[]>([]);
  #hintsShown = $state(0);
  #motion = $state<Motion>('still');
  /**
   * `step` while the next step's stage is prepared, when the previous text and stage stay; `try` while a
   * try runs.
   */
  #underWay = $state<'step' | 'try'>();
  #trouble = $state.raw<string>();
  #run = $state.raw<LessonRun>();
  #runName: string | undefined;
  #until: number | undefined;
  /** Counts arrivals at steps; work begun for an earlier one is discarded. */
  #turn = 0;

  constructor(door: Door, store: Store) {
    this.#door = door;
    this.#store = store;
  }

  readonly #lesson = $derived(this.#shelved && withHelp(this.#shelved.lesson, this.#help));

  get lesson(): Lesson | undefined {
    return this.#lesson;
  }
  /** The values that the lesson's bars and tables show. */
  get values(): ShelvedLesson['values'] {
    return this.#shelved?.values ?? {};
  }
  get help(): Help {
    return this.#help;
  }
  get index(): number {
    return this.#index;
  }
  get step(): Step | undefined {
    return this.lesson?.steps[this.#index];
  }
  get motion(): Motion {
    return this.#motion;
  }
  /** Whether a run is being opened or simulated. */
  get isBusy(): boolean {
    return this.#underWay !== undefined;
  }
  /** Whether the next step is being prepared: its run is being opened. */
  get isComing(): boolean {
    return this.#underWay === 'step';
  }
  /** Why the step cannot be shown. */
  get trouble(): string | undefined {
    return this.#trouble;
  }
  get tries(): readonly Try[] {
    return this.#tries;
  }
  get hints(): readonly (readonly Block[])[] {
    return this.step?.hints.slice(0, this.#hintsShown) ?? [];
  }
  get hasMoreHints(): boolean {
    return this.#hintsShown < (this.step?.hints.length ?? 0);
  }
  /** The run that the step shows, once it is open. */
  get run(): LessonRun | undefined {
    return this.#run;
  }

  /** What is read of the lesson now, as other windows are told it. */
  get shown(): ShownStep | undefined {
    const { lesson } = this;
    if (lesson === undefined) return undefined;
    return {
      ...{ lesson: lesson.id, index: this.#index, help: this.#help },
      answers: { ...this.#answers },
      tries: this.#tries.map(({ settings, values, isMet }) => ({
        ...{ settings: { ...settings }, values: [...values], isMet },
      })),
      isOver: this.#isOver,
    };
  }

  /** The answer: the index of the option, `SHOWN`, or `undefined` if there is none yet. */
  answerOf(ask: string): number | undefined {
    return this.#answers[ask];
  }

  /** Whether a question is still without an answer. */
  isOpen(ask: Ask): boolean {
    return this.#answers[ask.id] === undefined && !ask.isGiven;
  }

  /** Whether an open question of this step holds the lesson until it is answered. */
  get isLocked(): boolean {
    const ask = this.step?.ask;
    return ask !== undefined && ask.isLocked && this.#answers[ask.id] === undefined;
  }

  isFinished(lesson: string): boolean {
    return readProgress(this.#store, lesson).isDone;
  }
  /** The step at which a lesson was left; 0 if it was not begun. */
  leftAt(lesson: string): number {
    return readProgress(this.#store, lesson).step;
  }

  /** Begins or continues a lesson; with `isLink` nothing plays until it is requested. */
  async begin(
    shelved: ShelvedLesson,
    index: number | undefined,
    help: Help,
    isLink = false,
  ): Promise<void> {
    const lesson = withHelp(shelved.lesson, help);
    const { step, answers, isDone } = readProgress(this.#store, lesson.id);
    this.#runName = undefined;
    const first = Math.min(index ?? step, lesson.steps.length - 1);
    await this.#go(lesson, first, isLink, () => {
      this.#shelved = shelved;
      this.#help = help;
      this.#answers = answers;
      this.#isDone = isDone;
    });
  }

  /** Restarts from the first step, without answers. */
  async again(help: Help): Promise<void> {
    if (this.#shelved === undefined) return;
    await this.#go(withHelp(this.#shelved.lesson, help), 0, false, () => {
      this.#answers = {};
      this.#help = help;
    });
  }

  async next(): Promise<void> {
    if (this.lesson === undefined || this.isLocked || this.isComing) return;
    if (this.#index + 1 < this.lesson.steps.length) await this.goTo(this.#index + 1);
    else this.#finish();
  }

  /** One press of a clicker: to where the open question is asked, then to its answer, then to the next step. */
  async advance(): Promise<void> {
    const ask = this.step?.ask;
    if (this.isComing) return;
    if (ask === undefined || !this.isOpen(ask)) await this.next();
    else if (this.#motion === 'playing') this.#endFilm();
    else this.answer(ask, SHOWN);
  }

  async back(): Promise<void> {
    if (this.#index > 0 && !this.isComing) await this.goTo(this.#index - 1);
  }

  #finish(): void {
    this.#isDone = true;
    this.#isOver = true;
    this.#keep();
  }
  /** Whether its last step was left for the end; it begins anew with any step that is gone to. */
  get isOver(): boolean {
    return this.#isOver;
  }
  get isLast(): boolean {
    return this.#index + 1 === this.lesson?.steps.length;
  }

  /** Ends the lesson; the run stays on the stage. */
  leave(): void {
    this.#turn += 1;
    this.#shelved = undefined;
    this.#run = undefined;
    this.#runName = undefined;
    this.#until = undefined;
    this.#motion = 'still';
    this.#underWay = undefined;
    this.#door.prepare(undefined);
    this.#door.hold(undefined);
    this.#door.name(undefined);
  }

  answer(ask: Ask, option: number): void {
    this.#answers = { ...this.#answers, [ask.id]: option };
    if (!this.isLocked) this.#door.hold(undefined);
    this.#keep();
  }

  hint(): void {
    this.#hintsShown += 1;
  }

  /** The published numbers. */
  entries(): ReturnType<Door['entries']> {
    return this.#door.entries();
  }

  /** Goes to a step: opens its run if it is another one, shows its moment, and plays its film. */
  async goTo(index: number): Promise<void> {
    if (this.lesson !== undefined) await this.#go(this.lesson, index, false, () => undefined);
  }

  /**
   * Text and stage change together (L5), when both are ready: until then the previous step stays.
   *
   * @param enter sets the state of the new step, together with the text
   */
  async #go(lesson: Lesson, index: number, isLink: boolean, enter: () => void): Promise<void> {
    const step = lesson.steps[index];
    if (step === undefined) return;
    const turn = (this.#turn += 1);
    const begin = () => {
      enter();
      this.#index = index;
      this.#underWay = undefined;
      this.#hintsShown = 0;
      this.#tries = [];
      this.#motion = 'still';
      this.#until = undefined;
      this.#trouble = undefined;
      this.#isOver = false;
      this.#keep();
      this.#door.name(`${lesson.id}.${index + 1}`);
    };
    this.#underWay = 'step';
    try {
      const run = await this.#open(lesson, step.scene.run);
      if (turn === this.#turn && run !== undefined)
        await this.#arrive(run, step, turn, isLink, begin);
      if (turn === this.#turn && run !== undefined) this.#prepare(lesson);
    } catch (error) {
      if (turn !== this.#turn) return;
      begin();
      this.#door.hold(undefined);
      this.#trouble = troubleOf(error);
    } finally {
      if (turn === this.#turn) this.#underWay = undefined;
    }
  }

  /**
   * Plays the step's film from its beginning; if its run is no longer on the stage, the step is entered
   * again.
   */
  async replay(): Promise<void> {
    const { step } = this;
    const run = this.#run;
    // A run that is on its way takes the stage from it.
    if (step === undefined || run === undefined || this.isBusy) return;
    if (!this.#door.isOnStage(run)) await this.goTo(this.#index);
    else await this.#arrive(run, step, (this.#turn += 1), false, () => undefined);
  }

  /** The playhead has moved. Called only by the effect that observes it. */
  heard(time: number): void {
    if (this.#motion === 'playing' && this.#until !== undefined && time >= this.#until)
      this.#endFilm();
  }

  #endFilm(): void {
    this.#door.pause();
    if (this.#until !== undefined) this.#door.seek(this.#until);
    this.#motion = 'done';
  }

  /** Runs a vary step with these settings, and judges the result. */
  async tryOut(settings: Settings): Promise<void> {
    const vary = this.step?.vary;
    const source = vary && this.lesson?.runs[vary.run];
    if (vary === undefined || source === undefined || this.isBusy) return;
    const turn = (this.#turn += 1);
    this.#underWay = 'try';
    this.#trouble = undefined;
    try {
      const run = await this.#door.open(source, settings);
      // The next step needs the run with the lesson's own settings.
      this.#runName = undefined;
      if (run === undefined || turn !== this.#turn) return;
      this.#run = run;
      const runs = () => Promise.resolve(run);
      const { isSo } = await judge(runs, vary.goal);
      const values: Value[] = [];
      for (const term of vary.show) values.push(await valueOf(runs, term));
      if (turn === this.#turn) this.#tries = [...this.#tries, { settings, values, isMet: isSo }];
    } catch (error) {
      if (turn === this.#turn) this.#trouble = troubleOf(error);
    } finally {
      if (turn === this.#turn) this.#underWay = undefined;
    }
  }

  async #open(lesson: Lesson, name: string): Promise<LessonRun | undefined> {
    const run = this.#run;
    if (this.#runName === name && run !== undefined && this.#door.isOnStage(run)) return run;
    const source = lesson.runs[name];
    if (source === undefined) throw new Error(`This lesson has no run “${name}”.`);
    const opened = await this.#door.open(source);
    if (opened === undefined) return undefined;
    this.#run = opened;
    this.#runName = name;
    return opened;
  }

  /** A simulation that one of the next steps shows is made while this one is read. */
  #prepare({ runs, steps }: Lesson): void {
    const shown = this.step?.scene.run;
    const next = steps
      .slice(this.#index + 1, this.#index + 1 + AHEAD)
      .map(({ scene }) => scene.run)
      .find((run) => run !== shown && runs[run] !== undefined && 'scenario' in runs[run]);
    this.#door.prepare(next === undefined ? undefined : runs[next]);
  }

  async #arrive(
    run: LessonRun,
    step: Step,
    turn: number,
    isLink: boolean,
    begin: () => void,
  ): Promise<void> {
    const { at, view, follow } = step.scene;
    const until = step.play?.until;
    const [time, [packet, told], end, ringed] = await Promise.all([
      timeOf(run, at),
      filmOf(run, follow),
      until && timeOf(run, until),
      Promise.all(step.targets.map((target) => ringOf(run, target))),
    ]);
    if (turn !== this.#turn) return;
    // No await from here on: text, stage and film begin in one task.
    begin();
    this.#door.hold(undefined);
    this.#door.show({ time, view, follow: packet, told, ringed: ringed.flat() });
    // What the question asks about happens after the time at which it is asked.
    if (this.isLocked) this.#door.hold(step.play === undefined ? time : end);
    if (step.play === undefined) return;
    this.#until = end ?? run.opened.duration;
    this.#motion = 'playing';
    if (!isLink) this.#door.play(this.#until, step.play.for ?? FILM_SECONDS, step.play.least ?? 0);
  }

  #keep(): void {
    const { lesson } = this;
    if (lesson === undefined) return;
    keepProgress(this.#store, lesson.id, {
      step: this.#index,
      answers: this.#answers,
      isDone: this.#isDone,
    });
  }
}

/** An option in one line, for the sentence about the prediction. */
export function optionText(ask: Ask, option: number): string {
  return plain(ask.options[option]?.text ?? []);
}
