/**
 * What a screen reader is told: one sentence at a time, politely. What the viewer did is said
 * at once; what merely happens while film runs is gathered and said every few seconds, latest
 * wins. Holds no element: the app renders `sentence` in a live region.
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

  /** How many sentences were said so far: the same one again is another. */
  get count(): number {
    return this.#count;
  }

  /** Says the answer to something the viewer did. */
  say(sentence: string): void {
    this.#sentence = sentence;
    // An effect that says something must not depend on what was said.
    this.#count = untrack(() => this.#count) + 1;
  }

  /** Says what happened meanwhile, if nothing was said so in the last seconds. */
  mention(sentence: string, nowMs: number): boolean {
    if (nowMs - this.#lastMs < PATIENCE_MS) return false;
    this.#lastMs = nowMs;
    this.say(sentence);
    return true;
  }
}
