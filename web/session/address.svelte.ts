/**
 * Keeps the address bar and the state in step. A link is followed when the page opens and when
 * the viewer goes back; the link of the moment replaces the last one while things change, and
 * opening a trace makes a new entry in the history, as does each change in the Lab, which is so taken
 * back by going back. Fragments alone: nothing goes to a server.
 */
import * as v from 'valibot';
import { m } from '../words/generated/messages.js';
import type { Ringside } from './context.ts';
import { applyLook, applyView, takeView } from './snapshot.ts';
import { parseViewState, runOf, serialiseViewState, type ViewState } from './view-state.ts';

/**
 * What an entry of the history has behind it: how many changes of the Lab's form, and how many entries back the form
 * is as it was before the last of them; one may have been elsewhere since. The browser keeps it with the entry.
 */
export interface Past {
  readonly changes: number;
  readonly back: number;
  /** How many entries back the Lab was on screen last, where it was. */
  readonly lab?: number | undefined;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const PastSchema = v.object({ changes: count, back: count, lab: v.optional(count) });

const NO_PAST: Past = { changes: 0, back: 0 };

/** The parts of a window that it needs, so that a test can stand in for one. */
export interface Bar {
  readonly fragment: () => string;
  /** Of this entry; nothing where a link that was followed made it. */
  readonly past: () => Past | undefined;
  readonly replace: (fragment: string, past: Past) => void;
  readonly push: (fragment: string, past: Past) => void;
  /** So many entries of the history on, or back; as when the viewer does it, it is followed. */
  readonly go: (by: number) => void;
  /** Runs a task soon, when nothing more urgent is to be done. */
  readonly whenIdle: (task: () => void) => void;
}

/** How a run that a link names is opened; false where there is none or it fails. */
export interface Openers {
  /** A recording of the shelf, by its name. */
  readonly recording: (slug: string) => Promise<boolean>;
  /** A scenario, as compact JSON. */
  readonly scenario: (scenario: string) => Promise<boolean>;
  /** What stands beside the run on the stage, as the link names it; nothing: nothing does. */
  readonly beside: (beside: string | undefined) => Promise<boolean>;
  /**
   * A step of a lesson, as the link names it, if it is still wanted when its views are there; what could not be as it
   * was, or nothing where there is no such lesson.
   */
  readonly lesson: (
    lesson: string,
    isWanted: () => boolean,
  ) => Promise<readonly string[] | undefined>;
}

/** What is being opened by hand. */
export interface Arrival {
  /** The viewer has gone nowhere else since. */
  readonly isWanted: () => boolean;
  /** It is there: an entry in the history, unless the viewer has gone elsewhere and stays there. */
  readonly arrive: () => void;
}

export class Address {
  readonly #ringside: Ringside;
  readonly #bar: Bar;
  readonly #open: Openers;
  #notices = $state.raw<readonly string[]>([]);
  /** A link to a file of the viewer's own, which has to be opened before it can be followed. */
  #awaited = $state.raw<ViewState>();
  /** The link whose run is being made, where there was none before. */
  #coming = $state.raw<ViewState>();
  /** From the start: nothing may be written over the link that the page was opened with. */
  #isFollowing = $state(true);
  #isWriting = $state(false);
  /** Of the entry that is shown. */
  #past = $state.raw(NO_PAST);
  /** How many changes there are from here on, as far as is known. */
  #furthest = 0;
  /** By how many entries each change was taken back that can be made again. */
  #undone: readonly number[] = [];
  /** Counts where the viewer went: what an earlier link or import comes to leads nowhere. */
  #turn = 0;

  constructor(ringside: Ringside, bar: Bar, open: Openers) {
    this.#ringside = ringside;
    this.#bar = bar;
    this.#open = open;
  }

  /** What of a link could not be shown as it was, for the page to say. */
  get notices(): readonly string[] {
    return this.#notices;
  }
  /** The fingerprint of the file that a link waits for. */
  get awaited(): string | undefined {
    return this.#awaited?.own;
  }
  /** What a link leads to, while its run is being made and there is none to show meanwhile. */
  get coming(): ViewState | undefined {
    return this.#coming;
  }
  /** No link is being followed, and the address says what is on screen. */
  get isSettled(): boolean {
    return !this.#isFollowing && !this.#isWriting;
  }
  /** The fragment of this moment's view, with `#`. */
  get fragment(): string {
    return `#${serialiseViewState(takeView(this.#ringside))}`;
  }

  /** The last change by hand can be taken back. */
  get canUndo(): boolean {
    return this.#past.changes > 0;
  }

  dismissNotices(): void {
    this.#notices = [];
  }

