/**
 * The app's only animation loop. While the view changes it moves the playhead, asks the core for the frame
 * at its time (one request in flight) and hands the answer to the session; otherwise it sleeps until woken.
 * No other code polls.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import type { Told } from '../core/told.ts';
import { Asker } from './asker.svelte.ts';
import type { FilmMap } from './film.ts';
import { momentAt, pictureOf } from './picture.ts';
import type { Playhead } from './playhead.svelte.ts';
import type { Session } from './session.svelte.ts';

/** Longest step in ms: a longer pause between frames, as in a hidden tab, counts as this. */
const LONGEST_STEP_MS = 100;

/** What a frame is requested for. */
interface Moment {
  readonly handle: RunHandle;
  readonly time: Nanos;
  readonly film: number;
  readonly map: FilmMap;
  readonly tempo: string;
  readonly told: Told;
  readonly focus: PacketId | undefined;
}

function isSame(a: Moment, b: Moment): boolean {
  const isAtSame = a.handle === b.handle && a.time === b.time && a.film === b.film;
  return isAtSame && a.told === b.told && a.tempo === b.tempo;
}

/** An animation in wall-clock time. */
interface Glide {
  readonly lengthMs: number;
  readonly onShare: (share: number) => void;
  readonly sinceMs: number | undefined;
}

export class Clock {
  readonly #session: Session;
  readonly #playhead: Playhead;
  #request: number | undefined;
  #lastMs: number | undefined;
  readonly #frames = new Asker((moment: Moment, signal) => this.#show(moment, signal), isSame);
  #glide: Glide | undefined;
  readonly #tasks: (() => void)[] = [];
  #isStopped = false;

  constructor(session: Session, playhead: Playhead) {
    this.#session = session;
    this.#playhead = playhead;
  }

  /** Why the frame could not be made. */
  get failure(): string | undefined {
    return this.#frames.failure;
  }

  /** Wakes the loop: call it when time, run or play state change. */
  wake(): void {
    if (this.#isStopped || this.#request !== undefined) return;
    this.#request = requestAnimationFrame((nowMs) => {
      this.#request = undefined;
      this.#beat(nowMs);
    });
  }

  /** Runs a task at the next animation frame, before the core is asked. */
  atNextFrame(task: () => void): void {
    this.#tasks.push(task);
    this.wake();
  }

  /**
   * Tells with each frame what share of a stretch of wall time is over, the last time 1. Another
   * one takes its place.
   */
  glide(lengthMs: number, onShare: (share: number) => void): void {
    this.#glide = { lengthMs, onShare, sinceMs: undefined };
    this.wake();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
  }

  #beat(nowMs: number): void {
    const elapsedMs = Math.min(nowMs - (this.#lastMs ?? nowMs), LONGEST_STEP_MS);
    const { isRunning } = this.#playhead;
    this.#lastMs = isRunning ? nowMs : undefined;
    if (isRunning) this.#playhead.tick(elapsedMs);
    for (const task of this.#tasks.splice(0)) task();
    this.#ask();
    this.#step(nowMs);
    if (this.#playhead.isRunning || this.#glide !== undefined) this.wake();
  }

  #step(nowMs: number): void {
    if (this.#glide === undefined) return;
    const { lengthMs, onShare, sinceMs = nowMs } = this.#glide;
    const share = Math.min(1, (nowMs - sinceMs) / lengthMs);
    this.#glide = share < 1 ? { lengthMs, onShare, sinceMs } : undefined;
    onShare(share);
  }

  #ask(): void {
    const { handle } = this.#session;
    const { time, film, filmMap: map, tempo, told, focus } = this.#playhead;
    if (handle === undefined || !this.#session.isToDraw) return;
    this.#frames.want({ handle, time, film, map, tempo, told, focus });
  }

  async #show(moment: Moment, signal: AbortSignal): Promise<void> {
    const { handle, time, film, map, tempo, told, focus } = moment;
    const picture = await pictureOf(
      ...([handle.until(signal), handle.opened, momentAt(time, map)] as const),
      this.#session.shown?.frame,
    );
    if (this.#session.handle !== handle) return;
    this.#session.show({ ...picture, film, map, tempo, told, focus });
    // The playhead may have moved while the core answered.
    if (this.#session.isToDraw) this.wake();
  }
}
