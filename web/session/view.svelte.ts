/**
 * How the viewer looks at the run: which place and panel is open, the stretch of the time
 * line in view, the theme. What is looked at is the session's and the selection's.
 */
import type { StageView } from '../core/stage-view.ts';
import type { Stretch } from './advance.ts';
import type { Panel, Place, Theme } from './view-state.ts';

/** Of texts, against their natural size: 100 to 250 %. */
export const TEXT_SIZE = { least: 1, most: 2.5, step: 0.25 } as const;

/** The hall reads from afar: all is larger by this, whatever size was chosen. */
const HALL_SCALE = 1.25;

/** On the way from another view of the moment, 0 to 1. */
export interface Turn {
  readonly from: StageView;
  readonly share: number;
}

export class View {
  #place = $state<Place>('traces');
  #panel = $state<Panel>('inspect');
  #lesson = $state<string>();
  #stageView = $state<StageView>('way');
  #turn = $state.raw<Turn>();
  #isStageAlone = $state(false);
  #isTimelineOpen = $state(false);
  #textSize = $state(1);
  #isHall = $state(false);
  #zoom = $state.raw<Stretch>();
  #theme = $state<Theme>('system');
  #isHelpShown = $state(false);
  #areLimitsShown = $state(false);
  #hasCharacterKeys = $state(true);

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
  /** The time line shows all its lanes, not one slim lane for each CPU. */
  get isTimelineOpen(): boolean {
    return this.#isTimelineOpen;
  }
  /** How large texts are against their natural size, 1 to 2.5. */
  get textSize(): number {
    return this.#textSize;
  }
  /** Larger and stronger, to be read from the last row. */
  get isHall(): boolean {
    return this.#isHall;
  }
  /** What all texts are to be drawn larger by, for the size that was chosen and for the hall. */
  get textScale(): number {
    return this.#textSize * (this.#isHall ? HALL_SCALE : 1);
  }
  /** The stretch of the time line in view; nothing: the whole run. */
  get zoom(): Stretch | undefined {
    return this.#zoom;
  }
  get theme(): Theme {
    return this.#theme;
  }

  goTo(place: Place): void {
    this.#place = place;
  }
  showPanel(panel: Panel): void {
    this.#panel = panel;
  }
  showLesson(lesson: string | undefined): void {
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
  }
  openTimeline(isOpen: boolean): void {
    this.#isTimelineOpen = isOpen;
  }
  setTextSize(textSize: number): void {
    this.#textSize = Math.min(TEXT_SIZE.most, Math.max(TEXT_SIZE.least, textSize));
  }
  setHall(isHall: boolean): void {
    this.#isHall = isHall;
  }
  setZoom(zoom: Stretch | undefined): void {
    this.#zoom = zoom;
  }
  setTheme(theme: Theme): void {
    this.#theme = theme;
  }

  get isHelpShown(): boolean {
    return this.#isHelpShown;
  }
  /** Whether keys that are single characters do something (WCAG 2.1.4 wants a switch). */
  get hasCharacterKeys(): boolean {
    return this.#hasCharacterKeys;
  }

  /** Whether what the model leaves out is on screen. */
  get areLimitsShown(): boolean {
    return this.#areLimitsShown;
  }

  showLimits(areShown: boolean): void {
    this.#areLimitsShown = areShown;
  }
  showHelp(isShown: boolean): void {
    this.#isHelpShown = isShown;
  }
  allowCharacterKeys(isAllowed: boolean): void {
    this.#hasCharacterKeys = isAllowed;
  }
}
