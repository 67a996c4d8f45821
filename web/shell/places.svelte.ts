/**
 * What each place needs before it can be shown, fetched when it is first gone to, so that the
 * first view stays small: its views, and for the Lab and the scoreboard what the core knows.
 * The scoreboard's results are kept here while one looks at other places.
 */
import { m } from '../words/generated/messages.js';
import { troubleOf } from '../words/trouble.ts';
import type { Board } from '../papers/board.svelte.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import type { Place } from '../session/view-state.ts';
import type LabPlaceView from './LabPlace.svelte';
import type MainScreenView from './MainScreen.svelte';
import type { LessonSession } from '../lesson/lesson-session.svelte.ts';
import type * as LessonViews from '../lesson/place.ts';
import type { Law } from '../laws/held.ts';
import type LawsView from '../laws/Laws.svelte';
import type PapersView from '../papers/Papers.svelte';

export class Places {
  readonly #ringside: Ringside;
  readonly #commands: () => Dispatcher;
  #stage = $state.raw<typeof MainScreenView>();
  #lab = $state.raw<typeof LabPlaceView>();
  #papers = $state.raw<{ readonly Papers: typeof PapersView; readonly board: Board }>();
  #laws = $state.raw<{ readonly Laws: typeof LawsView; readonly laws: readonly Law[] }>();
  #lessons = $state.raw<LessonPlace>();
  #trouble = $state.raw<string>();

  /** @param commands the door to the page, once it is there: it is made after this */
  constructor(ringside: Ringside, commands: () => Dispatcher) {
    this.#ringside = ringside;
    this.#commands = commands;
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
  get laws(): { readonly Laws: typeof LawsView; readonly laws: readonly Law[] } | undefined {
    return this.#laws;
  }
  /** The lessons' views, and the one that is under way. */
  get lessons(): LessonPlace | undefined {
    return this.#lessons;
  }
  /** Why a place could not be fetched. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Nothing that the place needs is still to come, and nothing in it is under way. */
  isStill(place: Place): boolean {
    switch (place) {
      case 'lessons':
        return this.#lessons !== undefined || this.#trouble !== undefined;
      case 'traces':
        return true;
      case 'stage':
        return this.#stage !== undefined;
      case 'lab':
        return (
          (this.#lab !== undefined && this.#ringside.experiment.isSettled) ||
          this.#trouble !== undefined
        );
      case 'laws':
        return this.#laws !== undefined || this.#trouble !== undefined;
      case 'papers':
        return (
          (this.#papers !== undefined && this.#papers.board.running === undefined) ||
          this.#trouble !== undefined
        );
    }
  }

  /**
   * A step of a lesson, by its name in a link (`two-processors.3`), or its last where it has fewer, with a
   * sentence that says so; nothing where there is no such lesson.
   *
   * @param isWanted the viewer has not gone elsewhere: asked when the views are there, which may be later for an
   *   earlier link than for a later one
   */
  async openLesson(name: string, isWanted: () => boolean): Promise<readonly string[] | undefined> {
    const [id = '', step = '1'] = name.split('.');
    if (!(await this.#play(id, Number(step) - 1, true, isWanted))) return undefined;
    if (!isWanted()) return [];
    const last = this.#lessons?.session.lesson?.steps.length ?? 0;
    return Number(step) > last ? [m.lessons_no_such_step({ step, last: String(last) })] : [];
  }

  /** Begins a lesson, or goes on where it was left; false where there is none. */
  beginLesson(id: string, isWanted: () => boolean): Promise<boolean> {
    return this.#play(id, undefined, false, isWanted);
  }

  async #play(
    id: string,
    step: number | undefined,
    isLink: boolean,
    isWanted: () => boolean,
  ): Promise<boolean> {
    await Promise.all([this.need('lessons'), this.need('stage')]);
    const shelved = this.#lessons?.views.findLesson(id);
    if (this.#lessons === undefined || shelved === undefined) return false;
    if (isWanted()) await this.#lessons.session.begin(shelved, step, 'asked', isLink);
    return true;
  }

  /** Fetches what a place needs, once. */
  async need(place: Place): Promise<void> {
    this.#trouble = undefined;
    try {
      await this.#fetch(place);
    } catch (error) {
      this.#trouble = troubleOf(error);
    }
  }

  async #fetch(place: Place): Promise<void> {
    const { session, draft } = this.#ringside;
    switch (place) {
      case 'lessons': {
        const views = await import('../lesson/place.ts');
        this.#lessons ??= { views, session: views.sessionOf(this.#ringside, this.#commands()) };
        return;
      }
      case 'traces':
        return;
      case 'stage':
        this.#stage ??= (await import('./MainScreen.svelte')).default;
        return;
      case 'lab': {
        const [{ default: lab }, { questionsOf }, catalogue] = await Promise.all([
          import('./LabPlace.svelte'),
          import('../lab/questions.ts'),
          session.loadCatalogue(),
        ]);
        // A machine with something going on, of which the first question asks.
        draft.begin(questionsOf(catalogue)[0]?.before ?? catalogue.scenarios[0]?.scenario);
        this.#lab ??= lab;
        return;
      }
      case 'laws': {
        const [{ default: Laws }, { heldLaws }] = await Promise.all([
          import('../laws/Laws.svelte'),
          import('../laws/held.ts'),
        ]);
        this.#laws ??= { Laws, laws: heldLaws() };
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

export interface LessonPlace {
  readonly views: typeof LessonViews;
  readonly session: LessonSession;
}
