/**
 * How the viewer looks at the run: which place and panel is open, the stretch of the time
 * line in view, the window over the page. What is looked at is the session's and the selection's.
 */
import type { Stretch } from '../core/core.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Ringed } from '../scene/rings.ts';
import type { Note } from './notes.ts';
import type { Panel, Place } from './view-state.ts';

/**
 * What stands over the page or waits for the viewer to type, one at a time: a window, the field for a
 * moment, or the handles of the run where they take the place of something else.
 */
export type Asks =
  | 'beside'
  | 'keys'
  | 'limits'
  | 'fork'
  | 'palette'
  | 'save'
  | 'settings'
  | 'search'
  | 'note'
  | 'time'
  | 'verdict';

/** Those that leave the film in sight. */
const BESIDE_THE_FILM: ReadonlySet<Asks> = new Set(['fork', 'note', 'search', 'time']);

/** On the way from another view of the moment, 0 to 1. */
export interface Turn {
  readonly from: StageView;
  readonly share: number;
}

export class View {
  #place = $state<Place>('traces');
  #panel = $state<Panel>('findings');
  #lesson = $state<string>();
  #stageView = $state<StageView>('way');
  #turn = $state.raw<Turn>();
  #isStageAlone = $state(false);
  #isBlank = $state(false);
  #isTimelineOpen = $state(false);
  #zoom = $state.raw<Stretch>();
  #asks = $state<Asks>();
  #notes = $state.raw<readonly Note[]>([]);
  #searched = $state('');
  #ringed = $state.raw<readonly Ringed[]>([]);

  get place(): Place {
    return this.#place;
  }
  get panel(): Panel {
    return this.#panel;
  }
  /** The lesson that is under way and its step from 1, as a link names them: `two-processors.3`. */
  get lesson(): string | undefined {
    return this.#lesson;
  }
  /** Which of its five views the stage shows. */
  get stageView(): StageView {
    return this.#stageView;
  }
  /** How far the stage is on its way from the view before; nothing once it is there. */
  get turn(): Turn | undefined {
    return this.#turn;
  }
  /** The stage has the whole window, with the caption alone beside it. */
  get isStageAlone(): boolean {
    return this.#isStageAlone;
  }
  /** With the stage alone: the screen is black. */
  get isBlank(): boolean {
    return this.#isBlank && this.#isStageAlone;
  }
  blank(isBlank: boolean): void {
    this.#isBlank = isBlank;
  }
  /** The time line shows all its lanes, not one slim lane for each CPU. */
  get isTimelineOpen(): boolean {
    return this.#isTimelineOpen;
  }
  /** The stretch of the time line in view; nothing: the whole run. */
  get zoom(): Stretch | undefined {
    return this.#zoom;
  }
  goTo(place: Place): void {
    this.#place = place;
  }
  showPanel(panel: Panel): void {
    this.#panel = panel;
  }
  /** Another step, or no lesson: what the one before said to look at has no ring any more. */
  showLesson(lesson: string | undefined): void {
    if (lesson !== this.#lesson) this.#ringed = [];
    this.#lesson = lesson;
  }
  showStageView(stageView: StageView): void {
    this.#stageView = stageView;
  }
  setTurn(turn: Turn | undefined): void {
    this.#turn = turn;
  }
  showStageAlone(isAlone: boolean): void {
    this.#isStageAlone = isAlone;
    this.#isBlank = false;
  }
  openTimeline(isOpen: boolean): void {
    this.#isTimelineOpen = isOpen;
  }
  setZoom(zoom: Stretch | undefined): void {
    this.#zoom = zoom;
  }

  /** The window or field that is open. */
  get asks(): Asks | undefined {
    return this.#asks;
  }

  /** A window stands over the page. */
  get isCovered(): boolean {
    return this.#asks !== undefined && !BESIDE_THE_FILM.has(this.#asks);
  }

  /** What the viewer has pinned to moments of the run, in order of time. */
  get notes(): readonly Note[] {
    return this.#notes;
  }
  setNotes(notes: readonly Note[]): void {
    this.#notes = notes;
  }

  /** What on the stage has a ring around it: a lesson's step says to look at it. */
  get ringed(): readonly Ringed[] {
    return this.#ringed;
  }
  ring(ringed: readonly Ringed[]): void {
    this.#ringed = ringed;
  }

  /** What was looked for last. */
  get searched(): string {
    return this.#searched;
  }
  search(text: string): void {
    this.#searched = text;
  }
  ask(asks: Asks): void {
    this.#asks = asks;
  }
  /** It is asked, or put away if it is there. The handles of the run and its forks are a panel. */
  toggle(asks: Asks): void {
    const isThere = this.#asks === asks && (asks !== 'fork' || this.#panel === 'forks');
    this.#asks = isThere ? undefined : asks;
    if (asks !== 'fork') return;
    this.#panel = 'forks';
    this.#isStageAlone = false;
  }
  /** It is put away; one that has given way to another closes after it, and must not close that. */
  answered(asks: Asks): void {
    if (this.#asks === asks) this.#asks = undefined;
  }
}
