/** What the button says that goes on in a lesson: what it does now. */
import { m } from '../words/generated/messages.js';
import type { LessonSession } from './lesson-session.svelte.ts';

export function turnText(
  { isLast, motion }: Pick<LessonSession, 'isLast' | 'motion'>,
  isPlaying: boolean,
): string {
  if (isLast) return m.lesson_finish();
  return motion === 'playing' && isPlaying ? m.lesson_skip() : m.lesson_continue();
}
