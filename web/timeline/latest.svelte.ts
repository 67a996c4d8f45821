/**
 * The answer to a question that changes faster than it can be answered: at most one question
 * is under way, the newest waits, those between are never asked. The last answer stays until
 * the next one comes, so that nothing goes blank. To be made while a component is set up.
 */
export class Latest<Question, Answer> {
  readonly #ask: (question: Question) => Promise<Answer>;
  #answer = $state.raw<Answer>();
  #failure = $state.raw<string>();
  #isAsking = $state(false);
  #wanted: Question | undefined;
  #asked: Question | undefined;

  /** Nothing as the question clears the answer. Equal questions are asked once. */
  constructor(question: () => Question | undefined, ask: (question: Question) => Promise<Answer>) {
    this.#ask = ask;
    // The core answers from its worker, outside of Svelte.
    $effect(() => this.#want(question()));
  }

  get answer(): Answer | undefined {
    return this.#answer;
  }
  get failure(): string | undefined {
    return this.#failure;
  }
  /** A question is under way: what is shown may not be the last word. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  #want(question: Question | undefined): void {
    this.#wanted = question;
    if (question === undefined) {
      this.#asked = undefined;
      this.#answer = undefined;
    } else if (!this.#isUnderWay) void this.#next();
  }

  #isUnderWay = false;

  async #next(): Promise<void> {
    this.#isUnderWay = true;
    this.#isAsking = true;
    while (this.#wanted !== undefined && !isSame(this.#wanted, this.#asked)) {
      const question = this.#wanted;
      this.#asked = question;
      try {
        const answer = await this.#ask(question);
        // A question that was taken back meanwhile has no answer.
        if (this.#asked === question) this.#answer = answer;
        this.#failure = undefined;
      } catch (error) {
        this.#failure = error instanceof Error ? error.message : String(error);
      }
    }
    this.#isUnderWay = false;
    this.#isAsking = false;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
