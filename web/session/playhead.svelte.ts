/**
 * Where in the run the film is and how it plays. It moves by its verbs and by `tick`, which
 * only the clock calls; what is to be seen at its time is the session's.
 */
import type { Nanos } from '../core/core.ts';
import type { RunHandle, Step, StepKind } from '../core/run.ts';
import { advance, scaleAt, type Film, type Pacing, type Stretch } from './advance.ts';
import { filmMapAt, type FilmMap } from './film.ts';
import { Moments } from './moments.svelte.ts';
import type { Selection } from './selection.svelte.ts';
import { DEFAULT_RATE, DEFAULT_SPEED, nextRung, RATES, SPEEDS } from './speed.ts';

export class Playhead {
  readonly #selection: Selection;
  readonly #moments = new Moments();
  #run: RunHandle | undefined;
  #time = $state(0);
  #duration = $state(0);
  #isPlaying = $state(false);
  #isReversed = $state(false);
  #speed = $state(DEFAULT_SPEED);
  #rate = $state(DEFAULT_RATE);
  #pacing = $state<Pacing>('true');
  #loop = $state.raw<Stretch>();

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  get time(): Nanos {
    return this.#time;
  }
  get duration(): Nanos {
    return this.#duration;
  }
  get isPlaying(): boolean {
    return this.#isPlaying;
  }
  get isReversed(): boolean {
    return this.#isReversed;
  }
  /** Nanoseconds of the run for each second of film, in true-time pacing. */
  get speed(): number {
    return this.#speed;
  }
  /** Events for each second of film, in event pacing. */
  get rate(): number {
    return this.#rate;
  }
  get pacing(): Pacing {
    return this.#pacing;
  }
  get loop(): Stretch | undefined {
    return this.#loop;
  }
  /** Nanoseconds of the run for a second of film at this moment, whatever the pacing. */
  get scale(): number {
    return scaleAt(this.#time, this.#film());
  }
  /** Film and run around this moment, whatever the pacing. */
  get filmMap(): FilmMap {
    return filmMapAt(this.#time, this.#film());
  }

  /** A run was opened: begins at its start, paused. */
  load(run: RunHandle, speed: number): void {
    this.pause();
    this.#run = run;
    this.#moments.load(run);
    this.#duration = run.opened.duration;
    this.#time = 0;
    this.#loop = undefined;
    this.#isReversed = false;
    this.#speed = speed;
  }

  play(isReversed = false): void {
    if (this.#duration <= 0) return;
    this.#isReversed = isReversed;
    if (this.#loop === undefined) {
      if (!isReversed && this.#time >= this.#duration) this.#time = 0;
      if (isReversed && this.#time <= 0) this.#time = this.#duration;
    }
    this.#isPlaying = true;
  }

  pause(): void {
    this.#isPlaying = false;
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.play(this.#isReversed && this.#time > 0);
  }

  seek(time: Nanos): void {
    if (Number.isFinite(time)) this.#time = Math.min(Math.max(time, 0), this.#duration);
  }

  setSpeed(speed: number): void {
    if (speed > 0 && Number.isFinite(speed)) this.#speed = speed;
  }

  setRate(rate: number): void {
    if (rate > 0 && Number.isFinite(rate)) this.#rate = rate;
  }

  setPacing(pacing: Pacing): void {
    this.#pacing = pacing;
    if (pacing === 'event') this.#moments.need(this.#time);
  }

  /** The next rung of the ladder that the pacing goes by. */
  faster(): void {
    this.#changeRung(true);
  }
  slower(): void {
    this.#changeRung(false);
  }

  /** Plays only this range, over and over; nothing: the whole run again. */
  loopRange(range: Stretch | undefined): void {
    const isEmpty = range === undefined || range.to <= range.from;
    this.#loop = isEmpty
      ? undefined
      : { from: Math.max(range.from, 0), to: Math.min(range.to, this.#duration) };
  }

  /** Goes to the next or previous moment of a kind; a packet or drop met on the way is selected. */
  async step(kind: StepKind, isForward: boolean): Promise<Step | undefined> {
    this.pause();
    const run = this.#run;
    if (run === undefined || this.#duration <= 0) return undefined;
    const packet = kind === 'hop' ? this.#selection.packet : undefined;
    const step = await run.step(this.#time, kind, isForward, packet);
    // A step of a run that has left the stage leads nowhere.
    if (step === undefined || run !== this.#run) return undefined;
    this.seek(step.time);
    if (kind === 'packet' || kind === 'drop') this.#selection.select(step.packet);
    return step;
  }

  /** Film has run. Called by the clock and by nothing else. */
  tick(elapsedMs: number): void {
    if (!this.#isPlaying) return;
    if (this.#pacing === 'event') this.#moments.need(this.#time);
    const { time, isOver } = advance(this.#time, elapsedMs, this.#film());
    this.#time = time;
    if (isOver) this.pause();
  }

  #film(): Film {
    return {
      pacing: this.#pacing,
      speed: this.#speed,
      rate: this.#rate,
      isReversed: this.#isReversed,
      loop: this.#loop,
      duration: this.#duration,
      moments: this.#moments.times,
    };
  }

  #changeRung(isUp: boolean): void {
    if (this.#pacing === 'true') this.#speed = nextRung(SPEEDS, this.#speed, isUp);
    else this.#rate = nextRung(RATES, this.#rate, isUp);
  }
}
