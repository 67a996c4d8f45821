/**
 * Captions as text: what a beat says at a level. Which beat is on
 * screen is a function of the film: while it runs the weightiest of late, else the last one.
 */
import type { Beats, Said } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { beatAt } from '../session/told.ts';
import type { Level } from './level.svelte.ts';

/** Two lines to read, the second perhaps empty. */
export interface Lines {
  readonly what: string;
  readonly why: string;
  readonly isInferred: boolean;
}

/** The beat whose caption stands at a second of film; nothing before the first. */
export function captionAt(beats: Beats, film: number, isRunning: boolean): number | undefined {
  const beat = beatAt(beats, film);
  return beat === undefined || !isRunning ? beat : beats.caption[beat];
}

/** At the kernel's level the function comes first and the plain sentence explains it. */
export function linesOf(said: Said, level: Level, say: (saying: Saying) => string): Lines {
  const why = level === 'kernel' ? said.plain : level === 'plain' ? said.why : undefined;
  return {
    what: say(said[level]),
    why: why === undefined ? '' : say(why),
    isInferred: said[level].isInferred || why?.isInferred === true,
  };
}
