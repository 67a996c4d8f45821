/**
 * The film's position in the run, and how it plays. Only its methods and `tick`, which only the clock
 * calls, move it; the session holds what is on screen.
 */
import type { Nanos, PacketId, Stretch } from '../core/core.ts';
import type { RunHandle, Step, StepKind } from '../core/run.ts';
import { advance, scaleAt, type Film, type Pacing } from './advance.ts';
import type { Piece, Told } from '../core/told.ts';
import { filmMapAt, toldMapAt, type FilmMap } from './film.ts';
import { hopOfFollowed } from './hops.ts';
import { Moments } from './moments.svelte.ts';
import type { Selection } from './selection.svelte.ts';
import {
  DEFAULT_PACE,
  DEFAULT_RATE,
  DEFAULT_SPEED,
  nextRung,
  PACES,
  RATES,
  SPEEDS,
} from './speed.ts';
import {
  actorAt,
  advanceTold,
  filmAt,
  filmLength,
  NOTHING_TOLD,
  pieceAt,
  scaleOf,
  timeAt,
} from './told.ts';

export class Playhead {
  readonly #selection: Selection;
  readonly #moments = new Moments();
  /** The step before the next one, which begins where it has come to. */
  #lastStep: Promise<unknown> = Promise.resolve();
  #run: RunHandle | undefined;
  #told = $state.raw<Told>(NOTHING_TOLD);
  #focus = $state<PacketId>();
  #time = $state(0);
  /** Second of told film, which distinguishes the moments of a dwell; the run's time does not. */
  #film = $state(0);
  #duration = $state(0);
  #isPlaying = $state(false);
  #begunAt = $state<number>();
  #isReversed = $state(false);
  #isCovered = $state(false);
  #speed = $state(DEFAULT_SPEED);
  #rate = $state(DEFAULT_RATE);
  #pace = $state(DEFAULT_PACE);
  #pacing = $state<Pacing>('told');
  #loop = $state.raw<Stretch>();
  #heldAt = $state<Nanos>();
  /** Film time so far, in ms; it never decreases. */
  #ranMs = $state(0);

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
  /** The second of told film at which it began to play last. */
  get begunAt(): number | undefined {
    return this.#begunAt;
  }
  /** Whether it plays and no window covers it. */
  get isRunning(): boolean {
    return this.#isPlaying && !this.#isCovered;
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
  /** Speed of told film, relative to its own speed. */
  get pace(): number {
    return this.#pace;
  }
  get loop(): Stretch | undefined {
    return this.#loop;
  }
  /** The time at which film and steps stop; `undefined`: the end of the run. */
  get heldAt(): Nanos | undefined {
    return this.#heldAt;
  }

  /** Whether the film is stopped at a question. */
  get isHeld(): boolean {
    return this.#heldAt !== undefined && this.#heldAt <= this.#time;
  }
  /** The run's told film. */
  get told(): Told {
    return this.#told;
  }
  /** The packet that the told film is about; `undefined`: a typical one. */
  get focus(): PacketId | undefined {
    return this.#focus;
  }
  /** The second of told film for this moment, in any pacing. */
  get film(): number {
    return this.#film;
  }
  /** The piece of told film on screen; `undefined` in the other pacings. */
  get piece(): Piece | undefined {
    return this.#pacing === 'told' ? pieceAt(this.#told.pieces, this.#film) : undefined;
  }
  /** The packet that told film follows here. */
  get actor(): PacketId | undefined {
    return actorAt(this.#told.actors, this.#film);
  }
  /** Nanoseconds of the run per second of film at this moment, in any pacing. */
  get scale(): number {
    const { piece } = this;
    return piece === undefined ? scaleAt(this.#time, this.#how()) : scaleOf(piece) * this.#pace;
  }
  /** The relation of film and run around this moment, in any pacing. */
  get filmMap(): FilmMap {
    return this.#pacing === 'told'
      ? toldMapAt(this.#film, this.#told.pieces, this.#pace)
      : filmMapAt(this.#time, this.#how());
  }
  /** What that relation depends on besides the moment and the told film; another one makes another picture. */
  get tempo(): string {
    if (this.#pacing === 'told') return `told ${this.#pace}`;
    if (this.#pacing === 'true') return `true ${this.#speed}`;
    const { times } = this.#moments;
    return `event ${this.#rate} ${this.#speed} ${times[0]} ${times.length}`;
  }

  /**
   * A counter that advances `aSecond` times per second of running film, at any pace; `undefined` while it
   * does not run.
   */
  beat(aSecond: number): number | undefined {
    return this.isRunning ? Math.floor((this.#ranMs * aSecond) / 1000) : undefined;
  }

  /** Loads another run: the film is paused at its opening. */
  load(run: RunHandle, speed: number, told: Told): void {
    this.pause();
    this.#run = run;
    this.#told = told;
    this.#focus = undefined;
    this.#moments.load(run);
    this.#duration = run.opened.duration;
    this.#loop = undefined;
    this.#heldAt = undefined;
    this.#isReversed = false;
    this.#speed = speed;
    this.#pace = DEFAULT_PACE;
    this.seekFilm(told.opensAt);
  }

  play(isReversed = false): void {
    if (this.#duration <= 0) return;
    this.#isReversed = isReversed;
    if (this.#loop === undefined) {
      if (!isReversed && this.#isAtEnd()) this.seekFilm(0);
      if (isReversed && this.#isAtStart()) this.seekFilm(filmLength(this.#told.pieces));
    }
    this.#begunAt = this.#film;
    this.#isPlaying = true;
  }

  pause(): void {
    this.#isPlaying = false;
  }

  /** Stops the film while a window covers it; it continues afterwards. */
  cover(isCovered: boolean): void {
    this.#isCovered = isCovered;
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.play(this.#isReversed && !this.#isAtStart());
  }

  /** Stops film and steps at a time, so that a question about what follows can be answered first. */
  hold(time: Nanos | undefined): void {
    this.#heldAt = time;
    if (time !== undefined && this.#time > time) this.seek(time);
  }

  seek(time: Nanos): void {
    if (Number.isFinite(time)) this.#goTo(Math.min(Math.max(time, 0), this.#duration));
  }

  /** Goes to a second of told film. */
  seekFilm(film: number): void {
    if (!Number.isFinite(film)) return;
    const { pieces } = this.#told;
    this.#film = Math.min(Math.max(film, 0), this.#lastFilm());
    this.#time = timeAt(pieces, this.#film);
  }

  /** Goes some seconds into the dwell at this time, if there is one. */
  dwell(seconds: number): void {
    const { pieces } = this.#told;
    const piece = pieceAt(pieces, filmAt(pieces, this.#time));
    if (piece?.kind === 'dwell') this.seekFilm(Math.min(piece.film + seconds, piece.filmEnd));
  }

  /** Loads the told film of a packet, or of a typical one; the time of the run is unchanged. */
  async tellOf(focus: PacketId | undefined): Promise<void> {
    const run = this.#run;
    const told = await run?.told(focus);
    if (told !== undefined && run === this.#run) this.takeTold(told, focus);
  }

  /**
   * Replaces the told film, made for a packet or a typical one; the time of the run is unchanged. What has passed of
   * a dwell has passed of the new film's dwell there, if it has one.
   */
  takeTold(told: Told, focus: PacketId | undefined): void {
    const dwelt = this.#film - filmAt(this.#told.pieces, this.#time);
    this.#told = told;
    this.#focus = focus;
    this.#goTo(this.#time);
    this.dwell(dwelt);
  }

  setSpeed(speed: number): void {
    if (speed > 0 && Number.isFinite(speed)) this.#speed = speed;
  }

  setRate(rate: number): void {
    if (rate > 0 && Number.isFinite(rate)) this.#rate = rate;
  }

  setPace(pace: number): void {
    if (pace > 0 && Number.isFinite(pace)) this.#pace = pace;
  }

  setPacing(pacing: Pacing): void {
    this.#pacing = pacing;
    if (pacing === 'event') this.#moments.need(this.#time);
  }

  /** Selects the next speed of the pacing's ladder. */
  faster(): void {
    this.#changeRung(true);
  }
  slower(): void {
    this.#changeRung(false);
  }

  /** Loops a range; `undefined`: plays the whole run again. */
  loopRange(range: Stretch | undefined): void {
    const isEmpty = range === undefined || range.to <= range.from;
    this.#loop = isEmpty
      ? undefined
      : { from: Math.max(range.from, 0), to: Math.min(range.to, this.#duration) };
  }

  /**
   * Steps to the next or previous moment of a kind; a packet or drop found there is selected. Each step begins
   * where the one before has come to. `moved` where the playhead went elsewhere before the answer came.
   */
  step(kind: StepKind, isForward: boolean): Promise<Step | 'moved' | undefined> {
    this.pause();
    const step = this.#lastStep.then(() => this.#step(kind, isForward));
    this.#lastStep = step.catch(() => undefined);
    return step;
  }

  async #step(kind: StepKind, isForward: boolean): Promise<Step | 'moved' | undefined> {
    const [run, time] = [this.#run, this.#time];
    const step = await this.stepFrom(kind, isForward);
    if (run !== this.#run || time !== this.#time) return 'moved';
    if (step === undefined) return undefined;
    this.seek(step.time);
    if (kind === 'packet' || kind === 'drop') {
      this.#selection.select(step.packet);
      await this.tellOf(step.packet);
      if (run === this.#run && this.#time === step.time) this.seekFilm(this.#filmOf(step));
    }
    return step;
  }

  /** Where told film tells of this step's packet at its time; a moment may have beats of several packets. */
  #filmOf({ packet, time }: Step): number {
    const { beats, pieces } = this.#told;
    const at = beats.time.findLastIndex(
      (beat, index) => Math.floor(beat) === Math.floor(time) && beats.packet[index] === packet,
    );
    return beats.film[at] ?? filmAt(pieces, time);
  }

  /** The target of a step; `undefined` if there is none, or an open question is about what follows. */
  async stepFrom(kind: StepKind, isForward: boolean): Promise<Step | undefined> {
    const step = await this.#nextOf(kind, isForward);
    return step === undefined || step.time > (this.#heldAt ?? Infinity) ? undefined : step;
  }

  async #nextOf(kind: StepKind, isForward: boolean): Promise<Step | undefined> {
    const run = this.#run;
    if (run === undefined || this.#duration <= 0) return undefined;
    const packet = kind === 'hop' ? this.#selection.packet : undefined;
    if (kind === 'hop' && packet === undefined && this.#pacing === 'told') {
      const hop = await hopOfFollowed(run, this.#told, this.#film, isForward);
      if (hop !== undefined) return hop;
    }
    return run.step(this.#time, kind, isForward, packet);
  }

  /** Advances by the film time that passed. Only the clock calls it. */
  tick(elapsedMs: number): void {
    if (!this.isRunning) return;
    this.#ranMs += elapsedMs;
    if (this.#pacing === 'event') this.#moments.need(this.#time);
    if (this.#pacing === 'told') {
      const seconds = ((this.#isReversed ? -1 : 1) * this.#pace * elapsedMs) / 1000;
      const { pieces } = this.#told;
      const { film, time, isOver } = advanceTold(this.#film, seconds, { pieces, loop: this.#loop });
      const isHeld = film > this.#lastFilm();
      if (isHeld) this.seekFilm(film);
      else [this.#film, this.#time] = [film, time];
      if (isOver || isHeld) this.pause();
      return;
    }
    const { time, isOver } = advance(this.#time, elapsedMs, this.#how());
    this.#goTo(time);
    if (isOver || this.#time < time) this.pause();
  }

  #goTo(time: Nanos): void {
    this.#time = Math.min(time, this.#heldAt ?? Infinity);
    this.#film = filmAt(this.#told.pieces, this.#time);
  }

  /** The last second of told film that may be shown. */
  #lastFilm(): number {
    const { pieces } = this.#told;
    return this.#heldAt === undefined ? filmLength(pieces) : filmAt(pieces, this.#heldAt);
  }

  #isAtStart(): boolean {
    return this.#pacing === 'told' ? this.#film <= 0 : this.#time <= 0;
  }

  #isAtEnd(): boolean {
    const isTold = this.#pacing === 'told';
    return isTold ? this.#film >= filmLength(this.#told.pieces) : this.#time >= this.#duration;
  }

  #how(): Film {
    return {
      pacing: this.#pacing === 'event' ? 'event' : 'true',
      speed: this.#speed,
      rate: this.#rate,
      isReversed: this.#isReversed,
      loop: this.#loop,
      duration: this.#duration,
      moments: this.#moments.times,
    };
  }

  #changeRung(isUp: boolean): void {
    if (this.#pacing === 'told') this.#pace = nextRung(PACES, this.#pace, isUp);
    else if (this.#pacing === 'true') this.#speed = nextRung(SPEEDS, this.#speed, isUp);
    else this.#rate = nextRung(RATES, this.#rate, isUp);
  }
}
