/**
 * Undo and redo, a port on the dispatcher: of each change of the view it keeps what the changed
 * fields were before, so that taking it back leaves alone what has moved on meanwhile.
 */
import type { Dispatcher } from './dispatcher.ts';
import { differences } from './put-view.ts';
import { patched } from './view-changes.ts';
import type { ViewState } from './view-state.ts';

/** More than anyone goes back by. */
const MOST = 100;

/** What some fields were, absent ones undefined. */
type Fields = Partial<Record<keyof ViewState, unknown>>;

interface Step {
  readonly back: Fields;
  readonly forth: Fields;
}

export class Undo {
  readonly #dispatcher: Dispatcher;
  /** The run whose view the steps changed. */
  #run: string | undefined;
  #done: readonly Step[] = [];
  #undone: readonly Step[] = [];

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
    dispatcher.watch(({ id, before, after }) => {
      if (after === undefined || id === 'undo' || id === 'redo') return;
      if (runOf(before) !== this.#run) this.#done = [];
      this.#run = runOf(before);
      const keys = differences(before, after);
      if (keys.length === 0) return;
      const step = { back: fieldsOf(before, keys), forth: fieldsOf(after, keys) };
      this.#done = [...this.#done, step].slice(-MOST);
      this.#undone = [];
    });
  }

  /** False where there is nothing to take back. */
  undo(): boolean {
    const step = this.#done.at(-1);
    if (step === undefined || !this.#put('undo', step.back)) return false;
    this.#done = this.#done.slice(0, -1);
    this.#undone = [...this.#undone, step];
    return true;
  }

  /** False where nothing was taken back. */
  redo(): boolean {
    const step = this.#undone.at(-1);
    if (step === undefined || !this.#put('redo', step.forth)) return false;
    this.#undone = this.#undone.slice(0, -1);
    this.#done = [...this.#done, step];
    return true;
  }

  #put(id: 'undo' | 'redo', fields: Fields): boolean {
    const isHere = (view: ViewState) => runOf(view) === this.#run;
    return this.#dispatcher.change(id, (view) =>
      isHere(view) ? patched(view, fields as Partial<ViewState>) : view,
    );
  }
}

function fieldsOf(view: ViewState, keys: readonly (keyof ViewState)[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, view[key]]));
}

function runOf({ trace, own, scenario }: ViewState): string | undefined {
  return trace ?? own ?? scenario;
}
