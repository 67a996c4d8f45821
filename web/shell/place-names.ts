/** What the places beside the stage are called in the title of the window; the shelf has none of its own. */
import type { Place } from '../session/view-state.ts';
import { m } from '../words/generated/messages.js';

export const PLACE_NAMES: Readonly<Partial<Record<Place, () => string>>> = {
  lab: m.place_lab,
  papers: m.place_papers,
  laws: m.laws_title,
  lessons: m.place_lessons,
};
