/**
 * How the viewer looks at the run: which place and panel is open, the stretch of the time
 * line in view, the theme. What is looked at is the session's and the selection's.
 */
import type { Stretch } from './advance.ts';
import type { Panel, Place, Theme } from './view-state.ts';

export class View {
  #place = $state<Place>('traces');
  #panel = $state<Panel>('inspect');
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