  /** Follows the link in the address bar. */
  follow(): Promise<void> {
    const known = this.#bar.past();
    const { view, notices } = parseViewState(this.#bar.fragment());
    if (known !== undefined) {
      this.#past = known;
      this.#furthest = Math.max(this.#furthest, known.changes);
      return this.visit(view, notices);
    }
    const next = this.#next();
    // What the Lab is to show is in its form at once.
    const visited = this.visit(view, notices);
    this.#arrived(next());
    this.#bar.replace(this.#bar.fragment(), this.#past);
    return visited;
  }

  /** Goes to what a view says, as a link does; `notices` tell what of it could not be read. */
  async visit(wanted: ViewState, notices: readonly string[] = []): Promise<void> {
    const isByLink = this.#isFollowing;
    const turn = this.#leave();
    // What is being opened by hand goes on, as where one leaves by a link of the page, unless this leads to another run.
    if (isByLink || this.#isToOpen(wanted)) this.#ringside.session.cancel();
    // It was about what was opened before; what this link comes to is told afresh.
    this.#ringside.session.dismissFailure();
    this.#notices = notices;
    this.#awaited = undefined;
    this.#isFollowing = true;
    const isFirst = this.#ringside.session.run === undefined;
    this.#coming = isFirst && leadsToRun(wanted) ? wanted : undefined;
    try {
      const more = await this.#show(wanted, () => turn === this.#turn);
      if (turn === this.#turn) this.#notices = [...notices, ...more];
    } finally {
      if (turn === this.#turn) {
        this.#isFollowing = false;
        this.#coming = undefined;
      }
    }
  }

  /** Goes to what a view says by hand: the address says it afterwards. */
  async arrive(wanted: ViewState): Promise<void> {
    await this.visit(wanted);
    this.changed();
  }

  /**
   * Of the entry that follows this one, asked for once what it shows is there: what came into the Lab's form on the
   * way is a change of it.
   */
  #next(): () => Past {
    const { draft, view } = this.#ringside;
    const { changes, back, lab: last } = this.#past;
    const { scenario, before } = draft;
    const lab = view.place === 'lab' ? 1 : last && last + 1;
    return () => {
      const isSame = draft.scenario === scenario && draft.before === before;
      return isSame || scenario === undefined || lab === undefined
        ? { changes, back: back + 1, lab }
        : { changes: changes + 1, back: lab, lab };
    };
  }

  #arrived(past: Past): void {
    this.#past = past;
    this.#furthest = past.changes;
    this.#undone = [];
  }

  /** A run is about to be opened by hand. */
  opening(): Arrival {
    const turn = this.#leave();
    const isWanted = () => turn === this.#turn;
    return {
      isWanted,
      arrive: () => {
        if (isWanted()) this.#opened();
      },
    };
  }

  /** A new entry in the history, and a link that waited for the run is followed. */
  #opened(): void {
    const { session, view } = this.#ringside;
    const next = this.#next();
    view.goTo('stage');
    const wanted = this.#awaited;
    if (wanted?.own !== undefined && wanted.own === session.run?.fingerprint) {
      this.#awaited = undefined;
      this.#notices = applyView(this.#ringside, wanted);
    }
    this.#push(next());
  }

  /** A change by hand, with an entry in the history: going back takes it back. */
  change(does: () => void): void {
    if (!this.#isFollowing && !this.#isWritten()) this.#replace();
    const before = this.fragment;
    does();
    const { changes } = this.#past;
    if (this.fragment !== before) this.#push({ changes: changes + 1, back: 1, lab: 1 });
  }

  /** Takes the last change by hand back; false where there is none. */
  undo(): boolean {
    if (!this.canUndo) return false;
    const { back } = this.#past;
    this.#undone = [...this.#undone, back];
    this.#bar.go(-back);
    return true;
  }

  /** Makes the change again that was taken back last; false where there is none. */
  redo(): boolean {
    if (this.#past.changes >= this.#furthest) return false;
    this.#bar.go(this.#undone.at(-1) ?? 1);
    this.#undone = this.#undone.slice(0, -1);
    return true;
  }

  #push(past: Past): void {
    this.#arrived(past);
    this.#bar.push(this.fragment, past);
  }

  #replace(): void {
    this.#bar.replace(this.fragment, this.#past);
  }

