/**
 * Captions as text: what a beat says at a level. Which beat is on screen is a function of the
 * film: while it runs what the core chose to be read then, else the last beat. What is gone before
 * a sentence can be read has a few words in its place, and the sentence below.
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

/** Two sentences are not read in fewer seconds. */
const READABLE_SECONDS = 2.5;

/** Whether the caption of a second of film is gone too soon for sentences, at the pace of the film. */
export function isBrief({ captions }: Told, film: number, pace: number): boolean {
  const shown = beatAt(captions, film);
  if (shown === undefined) return false;
  const [from = 0, to = Infinity] = [captions.film[shown], captions.film[shown + 1]];
  return (to - from) / pace < READABLE_SECONDS;
}

/** A few words, and the sentence for who is quick: while film runs. */
export function briefLinesOf(said: Said, say: (saying: Saying) => string): Lines {
  const { isInferred } = said.plain;
  return { what: say(said.short), why: say(said.plain), isInferred };
}

/** Without what explains it: that is what a question asks that holds the film here. */
export function withoutWhy(said: Said): Said {
  return { ...said, why: undefined };
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
