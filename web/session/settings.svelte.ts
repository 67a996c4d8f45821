/**
 * What the viewer set: the theme, the size of texts, the hall, keys and captions. It is the viewer's
 * own and in no link, so what somebody else sends looks as the viewer wants it. Commands change it;
 * the language stands in `words/locale.svelte.ts`.
 */
import { DEFAULT_CHOICES, TEXT_SIZE, type Choices } from './choices.ts';

/** The hall reads from afar: all is larger by this, whatever size was chosen. */
const HALL_SCALE = 1.25;

export class Settings {
  #choices: Choices;

  constructor(choices: Choices = DEFAULT_CHOICES) {
    this.#choices = $state.raw(choices);
  }

  get choices(): Choices {
    return this.#choices;
  }
  /** What all texts are to be drawn larger by, for the size that was chosen and for the hall. */
  get textScale(): number {
    return this.#choices.textSize * (this.#choices.isHall ? HALL_SCALE : 1);
  }

  choose(choices: Partial<Choices>): void {
    const all = { ...this.#choices, ...choices };
    const textSize = Math.min(TEXT_SIZE.most, Math.max(TEXT_SIZE.least, all.textSize));
    this.#choices = { ...all, textSize };
  }
}
