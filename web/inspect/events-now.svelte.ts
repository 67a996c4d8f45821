/**
 * Which event the playhead has come to: asked of the core, one question at a time, the newest
 * time last, so that play does not pile questions up.
 */
import type { Core, Nanos } from '../core/core.ts';

export class EventsNow {
  #event = $state(-1);
  #isAsking = false;
  #wanted: Nanos | undefined;

  /** The last event at or before the playhead; -1 before the first. */
  get event(): number {
    return this.#event;
  }

  follow(core: Core, time: Nanos, events: number): void {
    this.#wanted = time;
    if (!this.#isAsking) void this.#ask(core, events);
  }

  async #ask(core: Core, events: number): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#wanted !== undefined) {
        const time = this.#wanted;
        this.#wanted = undefined;
        const next = await core.step(time, 'event', true, undefined);
        this.#event = (next?.event ?? events) - 1;
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
