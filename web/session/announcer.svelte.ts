/**
 * What a screen reader is told: one sentence at a time, politely. What the viewer did is said
 * at once; what merely happens while film runs is gathered and said every few seconds, latest
 * wins. Holds no element: the app renders `sentence` in a live region.
 */
const PATIENCE_MS = 5000;

export class Announcer {
  #sentence = $state('');
  #lastMs = -Infinity;

  get sentence(): string {
    return this.#sentence;
  }

  /** Says the answer to something the viewer did. */
  say(sentence: string): void {
    this.#sentence = sentence;
  }

  /** Says what happened meanwhile, if nothing was said so in the last seconds. */
  mention(sentence: string, nowMs: number): boolean {
    if (nowMs - this.#lastMs < PATIENCE_MS) return false;
    this.#lastMs = nowMs;
    this.#sentence = sentence;
    return true;
  }
}
