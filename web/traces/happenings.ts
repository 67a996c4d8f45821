/** What can happen in a run, as the shelf's filter names it, and what is drawn of a run when the page is built. */
import type { Picture } from './picture.ts';

/** In the order of the filter. */
export const happenings = [
  'drops',
  'merging',
  'fragments',
  'reordering',
  'sending',
  'cpus',
  'locks',
] as const;

export type Happening = (typeof happenings)[number];

/** A run on its card. */
export interface Shown {
  readonly picture: Picture;
  readonly happens: readonly Happening[];
}