  /** Goes to another place, with an entry in the history; into the Lab's form may come something else on the way. */
  goTo(place: ViewState['place'], filled: () => void = () => undefined): void {
    if (this.#isFollowing) this.#ringside.session.cancel();
    this.#leave();
    const next = this.#next();
    filled();
    this.#ringside.view.goTo(place);
    this.#ringside.playhead.pause();
    this.#push(next());
  }

  /** Something changed: the address follows as soon as there is time for it. */
  changed(): void {
    if (this.#isWriting || this.#isFollowing || this.#awaited !== undefined) return;
    if (this.#isWritten()) return;
    this.#isWriting = true;
    this.#bar.whenIdle(() => {
      this.#isWriting = false;
      if (!this.#isFollowing && !this.#isWritten()) this.#replace();
    });
  }

  #leave(): number {
    this.#isFollowing = false;
    this.#coming = undefined;
    return (this.#turn += 1);
  }

  #isWritten(): boolean {
    return this.fragment === (this.#bar.fragment() || '#');
  }

  /** Shows what a link says, for as long as it is wanted; answers with what could not be as it was. */
  async #show(wanted: ViewState, isWanted: () => boolean): Promise<readonly string[]> {
    const { session, view, draft } = this.#ringside;
    applyLook(this.#ringside, wanted);
    view.showLesson(wanted.lesson);
    if (wanted.lesson !== undefined) {
      const notices = await this.#open.lesson(wanted.lesson, isWanted);
      if (notices !== undefined) return notices;
      if (!isWanted()) return [];
      view.showLesson(undefined);
      view.goTo('lessons');
      return [m.lessons_no_such_lesson({ lesson: wanted.lesson })];
    }
    if (wanted.place === 'lab') {
      if (wanted.scenario !== undefined) draft.load(wanted.scenario, wanted.before);
      this.#ringside.sweep.set(wanted.sweep);
      view.goTo('lab');
      return [];
    }
    if (wanted.scenario !== undefined && !(await this.#isPlayed(wanted.scenario))) {
      if (!isWanted()) return [];
      draft.set(wanted.scenario);
      view.goTo('lab');
      return [];
    }
    if (runOf(wanted) === undefined) {
      // There is nothing to play: the stage would be empty.
      view.goTo(wanted.place === 'stage' ? 'traces' : wanted.place);
      return [];
    }
    if (wanted.own !== undefined && wanted.own !== session.run?.fingerprint) {
      this.#awaited = wanted;
      view.goTo('traces');
      return [];
    }
    if (wanted.trace !== undefined && !(await this.#isOpen(wanted.trace))) {
      if (!isWanted()) return [];
      view.goTo('traces');
      return session.failure === undefined ? [m.link_no_trace({ slug: wanted.trace })] : [];
    }
    if (!isWanted()) return [];
    this.#ringside.forks.set(wanted.forks);
    view.goTo(wanted.place);
    const notices = applyView(this.#ringside, wanted);
    const isBeside = await this.#open.beside(wanted.beside);
    return isBeside || !isWanted() ? notices : [...notices, m.link_no_beside()];
  }

  /** Whether a view takes a run that is not on the stage, and can be made. */
  #isToOpen({ place, trace, scenario, lesson }: ViewState): boolean {
    if (lesson !== undefined) return true;
    const { source } = this.#ringside.session;
    if (scenario !== undefined && place !== 'lab')
      return !(source?.kind === 'simulated' && source.scenario === scenario);
    return trace !== undefined && !(source?.kind === 'bundled' && source.slug === trace);
  }

  async #isOpen(slug: string): Promise<boolean> {
    const { source } = this.#ringside.session;
    if (source?.kind === 'bundled' && source.slug === slug) return true;
    return this.#open.recording(slug);
  }

  async #isPlayed(scenario: string): Promise<boolean> {
    const { source } = this.#ringside.session;
    if (source?.kind === 'simulated' && source.scenario === scenario) return true;
    return this.#open.scenario(scenario);
  }
}

/** Whether a link is to be seen on the stage, with a run that the page can make by itself. */
function leadsToRun({ place, trace, scenario, lesson }: ViewState): boolean {
  return place === 'stage' && (trace ?? scenario ?? lesson) !== undefined;
}

/** The real one. Browsers refuse many replacements in a row, so one waits for a quiet moment. */
export function addressBar(window: Window): Bar {
  const { history, location } = window;
  const whole = (fragment: string) =>
    fragment === '#' ? location.pathname + location.search : fragment;
  return {
    fragment: () => location.hash,
    past: () => pastIn(history.state),
    replace: (fragment, past) => history.replaceState(past, '', whole(fragment)),
    push: (fragment, past) => history.pushState(past, '', whole(fragment)),
    go: (by) => history.go(by),
    whenIdle: (task) => setTimeout(task, 250),
  };
}

function pastIn(state: unknown): Past | undefined {
  const read = v.safeParse(PastSchema, state);
  return read.success ? read.output : undefined;
}
