/**
 * The viewer's settings: theme, text size, lecture hall mode, keys and captions. They are in no link, so
 * that links by others appear as the viewer prefers. Commands change them; the language is in
 * `words/locale.svelte.ts`.
 */
import { DEFAULT_CHOICES, TEXT_SIZE, type Choices } from './choices.ts';

/** Additional text scale in lecture hall mode, which is read from afar. */
const HALL_SCALE = 1.25;

export class Settings {
  #choices: Choices;
  #isPresented = $state(false);

  constructor(choices: Choices = DEFAULT_CHOICES) {
    this.#choices = $state.raw(choices);
  }

  get choices(): Choices {
    return this.#choices;
  }
  /** Lecture hall mode: chosen, or because a lesson is presented. */
  get isHall(): boolean {
    return this.#choices.isHall || this.#isPresented;
  }
  /** The scale of all texts, from the chosen size and lecture hall mode. */
  get textScale(): number {
    return this.#choices.textSize * (this.isHall ? HALL_SCALE : 1);
  }

  /** A lesson is presented, which wants lecture hall mode as long as it is, or is so no longer. */
  present(isPresented: boolean): void {
    this.#isPresented = isPresented;
  }

  /** Lecture hall mode on or off, also while a lesson is presented. Returns which. */
  toggleHall(): boolean {
    const isHall = !this.isHall;
    this.#isPresented = false;
    this.choose({ isHall });
    return isHall;
  }

  choose(choices: Partial<Choices>): void {
    const all = { ...this.#choices, ...choices };
    const textSize = Math.min(TEXT_SIZE.most, Math.max(TEXT_SIZE.least, all.textSize));
    this.#choices = { ...all, textSize };
  }
}
