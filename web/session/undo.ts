/**
 * Undo and redo, a watcher of the dispatcher: for each change of the view it keeps the previous values of
 * the changed fields, so that undoing leaves other fields as they are now.
 */
import type { PacketId } from '../core/core.ts';
import { unlessGone } from '../core/run.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Playhead } from './playhead.svelte.ts';
import { differences } from './put-view.ts';
import { patched } from './view-changes.ts';
import { runOf, type ViewState } from './view-state.ts';

/** Maximum number of steps kept. */
const MOST = 100;

/** Previous values of some fields; absent ones are undefined. */
type Fields = Partial<Record<keyof ViewState, unknown>>;

/** Changes made many times a second by a pointer: those with no more than this between them are one step. */
const GESTURES: ReadonlySet<string> = new Set(['seek', 'seek.film', 'zoom', 'range', 'loop']);
const PAUSE_MS = 1000;

/** What follows by itself, as soon as an answer is there, from the change before it: with that it is one step. */
const CONSEQUENCES: ReadonlyMap<string, string> = new Map([['follow', 'packet']]);

/** Effects that change the view. */
const MOVES: ReadonlySet<string> = new Set(['seek.film']);

/** Changes that are not steps of the viewer: undo and redo themselves, and those from another window. */
const NOT_DONE_HERE: ReadonlySet<string> = new Set(['undo', 'redo', 'window.view']);

interface Step {
  readonly id: string;
  readonly atMs: number;
  readonly back: Fields;
  readonly forth: Fields;
  /** The whole views before and after, if another run was opened on the stage or beside it. */
  readonly views?: { readonly back: ViewState; readonly forth: ViewState };
}

export class Undo {
  readonly #dispatcher: Dispatcher;
  readonly #visit: (view: ViewState) => void;
  readonly #playhead: Pick<Playhead, 'focus' | 'tellOf'>;
  readonly #now: () => number;
  /** The run whose view the steps changed; for forks, the root of their tree. */
  #run: string | undefined;
  #done: readonly Step[] = [];
  #undone: readonly Step[] = [];

  /**
   * @param visit goes to a view, of whichever run
   */
  constructor(
    dispatcher: Dispatcher,
    visit: (view: ViewState) => void,
    playhead: Pick<Playhead, 'focus' | 'tellOf'>,
    now: () => number = () => performance.now(),
  ) {
    this.#dispatcher = dispatcher;
    this.#visit = visit;
    this.#playhead = playhead;
    this.#now = now;
    dispatcher.watch(({ id, before, after = MOVES.has(id) ? dispatcher.view : undefined }) => {
      if (after === undefined || NOT_DONE_HERE.has(id)) return;
      this.#at(before);
      const keys = differences(before, after);
      if (keys.length === 0) return;
      const [back, forth] = [fieldsOf(before, keys), fieldsOf(after, keys)];
      const step = { id, atMs: this.#now(), back, forth };
      const last = this.#done.at(-1);
      this.#done =
        last !== undefined && isOneWith(last, step)
          ? [...this.#done.slice(0, -1), joined(last, step)]
          : [...this.#done, step].slice(-MOST);
      this.#undone = [];
    });
  }

  /** Adds a step for a fork that was made, opened or removed: from one view to the other. */
  visited(id: string, from: ViewState, to: ViewState): void {
    this.#at(from);
    const views = { back: from, forth: to };
    const step = { id, atMs: this.#now(), back: {}, forth: {}, views };
    this.#done = [...this.#done, step].slice(-MOST);
    this.#undone = [];
  }

  /** Undoes a step; false if there is none. */
  undo(): boolean {
    const step = this.#isHere() ? this.#done.at(-1) : undefined;
    if (step === undefined || !this.#go('undo', step, 'back')) return false;
    this.#done = this.#done.slice(0, -1);
    this.#undone = [...this.#undone, step];
    return true;
  }

  /** Redoes a step; false if there is none. */
  redo(): boolean {
    const step = this.#isHere() ? this.#undone.at(-1) : undefined;
    if (step === undefined || !this.#go('redo', step, 'forth')) return false;
    this.#undone = this.#undone.slice(0, -1);
    this.#done = [...this.#done, step];
    return true;
  }

  #tell(focus: PacketId | undefined): void {
    if (focus !== this.#playhead.focus) void this.#playhead.tellOf(focus).catch(unlessGone);
  }

  #at(view: ViewState): void {
    if (storyOf(view) !== this.#run) this.#done = this.#undone = [];
    this.#run = storyOf(view);
  }

  #go(id: 'undo' | 'redo', step: Step, way: 'back' | 'forth'): boolean {
    const { views } = step;
    if (views !== undefined) return this.#dispatcher.effect(id, () => this.#visit(views[way]));
    const fields = step[way];
    let gone: ViewState | undefined;
    const isDone = this.#dispatcher.change(
      id,
      (view) => (gone = patched(view, fields as Partial<ViewState>)),
    );
    // The film is about who is followed then, as it was.
    if (isDone && gone !== undefined && ('packet' in fields || 'isFollowing' in fields))
      this.#tell(gone.isFollowing ? gone.packet : undefined);
    return isDone;
  }

  /** Whether the steps belong to the run on the stage; otherwise nothing is undone. */
  #isHere(): boolean {
    return storyOf(this.#dispatcher.view) === this.#run;
  }
}

/** The run that a view belongs to: forks belong to the root of their tree. */
function storyOf(view: ViewState): string | undefined {
  return view.forks?.root ?? runOf(view);
}

/** Whether a change goes on with the step before it. */
function isOneWith(last: Step, { id, atMs }: Step): boolean {
  if (CONSEQUENCES.get(id) === last.id) return true;
  return last.id === id && GESTURES.has(id) && atMs - last.atMs <= PAUSE_MS;
}

/** Joins two steps into one, from the start of the first to the end of the second. */
function joined(first: Step, second: Step): Step {
  return {
    id: first.id,
    atMs: second.atMs,
    back: { ...second.back, ...first.back },
    forth: { ...first.forth, ...second.forth },
  };
}

function fieldsOf(view: ViewState, keys: readonly (keyof ViewState)[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, view[key]]));
}
