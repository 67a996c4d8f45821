/**
 * The times of the events around the playhead, for event pacing. Requests another window of them from the
 * core when play nears the end of the current one; one request at a time.
 */
import type { Nanos } from '../core/core.ts';
import type { RunHandle, RunQuestions } from '../core/run.ts';
import { Asker } from './asker.svelte.ts';

const WINDOW = 512;
/** With fewer remaining moments in the direction of play, the next window is requested. */
const MARGIN = 64;

const NONE_KNOWN = new Float64Array();

interface Window {
  readonly times: Float64Array;
  readonly reachesStart: boolean;
  readonly reachesEnd: boolean;
}

export class Moments {
  #run: RunHandle | undefined;
  readonly #window = new Asker(async (time: Nanos, signal) => {
    const run = this.#run;
    return run && windowAround(run.until(signal), time, run.opened.duration);
  });

  get times(): Float64Array {
    return this.#window.answer?.times ?? NONE_KNOWN;
  }

  /** Another run: discards the moments of the last one. */
  load(run: RunHandle): void {
    this.#run = run;
    this.#window.want(undefined);
  }

  /** Ensures that the moments around a time are known or requested. */
  need(time: Nanos): void {
    if (this.#window.isAsking || this.#covers(time)) return;
    this.#window.want(time);
  }

  #covers(time: Nanos): boolean {
    if (this.#window.answer === undefined) return false;
    const { times, reachesStart, reachesEnd } = this.#window.answer;
    const { length } = times;
    const low = times[reachesStart ? 0 : Math.min(MARGIN, length - 1)] ?? 0;
    const high = times[reachesEnd ? length - 1 : Math.max(length - 1 - MARGIN, 0)] ?? 0;
    return (reachesStart || low <= time) && (reachesEnd || time <= high);
  }
}

async function windowAround(run: RunQuestions, time: Nanos, duration: Nanos): Promise<Window> {
  const next = await run.step(time, 'event', true, undefined);
  const before = Math.max(0, (next?.event ?? Number.MAX_SAFE_INTEGER) - WINDOW / 2);
  const from = next === undefined ? await lastWindow(run) : before;
  const rows = await run.events(from, WINDOW);
  const reachesStart = from === 0;
  const reachesEnd = from + rows.time.length >= rows.total;
  // The first and the last gap end at the run's start and end; simultaneous events are one moment.
  const all = [...(reachesStart ? [0] : []), ...rows.time, ...(reachesEnd ? [duration] : [])];
  const times = Float64Array.from(all.filter((at, index) => index === 0 || all[index - 1] !== at));
  return { times, reachesStart, reachesEnd };
}

async function lastWindow(run: RunQuestions): Promise<number> {
  const { total } = await run.events(0, 0);
  return Math.max(0, total - WINDOW);
}
