/**
 * Undo and redo, a port on the dispatcher: of each change of the view it keeps what the changed
 * fields were before, so that taking it back leaves alone what has moved on meanwhile.
 */
import type { Dispatcher } from './dispatcher.ts';
import { differences } from './put-view.ts';
import { patched } from './view-changes.ts';
import { runOf, type ViewState } from './view-state.ts';

/** More than anyone goes back by. */
const MOST = 100;

/** What some fields were, absent ones undefined. */
type Fields = Partial<Record<keyof ViewState, unknown>>;

/** What comes many times a second while a pointer moves: one after the other they are one step. */
const GESTURES: ReadonlySet<string> = new Set(['seek', 'zoom', 'range', 'loop']);

/** No step of the viewer's: undoing and doing again, and what another window did. */
const NOT_DONE_HERE: ReadonlySet<string> = new Set(['undo', 'redo', 'window.view']);

interface Step {
  readonly id: string;
  readonly back: Fields;
  readonly forth: Fields;
  /** Another run came to the stage or beside it: both are whole views, which have to be gone to. */
  readonly views?: { readonly back: ViewState; readonly forth: ViewState };
}

export class Undo {
  readonly #dispatcher: Dispatcher;
  readonly #visit: (view: ViewState) => void;
  /** The run whose view the steps changed; of a fork that from which all were forked. */
  #run: string | undefined;
  #done: readonly Step[] = [];
  #undone: readonly Step[] = [];

  /** @param visit goes to what a view says, whichever run it is of */
  constructor(dispatcher: Dispatcher, visit: (view: ViewState) => void) {
    this.#dispatcher = dispatcher;
    this.#visit = visit;
    dispatcher.watch(({ id, before, after }) => {
      if (after === undefined || NOT_DONE_HERE.has(id)) return;
      this.#at(before);
      const keys = differences(before, after);
      if (keys.length === 0) return;
      const step = { id, back: fieldsOf(before, keys), forth: fieldsOf(after, keys) };
      const last = this.#done.at(-1);
      this.#done =
        last?.id === id && GESTURES.has(id)
          ? [...this.#done.slice(0, -1), joined(last, step)]
          : [...this.#done, step].slice(-MOST);
      this.#undone = [];
    });
  }

  /** A fork was made, opened or taken away: one step from one view to the other. */
  visited(id: string, from: ViewState, to: ViewState): void {
    this.#at(from);
    const views = { back: from, forth: to };
    this.#done = [...this.#done, { id, back: {}, forth: {}, views }].slice(-MOST);
    this.#undone = [];
  }

  /** False where there is nothing to take back. */
  undo(): boolean {
    const step = this.#isHere() ? this.#done.at(-1) : undefined;
    if (step === undefined || !this.#go('undo', step, 'back')) return false;
    this.#done = this.#done.slice(0, -1);
    this.#undone = [...this.#undone, step];
    return true;
  }

  /** False where nothing was taken back. */
  redo(): boolean {
    const step = this.#isHere() ? this.#undone.at(-1) : undefined;
    if (step === undefined || !this.#go('redo', step, 'forth')) return false;
    this.#undone = this.#undone.slice(0, -1);
    this.#done = [...this.#done, step];
    return true;
  }

  #at(view: ViewState): void {
    if (storyOf(view) !== this.#run) this.#done = [];
    this.#run = storyOf(view);
  }

  #go(id: 'undo' | 'redo', step: Step, way: 'back' | 'forth'): boolean {
    const { views } = step;
    if (views !== undefined) return this.#dispatcher.effect(id, () => this.#visit(views[way]));
    const fields = step[way];
    return this.#dispatcher.change(id, (view) => patched(view, fields as Partial<ViewState>));
  }

  /** The run whose view was changed is the one on the stage: of another nothing is taken back. */
  #isHere(): boolean {
    return storyOf(this.#dispatcher.view) === this.#run;
  }
}

/** What a view is of: the forks of a run are one story with it. */
function storyOf(view: ViewState): string | undefined {
  return view.forks?.root ?? runOf(view);
}

/** From where the first began to where the second ended. */
function joined(first: Step, second: Step): Step {
  return {
    id: first.id,
    back: { ...second.back, ...first.back },
    forth: { ...first.forth, ...second.forth },
  };
}

function fieldsOf(view: ViewState, keys: readonly (keyof ViewState)[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, view[key]]));
}
