/**
 * The page's one way to ask a run a question that changes faster than it can be answered: at most one
 * question is in flight, the newest waits, and those between are dropped. The last answer stays until the
 * next arrives, so that no view goes blank. The core orders the questions of several askers.
 */
import { troubleOf } from '../words/trouble.ts';
import { RunGone } from '../core/run.ts';
import { holdSame } from './same.ts';

type Ask<Question, Answer> = (question: Question, signal: AbortSignal) => Promise<Answer>;

type Same<Question> = (a: Question, b: Question) => boolean;

export class Asker<Question, Answer> {
  readonly #ask: Ask<Question, Answer>;
  readonly #isSame: Same<Question>;
  #answer = $state.raw<Answer>();
  #failure = $state.raw<string>();
  #isAsking = $state(false);
  #wanted: Question | undefined;
  /** The question that was asked last, to be ended when it is taken back. */
  #asked: { readonly question: Question; readonly end: AbortController } | undefined;
  #isUnderWay = false;
  #work: Promise<void> = Promise.resolve();

  /**
   * @param ask answers a question; it may stop when the signal aborts
   * @param isSame whether two questions have the same answer; unless told, whether they hold the same
   */
  constructor(ask: Ask<Question, Answer>, isSame: Same<Question> = holdSame) {
    this.#ask = ask;
    this.#isSame = isSame;
  }

  get answer(): Answer | undefined {
    return this.#answer;
  }
  /** Why the last question has no answer, as a sentence for the page. */
  get failure(): string | undefined {
    return this.#failure;
  }
  /** Whether a question is in flight, so that the answer shown may be out of date. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Settles when all that was asked so far has its answer, or has none. */
  get settled(): Promise<void> {
    return this.#work;
  }

  /** Asks a question, unless it equals the last one; `undefined` cancels it and clears the answer. */
  want(question: Question | undefined): void {
    this.#wanted = question;
    if (question === undefined) {
      this.#asked?.end.abort();
      this.#asked = undefined;
      this.#answer = undefined;
      this.#failure = undefined;
    } else if (!this.#isUnderWay) this.#work = this.#answerAll();
  }

  #isAsked(question: Question): boolean {
    return this.#asked !== undefined && this.#isSame(question, this.#asked.question);
  }

  async #answerAll(): Promise<void> {
    this.#isUnderWay = true;
    this.#isAsking = true;
    while (this.#wanted !== undefined && !this.#isAsked(this.#wanted)) {
      const asked = { question: this.#wanted, end: new AbortController() };
      this.#asked = asked;
      try {
        const answer = await this.#ask(asked.question, asked.end.signal);
        if (this.#asked !== asked) continue;
        this.#answer = answer;
        this.#failure = undefined;
      } catch (error) {
        // The loss of a run is reported once, for the whole page.
        if (this.#asked === asked && !(error instanceof RunGone)) this.#failure = troubleOf(error);
      }
    }
    this.#isUnderWay = false;
    this.#isAsking = false;
  }
}

/** An asker that lives as long as a component. Must be called while the component is set up. */
export function askFor<Question, Answer>(
  question: () => Question | undefined,
  ask: Ask<Question, Answer>,
): Asker<Question, Answer> {
  const asker = new Asker(ask);
  // The core answers from its worker, outside of Svelte.
  $effect(() => asker.want(question()));
  $effect(() => () => asker.want(undefined));
  return asker;
}
