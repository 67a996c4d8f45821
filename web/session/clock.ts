/**
 * The app's one frame loop. While there is something to show it moves the playhead, asks the
 * core for the frame at its time (one question in flight) and hands the answer to the session;
 * otherwise it sleeps until woken. Nothing else polls.
 */
import { RunGone } from '../core/run.ts';
import type { Playhead } from './playhead.svelte.ts';
import type { Session } from './session.svelte.ts';

/** A packet that ended stays on the stage for this much film, so that its end is seen. */
const LINGER_SECONDS = 0.5;
/** The past of the CPUs that is shown, in film, and in how many steps. */
const PAST_SECONDS = 5;
const PAST_STEPS = 240;
/** A tab that was hidden did not play on: longer pauses between frames count as this. */
const LONGEST_STEP_MS = 100;

export class Clock {
  readonly #session: Session;
  readonly #playhead: Playhead;
  #request: number | undefined;
  #lastMs: number | undefined;
  #isAsking = false;
  #isStopped = false;

  constructor(session: Session, playhead: Playhead) {
    this.#session = session;
    this.#playhead = playhead;
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
    void this.#ask();
    if (this.#playhead.isPlaying) this.wake();
  }

  async #ask(): Promise<void> {
    const { handle, shown } = this.#session;
    const { time, speed, filmMap } = this.#playhead;
    if (handle === undefined || this.#isAsking || shown?.time === time) return;
    this.#isAsking = true;
    const linger = time - filmMap.timeAfter(-LINGER_SECONDS);
    try {
      const [frame, past] = await Promise.all([
        handle.frame(time, linger),
        // By the chosen speed: in event pacing the scale changes with every gap.
        handle.lanes(Math.max(0, time - speed * PAST_SECONDS), time, PAST_STEPS),
      ]);
      if (this.#session.handle === handle) {
        this.#session.show({ time, frame, past, linger, filmTo: filmMap.filmTo });
      }
    } catch (error) {
      // The run has left the stage, or the session tells that its worker broke down.
      if (!(error instanceof RunGone)) throw error;
    } finally {
      this.#isAsking = false;
    }
    // The playhead may have moved while the core answered.
    if (this.#session.shown?.time !== this.#playhead.time) this.wake();
  }
}
