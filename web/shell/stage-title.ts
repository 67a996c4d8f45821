/** What the run on the stage is called in the header, or the one that a link leads to. */
import type { Session } from '../session/session.svelte.ts';
import type { ViewState } from '../session/view-state.ts';
import { itemOf, titleOf } from '../traces/shelf.ts';

/**
 * In a lesson it is called as the lesson, as the name of a run may say too much. What is on its way is called so
 * already, so that the header has its height from the beginning.
 */
export function stageTitleOf(
  { run, source }: Session,
  lesson: { readonly title: string } | undefined,
  coming: ViewState | undefined,
): string | undefined {
  if (run !== undefined) return lesson?.title ?? source?.title;
  const item = coming && itemOf(coming);
  return item && titleOf(item);
}
