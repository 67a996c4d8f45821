/**
 * The part of the page that is loaded when lessons are first opened: the list, the panel beside the stage,
 * and the session that connects them to the page.
 */
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import { keep, kept } from '../storage/kept.ts';
import { doorTo } from './door.ts';
import { LessonSession } from './lesson-session.svelte.ts';

export { default as FollowedStep } from './FollowedStep.svelte';
export { default as LessonSide } from './LessonSide.svelte';
export { default as Lessons } from './Lessons.svelte';
export { findLesson } from './shelf.ts';

/** The single lesson session of the page. */
export function sessionOf(ringside: Ringside, commands: Dispatcher): LessonSession {
  return new LessonSession(doorTo(ringside, commands), { keep, kept });
}
