/**
 * A line to one worker. Every question settles: with its answer, or with `RunGone`
 * when the worker breaks down or the line is closed. A worker answers in order, so
 * less urgent questions are held back here. Does not know what is asked.
 */
import { RunGone } from './run.ts';
import { errorOf, isTrap, troubleIn } from './trouble.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** One worker and how to speak to it. */
export interface Seat {
  readonly calls: WorkerCalls;
  /** Resolves with the reason if the worker breaks down (out of memory, a failed start). */
  readonly broken: Promise<string>;
  end(): void;
}

/**
 * Priority of a question. `now` is sent at once. Of the others one is in flight at a
 * time, `soon` before `later`, so a question of `now` waits for at most one of them.
 */
export type Urgency = 'now' | 'soon' | 'later';

interface Waiting {
  readonly urgency: Urgency;
  readonly send: () => void;
}

export class Line {
  /** Resolves with the reason if the worker breaks down. It never does once the line was closed. */
  readonly broken: Promise<string>;
  readonly #seat: Seat;
  /** How to refuse each question that has no answer yet, sent or not. */
  readonly #pending = new Set<(error: Error) => void>();
  #waiting: readonly Waiting[] = [];
  /** A question that was held back is under way. */
  #isBusy = false;
  #gone: RunGone | undefined;
  #tellBroken: (reason: string) => void = () => undefined;
  #tellPending: (count: number) => void = () => undefined;

  constructor(seat: Seat) {
    this.#seat = seat;
    this.broken = new Promise((resolve) => (this.#tellBroken = resolve));
    void seat.broken.then((reason) => this.#breakDown(reason));
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** Tells how many questions have no answer yet, now and whenever that changes. */
  watch(tell: (count: number) => void): void {
    this.#tellPending = tell;
    tell(this.#pending.size);
  }

  /**
   * Asks the worker. Rejects with what it threw, with `RunGone`, or with the signal's reason; a
   * question that is still held back when its signal aborts is never sent.
   */
  ask<T>(
    question: (calls: WorkerCalls) => Promise<T>,
    urgency: Urgency = 'now',
    signal?: AbortSignal,
  ): Promise<T> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#pending.delete(refuse);
        signal?.removeEventListener('abort', abort);
        this.#tellPending(this.#pending.size);
      };
      const refuse = (error: Error) => {
        settle();
        reject(error);
      };
      const send = () => {
        void answered(question, this.#seat.calls)
          .then(resolve, (error: unknown) => {
            if (isTrap(error)) this.#breakDown(error.message);
            reject(errorIn(error));
          })
          .finally(() => {
            settle();
            if (urgency !== 'now') this.#sendNext();
          });
      };
      const waiting: Waiting = { urgency, send };
      const abort = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        refuse(errorIn(signal?.reason));
      };
      if (signal?.aborted === true) {
        reject(errorIn(signal.reason));
        return;
      }
      signal?.addEventListener('abort', abort);
      this.#pending.add(refuse);
      this.#tellPending(this.#pending.size);
      if (urgency === 'now') {
        send();
        return;
      }
      this.#waiting = [...this.#waiting, waiting];
      if (!this.#isBusy) this.#sendNext();
    });
  }

  /** Ends the worker. What is asked and not answered rejects. */
  close(): void {
    this.#leave(new RunGone('closed', 'The run was closed.'));
  }

  #sendNext(): void {
    const next = this.#waiting.find(({ urgency }) => urgency === 'soon') ?? this.#waiting[0];
    this.#isBusy = next !== undefined;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next?.send();
  }

  #breakDown(reason: string): void {
    if (this.#leave(new RunGone('broken', reason))) this.#tellBroken(reason);
  }

  #leave(gone: RunGone): boolean {
    if (this.#gone !== undefined) return false;
    this.#gone = gone;
    this.#waiting = [];
    this.#seat.end();
    for (const refuse of [...this.#pending]) refuse(gone);
    return true;
  }
}

async function answered<T>(
  question: (calls: WorkerCalls) => Promise<T>,
  calls: WorkerCalls,
): Promise<T> {
  return question(calls);
}

/** What a module refuses is thrown as a saying, which the error keeps. */
function errorIn(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : errorOf(troubleIn(thrown));
}
