/**
 * The number that is being typed in the Lab's form. Each digit takes effect, yet all of it is one change of
 * the scenario that was there before it: what the first digits correct in other settings is not corrected
 * for good, and is taken back in one step.
 */
export class Typing {
  #typed: { readonly before: string; readonly now: string } | undefined;

  /** The scenario (JSON text) with which a change of `text` begins, and whether it goes on with the last change. */
  start(text: string): { readonly before: string; readonly goesOn: boolean } {
    return this.#typed?.now === text
      ? { before: this.#typed.before, goesOn: true }
      : { before: text, goesOn: false };
  }

  /** What is typed has made `now` of `text`. */
  typed(text: string, now: string): void {
    if (now !== text) this.#typed = { before: this.start(text).before, now };
  }

  /** The field is left, or its value accepted: the next change is another one. */
  end(): void {
    this.#typed = undefined;
  }
}
