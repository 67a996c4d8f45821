/**
 * Captions as text: what a beat says at a level. Which beat is on screen is a function of the film: while it runs
 * what the core chose to be read then, else the last beat of what the picture shows. Each stands until it can have
 * been read, and what is gone from the picture before that has a few words and a sentence, both of one beat.
 */
import type { PacketId } from '../core/core.ts';
import type { Said, Told } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { firstWhere } from '../scene/first-where.ts';
import { actorAt, beatAt, timeAt } from '../session/told.ts';
import type { CaptionLevel } from '../session/choices.ts';

/** Two lines to read, the second perhaps empty. */
export interface Lines {
  readonly what: string;
  readonly why: string;
  readonly isInferred: boolean;
  /** They are still read, but the picture has gone on. */
  readonly isBehind: boolean;
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
  told: Told,
  film: number,
  isRunning: boolean,
  pace: number,
  focus?: PacketId,
): Telling | undefined {
  const { beats, captions } = told;
  const now = beatAt(beats, film);
  const shown = isRunning ? beatAt(captions, film) : undefined;
  if (now === undefined) return undefined;
  const read = shown === undefined ? undefined : captions.beat[shown];
  if (read === undefined || shown === undefined) {
    if (isRunning) return undefined;
    return { read: pictured(told, film, focus) ?? now, now, isBehind: false };
  }
  // Of several beats of one moment the picture shows all.
  if (momentOf(beats, now) <= momentOf(beats, read)) return { read, now: read, isBehind: false };
  const [from = film, to = Infinity] = [captions.film[shown], captions.film[shown + 1]];
  const stands = READ_SECONDS * pace;
  // What comes after it stands for as long itself, or until the next caption.
  const begins = from + Math.floor((film - from) / stands) * stands;
  const isLast = to - begins < stands / 2;
  const since = isLast ? Math.max(from, begins - stands) : begins;
  const late = since > from ? pictured(told, since, focus) : undefined;
  const chosen = Math.max(read, late ?? read);
  // Who still waits where the sentence says is not left behind.
  return { read: chosen, now, isBehind: chosen !== pictured(told, film, focus) };
}

/**
 * The last beat of what the picture of a second of film shows: the focus's own if one is of that moment, else one
 * of the packet that is followed. What another packet does is told at its very moment alone, as the picture goes on.
 */
function pictured(
  { actors, beats, pieces }: Told,
  film: number,
  focus: PacketId | undefined,
): number | undefined {
  const now = beatAt(beats, film);
  if (now === undefined) return undefined;
  const moment = momentOf(beats, now);
  const actor = actorAt(actors, film);
  const followedFrom = actors.film[beatAt(actors, film) ?? -1] ?? film;
  const isOfMoment = beats.time[now] === timeAt(pieces, film);
  return (
    lastOf(beats, now, focus, moment) ??
    lastOf(beats, now, actor, isOfMoment ? moment : followedFrom) ??
    now
  );
}

/** The last beat of a packet, up to one and not before a second of film. */
function lastOf(
  beats: Told['beats'],
  upTo: number,
  packet: PacketId | undefined,
  from: number,
): number | undefined {
  let at = upTo;
  while (at >= 0 && momentOf(beats, at) >= from && beats.packet[at] !== packet) at -= 1;
  return at >= 0 && momentOf(beats, at) >= from ? at : undefined;
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

/** Whether a beat was read before the film began to run: what is read does not change its form under the reader. */
export function wasRead(
  { read, isBehind }: Telling,
  told: Told,
  begunAt: number | undefined,
  focus: PacketId | undefined,
): boolean {
  return (
    begunAt !== undefined && !isBehind && tellingAt(told, begunAt, false, 1, focus)?.read === read
  );
}

/** With a sentence more, about what the picture shows. */
export function withMore(lines: Lines, more: string | undefined): Lines {
  return more === undefined ? lines : { ...lines, why: `${lines.why} ${more}`.trim() };
}

/**
 * Where there is no time for two sentences: what happens in a few words, and the sentence for who is quick. Where these
 * words say it already, that is what explains it.
 */
export function briefLinesOf(
  said: Said,
  level: CaptionLevel,
  say: (saying: Saying) => string,
  isBehind: boolean,
): Lines {
  const what = say(level === 'kernel' ? said.kernel : said.short);
  const sentence = said.isSaidShort ? (said.why ?? said.plain) : said.plain;
  const why = level === 'short' ? '' : say(sentence);
  return { what, why, isInferred: said.plain.isInferred, isBehind };
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
    isBehind: false,
  };
}
