/**
 * A long list in pages, which are requested as they come into view and then kept.
 */
import { RunGone } from '../core/run.ts';
import { troubleOf } from '../words/trouble.ts';

const PAGE = 128;

export class Pages<T> {
  readonly count: number;
  readonly #fetch: (from: number, count: number) => Promise<T>;
  readonly #asked: boolean[] = [];
  #pages = $state.raw<readonly (T | undefined)[]>([]);
  #failure = $state.raw<string>();

  constructor(count: number, fetch: (from: number, count: number) => Promise<T>) {
    this.count = count;
    this.#fetch = fetch;
  }

  /** Why rows that were requested last are blank, as a sentence for the page. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The page that contains a row, once it has arrived, and the row's index in it. */
  find(row: number): { readonly page: T; readonly at: number } | undefined {
    const page = this.#pages[Math.floor(row / PAGE)];
    return page === undefined ? undefined : { page, at: row % PAGE };
  }

  /** Requests the pages of these rows unless they have been requested before. */
  need(from: number, to: number): void {
    const last = Math.ceil(Math.min(to, this.count) / PAGE);
    for (let index = Math.floor(from / PAGE); index < last; index += 1) {
      if (this.#asked[index] !== true) void this.#ask(index);
    }
  }

  async #ask(index: number): Promise<void> {
    this.#asked[index] = true;
    try {
      const first = index * PAGE;
      const page = await this.#fetch(first, Math.min(PAGE, this.count - first));
      const pages = this.#pages.slice();
      pages[index] = page;
      this.#pages = pages;
      this.#failure = undefined;
    } catch (error) {
      // The row stays blank and is requested again when it next comes into view.
      this.#asked[index] = false;
      // The loss of a run is reported once, for the whole page.
      if (!(error instanceof RunGone)) this.#failure = troubleOf(error);
    }
  }
}
