/**
 * A line to one worker, over which every question settles: with its answer, or with `RunGone` as
 * soon as the worker breaks down or the line is closed. Knows nothing of what is asked.
 */
import { RunGone } from './run.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** One worker and how to speak to it. */
export interface Seat {
  readonly calls: WorkerCalls;
  /** Resolves with the reason if the worker breaks down (out of memory, a failed start). */
  readonly broken: Promise<string>;
  end(): void;
}

export class Line {
  /** Resolves with the reason if the worker breaks down. It never does once the line was closed. */
  readonly broken: Promise<string>;
  readonly #seat: Seat;
  /** How to refuse each question that has no answer yet. */
  readonly #pending = new Set<(gone: RunGone) => void>();
  #gone: RunGone | undefined;
  #tellBroken: (reason: string) => void = () => undefined;

  constructor(seat: Seat) {
    this.#seat = seat;
    this.broken = new Promise((resolve) => (this.#tellBroken = resolve));
    void seat.broken.then((reason) => this.#breakDown(reason));
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** Asks the worker. Rejects with what it threw, or with `RunGone`. */
  ask<T>(question: (calls: WorkerCalls) => Promise<T>): Promise<T> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      void answered(question, this.#seat.calls)
        .then(resolve, (error: unknown) => {
          if (isTrap(error)) this.#breakDown(error.message);
          reject(error instanceof Error ? error : new Error(String(error)));
        })
        .finally(() => this.#pending.delete(reject));
    });
  }

  /** Ends the worker. What is asked and not answered rejects. */
  close(): void {
    this.#leave(new RunGone('closed', 'The run was closed.'));
  }

  #breakDown(reason: string): void {
    if (this.#leave(new RunGone('broken', reason))) this.#tellBroken(reason);
  }

  #leave(gone: RunGone): boolean {
    if (this.#gone !== undefined) return false;
    this.#gone = gone;
    this.#seat.end();
    for (const refuse of this.#pending) refuse(gone);
    this.#pending.clear();
    return true;
  }
}

async function answered<T>(
  question: (calls: WorkerCalls) => Promise<T>,
  calls: WorkerCalls,
): Promise<T> {
  return question(calls);
}

/** A trap leaves wasm in the middle of what it did: nothing it says afterwards can be trusted. */
function isTrap(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError';
}
