/**
 * What each place needs before it can be shown, fetched when it is first gone to, so that the
 * first view stays small: its views, and for the Lab and the scoreboard what the core knows.
 * The scoreboard's results are kept here while one looks at other places.
 */
import type { Board } from '../papers/board.svelte.ts';
import type { Ringside } from '../session/context.ts';
import type { Place } from '../session/view-state.ts';
import type LabPlaceView from './LabPlace.svelte';
import type MainScreenView from './MainScreen.svelte';
import type PapersView from '../papers/Papers.svelte';

export class Places {
  readonly #ringside: Ringside;
  #stage = $state.raw<typeof MainScreenView>();
  #lab = $state.raw<typeof LabPlaceView>();
  #papers = $state.raw<{ readonly Papers: typeof PapersView; readonly board: Board }>();
  #trouble = $state.raw<string>();

  constructor(ringside: Ringside) {
    this.#ringside = ringside;
  }

  get stage(): typeof MainScreenView | undefined {
    return this.#stage;
  }
  get lab(): typeof LabPlaceView | undefined {
    return this.#lab;
  }
  get papers(): { readonly Papers: typeof PapersView; readonly board: Board } | undefined {
    return this.#papers;
  }
  /** Why a place could not be fetched. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Nothing that the place needs is still to come, and nothing in it is under way. */
  isStill(place: Place): boolean {
    switch (place) {
      case 'traces':
        return true;
      case 'stage':
        return this.#stage !== undefined;
      case 'lab':
        return this.#lab !== undefined || this.#trouble !== undefined;
      case 'papers':
        return (
          (this.#papers !== undefined && this.#papers.board.running === undefined) ||
          this.#trouble !== undefined
        );
    }
  }

  /** Fetches what a place needs, once. */
  async need(place: Place): Promise<void> {
    this.#trouble = undefined;
    try {
      await this.#fetch(place);
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
    }
  }

  async #fetch(place: Place): Promise<void> {
    const { session, draft } = this.#ringside;
    switch (place) {
      case 'traces':
        return;
      case 'stage':
        this.#stage ??= (await import('./MainScreen.svelte')).default;
        return;
      case 'lab': {
        const [{ default: lab }, { scenarios }] = await Promise.all([
          import('./LabPlace.svelte'),
          session.loadCatalogue(),
        ]);
        draft.begin(scenarios[0]?.scenario);
        this.#lab ??= lab;
        return;
      }
      case 'papers': {
        if (this.#papers !== undefined) return;
        const [{ default: Papers }, { Board }, { pinnedRows }, studies] = await Promise.all([
          import('../papers/Papers.svelte'),
          import('../papers/board.svelte.ts'),
          import('../papers/pinned.ts'),
          session.core.published(),
        ]);
        this.#papers ??= { Papers, board: new Board(session.core, studies, pinnedRows(studies)) };
        return;
      }
    }
  }
}
