/**
 * The page's one way to ask a run something that changes faster than it can be answered: at most one
 * question is under way, the newest waits, those between are never asked. The last answer stays until
 * the next one comes, so that nothing goes blank. Which question goes first is the core's business.
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
  /** Why the last question has no answer, for the page to say. */
  get failure(): string | undefined {
    return this.#failure;
  }
  /** A question is under way: what is shown may not be the last word. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Asks, unless it was just asked. Nothing takes the question back and clears the answer. */
  want(question: Question | undefined): void {
    this.#wanted = question;
    if (question === undefined) {
      this.#asked?.end.abort();
      this.#asked = undefined;
      this.#answer = undefined;
      this.#failure = undefined;
    } else if (!this.#isUnderWay) void this.#work();
  }

  #isAsked(question: Question): boolean {
    return this.#asked !== undefined && this.#isSame(question, this.#asked.question);
  }

  async #work(): Promise<void> {
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
        // That a run is gone is told once, for the whole page.
        if (this.#asked === asked && !(error instanceof RunGone)) this.#failure = troubleOf(error);
      }
    }
    this.#isUnderWay = false;
    this.#isAsking = false;
  }
}

/** An asker for as long as a component lives. To be made while the component is set up. */
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
