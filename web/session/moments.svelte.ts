/**
 * The times of the events around the playhead, which event pacing passes one by one. Asks the
 * core for a window of them when play nears the end of the one it has; one request at a time.
 */
import type { Nanos } from '../core/core.ts';
import { RunGone, type RunHandle } from '../core/run.ts';

const WINDOW = 512;
/** With fewer moments left than this in the direction of play, the next window is asked for. */
const MARGIN = 64;

const NONE_KNOWN = new Float64Array();

export class Moments {
  #run: RunHandle | undefined;
  #times = $state.raw<Float64Array>(NONE_KNOWN);
  #reachesStart = false;
  #reachesEnd = false;
  #isAsking = false;

  get times(): Float64Array {
    return this.#times;
  }

  /** Another run: what was known of the last one is wrong. */
  load(run: RunHandle): void {
    this.#run = run;
    this.#isAsking = false;
    this.#times = NONE_KNOWN;
  }

  /** Sees to it that the moments around a time are known, or will be. */
  need(time: Nanos, duration: Nanos): void {
    if (this.#run === undefined || this.#isAsking || this.#covers(time)) return;
    void this.#ask(this.#run, time, duration);
  }

  #covers(time: Nanos): boolean {
    const { length } = this.#times;
    if (length === 0) return false;
    const low = this.#times[this.#reachesStart ? 0 : Math.min(MARGIN, length - 1)] ?? 0;
    const high = this.#times[this.#reachesEnd ? length - 1 : Math.max(length - 1 - MARGIN, 0)] ?? 0;
    return (this.#reachesStart || low <= time) && (this.#reachesEnd || time <= high);
  }

  async #ask(run: RunHandle, time: Nanos, duration: Nanos): Promise<void> {
    this.#isAsking = true;
    try {
      const next = await run.step(time, 'event', true, undefined);
      const before = Math.max(0, (next?.event ?? Number.MAX_SAFE_INTEGER) - WINDOW / 2);
      const from = next === undefined ? await lastWindow(run) : before;
      const rows = await run.events(from, WINDOW);
      if (run !== this.#run) return;
      this.#reachesStart = from === 0;
      this.#reachesEnd = from + rows.time.length >= rows.total;
      this.#times = this.#withEnds(rows.time, duration);
    } catch (error) {
      if (!(error instanceof RunGone)) throw error;
    } finally {
      if (run === this.#run) this.#isAsking = false;
    }
  }

  /** The run's own start and end bound the first and the last gap; events at one time are one moment. */
  #withEnds(times: Float64Array, duration: Nanos): Float64Array {
    const all = [
      ...(this.#reachesStart ? [0] : []),
      ...times,
      ...(this.#reachesEnd ? [duration] : []),
    ];
    return Float64Array.from(all.filter((time, index) => index === 0 || all[index - 1] !== time));
  }
}

async function lastWindow(run: RunHandle): Promise<number> {
  const { total } = await run.events(0, 0);
  return Math.max(0, total - WINDOW);
}
