/**
 * Keeps the address bar and the state in step. A link is followed when the page opens and when the viewer
 * navigates back. While the view changes, its link replaces the current history entry; opening a trace adds
 * an entry, as does each change in the Lab, which going back undoes. Only fragments change: nothing is sent
 * to a server.
 */
import * as v from 'valibot';
import { m } from '../words/generated/messages.js';
import { troubleOf } from '../words/trouble.ts';
import type { Ringside } from './context.ts';
import { applyLook, applyView, takeView } from './snapshot.ts';
import { parseViewState, runOf, serialiseViewState, type ViewState } from './view-state.ts';

/**
 * What lies behind a history entry: how many changes of the Lab's form, and how many entries back the form
 * is as before the last of them (other places may lie between). The browser stores it with the entry.
 */
export interface Past {
  readonly changes: number;
  readonly back: number;
  /** How many entries back the Lab was last on screen, if it was. */
  readonly lab?: number | undefined;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const PastSchema = v.object({ changes: count, back: count, lab: v.optional(count) });

const NO_PAST: Past = { changes: 0, back: 0 };

/** The parts of a window that the address bar needs, so that a test can replace them. */
export interface Bar {
  readonly fragment: () => string;
  /** The stored past of this entry; `undefined` if the entry was made by a link. */
  readonly past: () => Past | undefined;
  readonly replace: (fragment: string, past: Past) => void;
  readonly push: (fragment: string, past: Past) => void;
  /** Goes this many history entries forward, or back if negative; the entry's link is then followed. */
  readonly go: (by: number) => void;
  /** Runs a task when the browser is idle. */
  readonly whenIdle: (task: () => void) => void;
}

/** Opens the run that a link names; false if there is none or it fails. */
export interface Openers {
  /** Opens a recording of the shelf by name. */
  readonly recording: (slug: string) => Promise<boolean>;
  /** Runs a scenario, given as compact JSON. */
  readonly scenario: (scenario: string) => Promise<boolean>;
  /** Opens the second run beside the one on the stage; `undefined` closes it. */
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

/** A run that the viewer is opening. */
export interface Arrival {
  /** Whether the viewer has not navigated elsewhere since. */
  readonly isWanted: () => boolean;
  /** The run is open: adds a history entry, unless the viewer has gone elsewhere and stays there. */
  readonly arrive: () => void;
}

export class Address {
  readonly #ringside: Ringside;
  readonly #bar: Bar;
  readonly #open: Openers;
  #notices = $state.raw<readonly string[]>([]);
  /** A link to a file of the viewer's own, which has to be opened before the link can be followed. */
  #awaited = $state.raw<ViewState>();
  /** The link whose run is being made while no run is on the stage. */
  #coming = $state.raw<ViewState>();
  /** True from the start: the link with which the page was opened must not be overwritten. */
  #isFollowing = $state(true);
  #isWriting = $state(false);
  /** The past of the current entry. */
  #past = $state.raw(NO_PAST);
  /** Number of changes from the current entry onwards, as far as is known. */
  #furthest = 0;
  /** For each undone change that can be redone, the number of entries by which it was undone. */
  #undone: readonly number[] = [];
  /** Counts navigations: the result of an earlier link or import is discarded. */
  #turn = 0;

  constructor(ringside: Ringside, bar: Bar, open: Openers) {
    this.#ringside = ringside;
    this.#bar = bar;
    this.#open = open;
  }

  /** The parts of a link that could not be restored, as sentences for the page. */
  get notices(): readonly string[] {
    return this.#notices;
  }
  /** The fingerprint of the file that a link waits for. */
  get awaited(): string | undefined {
    return this.#awaited?.own;
  }
  /** The view that a link leads to while its run is being made and no other run is on the stage. */
  get coming(): ViewState | undefined {
    return this.#coming;
  }
  /** Whether no link is being followed and the address bar describes the screen. */
  get isSettled(): boolean {
    return !this.#isFollowing && !this.#isWriting;
  }
  /** The fragment of the current view, with `#`. */
  get fragment(): string {
    return `#${serialiseViewState(takeView(this.#ringside))}`;
  }

  /** Whether the viewer's last change can be undone. */
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
    // The Lab's form shows the link's scenario at once.
    const visited = this.visit(view, notices);
    this.#arrived(next());
    this.#bar.replace(this.#bar.fragment(), this.#past);
    return visited;
  }

  /** Goes to a view as a link does, and never rejects; `notices` say what of the link could not be read. */
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
    } catch (error) {
      if (turn === this.#turn) this.#notices = [...notices, troubleOf(error)];
    } finally {
      if (turn === this.#turn) {
        this.#isFollowing = false;
        this.#coming = undefined;
      }
    }
  }

  /** Goes to a view on the viewer's request; the address bar follows afterwards. */
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

  /** A run is about to be opened by the viewer. */
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

  /** Adds a history entry; a link that waited for this run is followed. */
  #opened(): void {
    const { session, view } = this.#ringside;
    const next = this.#next();
    view.goTo('stage');
    const wanted = this.#awaited;
    this.#awaited = undefined;
    if (wanted?.own !== undefined && wanted.own === session.run?.fingerprint) {
      this.#notices = applyView(this.#ringside, wanted);
    }
    this.#push(next());
  }

  /**
   * Makes a change with a history entry, so that going back undoes it. One that goes on with the change
   * before it takes that one's entry.
   */
  change(does: () => void, goesOn = false): void {
    if (!goesOn && !this.#isFollowing && !this.#isWritten()) this.#replace();
    const before = this.fragment;
    does();
    const { changes } = this.#past;
    if (goesOn) this.#replace();
    else if (this.fragment !== before) this.#push({ changes: changes + 1, back: 1, lab: 1 });
  }

  /** Undoes the last change; false if there is none. */
  undo(): boolean {
    if (!this.canUndo) return false;
    const { back } = this.#past;
    this.#undone = [...this.#undone, back];
    this.#bar.go(-back);
    return true;
  }

  /** Redoes the change that was undone last; false if there is none. */
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
    // Its entry in the history still waits for its file.
    this.#awaited = undefined;
    const next = this.#next();
    filled();
    this.#ringside.view.goTo(place);
    this.#ringside.playhead.pause();
    this.#push(next());
  }

  /** The view has changed: the address bar follows when the browser is idle. */
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

  /** Shows the view of a link while it is wanted; returns what could not be restored, as sentences. */
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
      // There is no run to play: the stage would be empty.
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

  /** Whether a view needs a run that is not on the stage and that can be opened. */
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

/** Whether a link shows the stage with a run that the page can open without the viewer. */
function leadsToRun({ place, trace, scenario, lesson }: ViewState): boolean {
  return place === 'stage' && (trace ?? scenario ?? lesson) !== undefined;
}

/** The browser's own address bar. Browsers refuse many replacements in a row, so each waits for idle time. */
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
