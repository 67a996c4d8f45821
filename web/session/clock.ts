/**
 * The app's one frame loop. While there is something to show it moves the playhead, asks the
 * core for the frame at its time (one question in flight) and hands the answer to the session;
 * otherwise it sleeps until woken. Nothing else polls.
 */
import type { Nanos } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import { Asker } from './asker.svelte.ts';
import type { Playhead } from './playhead.svelte.ts';
import type { Session } from './session.svelte.ts';

/** A packet that ended stays on the stage for this much film, so that its end is seen. */
const LINGER_SECONDS = 0.5;
/** The past of the CPUs that is shown, in film, and in how many steps. */
const PAST_SECONDS = 5;
const PAST_STEPS = 240;
/** A tab that was hidden did not play on: longer pauses between frames count as this. */
const LONGEST_STEP_MS = 100;

/** What is to be shown. */
interface Moment {
  readonly handle: RunHandle;
  readonly time: Nanos;
}

export class Clock {
  readonly #session: Session;
  readonly #playhead: Playhead;
  #request: number | undefined;
  #lastMs: number | undefined;
  readonly #frames = new Asker(
    (moment: Moment, signal) => this.#show(moment, signal),
    (a, b) => a.handle === b.handle && a.time === b.time,
  );
  #isStopped = false;

  constructor(session: Session, playhead: Playhead) {
    this.#session = session;
    this.#playhead = playhead;
  }

  /** Why the picture of a moment could not be made. */
  get failure(): string | undefined {
    return this.#frames.failure;
  }

  /** Something changed that may be to be shown: call it when time, run or play change. */
  wake(): void {
    if (this.#isStopped || this.#request !== undefined) return;
    this.#request = requestAnimationFrame((nowMs) => {
      this.#request = undefined;
      this.#beat(nowMs);
    });
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
  }

  #beat(nowMs: number): void {
    const elapsedMs = Math.min(nowMs - (this.#lastMs ?? nowMs), LONGEST_STEP_MS);
    const { isPlaying } = this.#playhead;
    this.#lastMs = isPlaying ? nowMs : undefined;
    if (isPlaying) this.#playhead.tick(elapsedMs);
    this.#ask();
    if (this.#playhead.isPlaying) this.wake();
  }

  #ask(): void {
    const { handle, shown } = this.#session;
    const { time } = this.#playhead;
    if (handle === undefined || shown?.time === time) return;
    this.#frames.want({ handle, time });
  }

  async #show({ handle, time }: Moment, signal: AbortSignal): Promise<void> {
    const { speed, filmMap } = this.#playhead;
    const linger = time - filmMap.timeAfter(-LINGER_SECONDS);
    const run = handle.until(signal);
    const [frame, past] = await Promise.all([
      run.frame(time, linger),
      // By the chosen speed: in event pacing the scale changes with every gap.
      run.lanes(Math.max(0, time - speed * PAST_SECONDS), time, PAST_STEPS),
    ]);
    if (this.#session.handle !== handle) return;
    this.#session.show({ time, frame, past, linger, filmTo: filmMap.filmTo });
    // The playhead may have moved while the core answered.
    if (time !== this.#playhead.time) this.wake();
  }
}
