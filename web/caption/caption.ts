/**
 * Captions as text: what a beat says at a level. Which beat is on screen is a function of the
 * film: while it runs what the core chose to be read then, else the last beat.
 */
import type { Said, Told } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { beatAt } from '../session/told.ts';
import type { CaptionLevel } from '../session/choices.ts';

/** Two lines to read, the second perhaps empty. */
export interface Lines {
  readonly what: string;
  readonly why: string;
  readonly isInferred: boolean;
}

/** The beat whose caption stands at a second of film; nothing before the first. */
export function captionAt(
  { beats, captions }: Told,
  film: number,
  isRunning: boolean,
): number | undefined {
  if (!isRunning) return beatAt(beats, film);
  const shown = beatAt(captions, film);
  return shown === undefined ? undefined : captions.beat[shown];
}

/** At the kernel's level the function comes first and the plain sentence explains it. */
export function linesOf(said: Said, level: CaptionLevel, say: (saying: Saying) => string): Lines {
  const why = level === 'kernel' ? said.plain : level === 'plain' ? said.why : undefined;
  return {
    what: say(said[level]),
    why: why === undefined ? '' : say(why),
    isInferred: said[level].isInferred || why?.isInferred === true,
  };
}
