/**
 * Which event the playhead has come to: asked of the core, one question at a time, the newest
 * time last, so that play does not pile questions up.
 */
import type { Nanos } from '../core/core.ts';
import type { RunQuestions } from '../core/run.ts';

export class EventsNow {
  #event = $state(-1);
  #isAsking = false;
  #wanted: Nanos | undefined;

  /** The last event at or before the playhead; -1 before the first. */
  get event(): number {
    return this.#event;
  }

  follow(handle: RunQuestions, time: Nanos, events: number): void {
    this.#wanted = time;
    if (!this.#isAsking) void this.#ask(handle, events);
  }

  async #ask(handle: RunQuestions, events: number): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#wanted !== undefined) {
        const time = this.#wanted;
        this.#wanted = undefined;
        const next = await handle.step(time, 'event', true, undefined);
        this.#event = (next?.event ?? events) - 1;
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
