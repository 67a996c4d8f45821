/**
 * Where in the run the film is and how it plays. It moves by its verbs and by `tick`, which
 * only the clock calls; what is to be seen at its time is the session's.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { RunHandle, Step, StepKind } from '../core/run.ts';
import { advance, scaleAt, type Film, type Pacing, type Stretch } from './advance.ts';
import type { Piece, Told } from '../core/told.ts';
import { filmMapAt, toldMapAt, type FilmMap } from './film.ts';
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
  #run: RunHandle | undefined;
  #told = $state.raw<Told>(NOTHING_TOLD);
  #focus = $state<PacketId>();
  #time = $state(0);
  /** Seconds of told film; they tell one moment of a dwell from another, which the time does not. */
  #film = $state(0);
  #duration = $state(0);
  #isPlaying = $state(false);
  #isReversed = $state(false);
  #isCovered = $state(false);
  #speed = $state(DEFAULT_SPEED);
  #rate = $state(DEFAULT_RATE);
  #pace = $state(DEFAULT_PACE);
  #pacing = $state<Pacing>('told');
  #loop = $state.raw<Stretch>();
  #heldAt = $state<Nanos>();
  /** Milliseconds; it only grows. */
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
  /** It plays, and nothing covers it. */
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
  /** How fast told film runs: 1 is as it is told. */
  get pace(): number {
    return this.#pace;
  }
  get loop(): Stretch | undefined {
    return this.#loop;
  }
  /** Film and steps go no further than this time; nothing: to the end of the run. */
  get heldAt(): Nanos | undefined {
    return this.#heldAt;
  }

  /** Whether the film stands where a question holds it. */
  get isHeld(): boolean {
    return this.#heldAt !== undefined && this.#heldAt <= this.#time;
  }
  /** The run as told film. */
  get told(): Told {
    return this.#told;
  }
  /** The packet that the film was asked for; nothing: a typical one. */
  get focus(): PacketId | undefined {
    return this.#focus;
  }
  /** Seconds of told film at which this moment is, whatever the pacing. */
  get film(): number {
    return this.#film;
  }
  /** The piece of told film that is on screen; nothing in the other pacings. */
  get piece(): Piece | undefined {
    return this.#pacing === 'told' ? pieceAt(this.#told.pieces, this.#film) : undefined;
  }
  /** The packet that told film follows here. */
  get actor(): PacketId | undefined {
    return actorAt(this.#told.actors, this.#film);
  }
  /** Nanoseconds of the run for a second of film at this moment, whatever the pacing. */
  get scale(): number {
    const { piece } = this;
    return piece === undefined ? scaleAt(this.#time, this.#how()) : scaleOf(piece) * this.#pace;
  }
  /** Film and run around this moment, whatever the pacing. */
  get filmMap(): FilmMap {
    return this.#pacing === 'told'
      ? toldMapAt(this.#film, this.#told.pieces, this.#pace)
      : filmMapAt(this.#time, this.#how());
  }

  /** Counts on so many times for each second that film runs, at whatever pace; nothing while it stands still. */
  beat(aSecond: number): number | undefined {
    return this.isRunning ? Math.floor((this.#ranMs * aSecond) / 1000) : undefined;
  }

  /** A run was opened: stands where its film opens, paused. */
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
    this.#isPlaying = true;
  }

  pause(): void {
    this.#isPlaying = false;
  }

  /** While a window covers it, film stands still; it goes on as it went once that has gone. */
  cover(isCovered: boolean): void {
    this.#isCovered = isCovered;
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.play(this.#isReversed && !this.#isAtStart());
  }

  /** From now on nothing shows what comes after this time: a question about it waits for its answer. */
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

  /** Some seconds into the dwell at this time, as far as there is one. */
  dwell(seconds: number): void {
    const { pieces } = this.#told;
    const piece = pieceAt(pieces, filmAt(pieces, this.#time));
    if (piece?.kind === 'dwell') this.seekFilm(Math.min(piece.film + seconds, piece.filmEnd));
  }

  /** Tells the run from a packet's journey, or from a typical one; the moment stays. */
  async tellOf(focus: PacketId | undefined): Promise<void> {
    const run = this.#run;
    const told = await run?.told(focus);
    if (told !== undefined && run === this.#run) this.takeTold(told, focus);
  }

  /** Shows this film of the run, which is told from a packet's journey or a typical one; the moment stays. */
  takeTold(told: Told, focus: PacketId | undefined): void {
    const dwelt = this.#film - filmAt(this.#told.pieces, this.#time);
    this.#told = told;
    this.#focus = focus;
    this.seekFilm(filmAt(told.pieces, this.#time) + dwelt);
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
    const step = await this.stepFrom(kind, isForward);
    // A step of a run that has left the stage leads nowhere.
    if (step === undefined || run !== this.#run) return undefined;
    this.seek(step.time);
    if (kind === 'packet' || kind === 'drop') this.#selection.select(step.packet);
    return step;
  }

  /** Where a step would lead; nothing where there is none. */
  async stepFrom(kind: StepKind, isForward: boolean): Promise<Step | undefined> {
    const run = this.#run;
    if (run === undefined || this.#duration <= 0) return undefined;
    const packet = kind === 'hop' ? this.#selection.packet : undefined;
    return run.step(this.#time, kind, isForward, packet);
  }

  /** Film has run. Called by the clock and by nothing else. */
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

  /** The last second of film that may be shown. */
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
