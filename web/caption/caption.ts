/**
 * Captions as text: what a beat says at a level. Which beat is on screen is a function of the film: while it runs
 * what the core chose to be read then, else the last beat. Each stands until it can have been read, and what is
 * gone from the picture before that has a few words and a sentence, both of one beat.
 */
import type { PacketId } from '../core/core.ts';
import type { Said, Told } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { firstWhere } from '../session/moments.ts';
import { beatAt } from '../session/told.ts';
import type { CaptionLevel } from '../session/choices.ts';

/** Two lines to read, the second perhaps empty. */
export interface Lines {
  readonly what: string;
  readonly why: string;
  readonly isInferred: boolean;
}

/** What is told at a second of film: whose sentence is read, and what the picture shows. */
export interface Telling {
  readonly read: number;
  readonly now: number;
  /** The picture has left behind what was chosen to be read: a few words and a sentence do. */
  readonly isBehind: boolean;
}

/** So many seconds a caption stands at least, whatever the picture goes on to: then it has been read. */
const READ_SECONDS = 2.4;

/**
 * What is told at a second of film, played at a pace; nothing before the first beat. Title and sentence are of
 * one beat and change together.
 *
 * @param focus the packet that the film is about: of several beats of one moment its own is told
 */
export function tellingAt(
  { beats, captions }: Told,
  film: number,
  isRunning: boolean,
  pace: number,
  focus?: PacketId,
): Telling | undefined {
  const now = beatAt(beats, film);
  const shown = isRunning ? beatAt(captions, film) : undefined;
  if (now === undefined) return undefined;
  const read = shown === undefined ? undefined : captions.beat[shown];
  if (read === undefined || shown === undefined) {
    return isRunning ? undefined : { read: ofFocus(beats, now, focus), now, isBehind: false };
  }
  // Of several beats of one moment the picture shows all.
  if (momentOf(beats, now) <= momentOf(beats, read)) return { read, now: read, isBehind: false };
  const [from = film, to = Infinity] = [captions.film[shown], captions.film[shown + 1]];
  const stands = READ_SECONDS * pace;
  // What comes after it stands for as long itself, or until the next caption.
  const begins = from + Math.floor((film - from) / stands) * stands;
  const isLast = to - begins < stands / 2;
  const since = isLast ? Math.max(from, begins - stands) : begins;
  const late = since > from ? beatAt(beats, since) : undefined;
  return { read: Math.max(read, late ?? read), now, isBehind: true };
}

/** The last beat of this moment that is the focus's own; without one the last of all. */
function ofFocus(beats: Told['beats'], now: number, focus: PacketId | undefined): number {
  const moment = momentOf(beats, now);
  let at = now;
  while (at >= 0 && momentOf(beats, at) === moment && beats.packet[at] !== focus) at -= 1;
  return momentOf(beats, at) === moment ? at : now;
}

function momentOf({ film }: Told['beats'], beat: number): number {
  return film[beat] ?? Infinity;
}

/** Two sentences are not read in fewer seconds. */
const READABLE_SECONDS = 2.5;

/** Whether the caption of a second of film is gone, or left behind by the picture, too soon for sentences. */
export function isBrief({ beats, captions }: Told, film: number, pace: number): boolean {
  const shown = beatAt(captions, film);
  if (shown === undefined) return false;
  const [from = 0, to = Infinity] = [captions.film[shown], captions.film[shown + 1]];
  const told = momentOf(beats, captions.beat[shown] ?? NaN);
  const next = beats.film[firstWhere(beats.film, (moment) => told < moment)] ?? Infinity;
  return (Math.min(to, next) - from) / pace < READABLE_SECONDS;
}

/** Where there is no time for two sentences: what happens in a few words, and the sentence for who is quick. */
export function briefLinesOf(
  said: Said,
  level: CaptionLevel,
  say: (saying: Saying) => string,
): Lines {
  const what = say(level === 'kernel' ? said.kernel : said.short);
  const why = level === 'short' ? '' : say(said.plain);
  return { what, why, isInferred: said.plain.isInferred };
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
