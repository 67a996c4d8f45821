/**
 * Sentences for screen readers, one at a time, in a polite live region. Answers to the viewer's actions are
 * announced at once; events of the film are collected and announced every few seconds, the latest only.
 * Holds no element: the app renders `sentence` in a live region.
 */
import { untrack } from 'svelte';

const PATIENCE_MS = 5000;

export class Announcer {
  #sentence = $state('');
  #count = $state(0);
  #lastMs = -Infinity;

  get sentence(): string {
    return this.#sentence;
  }

  /** Number of sentences so far, so that a repeated sentence counts as new. */
  get count(): number {
    return this.#count;
  }

  /** Announces the answer to an action of the viewer. */
  say(sentence: string): void {
    this.#sentence = sentence;
    // An effect that announces something must not depend on the count.
    this.#count = untrack(() => this.#count) + 1;
  }

  /** Announces an event of the film, unless one was announced in the last few seconds. */
  mention(sentence: string, nowMs: number): boolean {
    if (nowMs - this.#lastMs < PATIENCE_MS) return false;
    this.#lastMs = nowMs;
    this.say(sentence);
    return true;
  }
}
