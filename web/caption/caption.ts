/**
 * Captions as text: what a beat says at a level. Which beat is on screen is a function of the
 * film: while it runs what the core chose to be read then, else the last beat. What is gone before
 * a sentence can be read has a few words in its place, and the sentence below; the words are always
 * of the moment that the picture shows, however long the sentence is still read.
 */
import { NO_WORD, NONE, type Nanos, type PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Said, Told } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { firstWhere } from '../session/moments.ts';
import { beatAt } from '../session/told.ts';
import { m } from '../words/generated/messages.js';
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
  /** The picture has left behind what was chosen to be read: a few words keep up with it. */
  readonly isBehind: boolean;
}

/** A caption that the picture has left behind stays for so many seconds: then it has been read. */
const READ_SECONDS = 2.4;

/** What is told at a second of film, played at a pace; nothing before the first beat. */
export function tellingAt(
  { beats, captions }: Told,
  film: number,
  isRunning: boolean,
  pace: number,
): Telling | undefined {
  const now = beatAt(beats, film);
  const shown = isRunning ? beatAt(captions, film) : undefined;
  if (now === undefined) return undefined;
  const read = shown === undefined ? undefined : captions.beat[shown];
  if (read === undefined || shown === undefined) {
    return isRunning ? undefined : { read: now, now, isBehind: false };
  }
  // Of several beats of one moment the picture shows all.
  if (momentOf(beats, now) <= momentOf(beats, read)) return { read, now: read, isBehind: false };
  const isOver = (film - (captions.film[shown] ?? film)) / pace >= READ_SECONDS;
  return { read: isOver ? now : read, now, isBehind: true };
}

function momentOf({ film }: Told['beats'], beat: number): number {
  return film[beat] ?? Infinity;
}

/** So long the few words of a drop stand, however soon the picture goes on: in less nobody reads them. */
const DROP_SECONDS = 1.5;

/** What the few words are of: what the picture shows, but a drop stands until it has been read. */
export function pictureOf(
  { captions }: Told,
  film: number,
  pace: number,
  now: Said,
  read: Said,
): Said {
  const from = captions.film[beatAt(captions, film) ?? -1] ?? -Infinity;
  const isFresh = (film - from) / pace < DROP_SECONDS;
  return isFresh && read.short.code === 'told.short.dropped' ? read : now;
}

/** Until when a packet is in view: now, or when it ended; nothing once it has left the picture. */
export function inViewUntil(
  { packets }: Pick<Frame, 'packets'>,
  packet: PacketId | undefined,
  time: Nanos,
): Nanos | undefined {
  const at = packet === undefined ? -1 : packets.packet.indexOf(packet);
  if (at < 0) return undefined;
  const hasEnded = packets.verdict[at] !== NO_WORD;
  return hasEnded ? Math.min(time, packets.until[at] ?? time) : time;
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

/** What is read of a telling whose beats say this: whom the eye follows is not, once another packet moves. */
export function readOf(chosen: Said, now: Said, telling: Telling, { packet }: Told['beats']): Said {
  const isLeft = packet[telling.read] !== packet[telling.now];
  return saysWhom(chosen) && isLeft ? now : chosen;
}

/** Whether the picture shows another packet than the one whose sentence is read; what no packet does is no other. */
export function isOther({ read, now }: Telling, { packet }: Told['beats']): boolean {
  const shown = packet[now];
  return shown !== NONE && packet[read] !== NONE && shown !== packet[read];
}

/**
 * Whether it says whom the eye follows, or that it waits: that is so until the eye follows another one, and
 * then no more.
 */
function saysWhom({ plain }: Said): boolean {
  return /^told\.(?:follows|goes|waits)/.test(plain.code);
}

/** A packet waits, and film folds. */
function isWait({ short }: Said): boolean {
  return short.code.startsWith('told.short.waits');
}

/** Whom it leaves waiting is said as it goes over to another; once that one moves, who it is. */
function whomOnceItMoves({ plain, why }: Said): Saying {
  const isLeft = plain.code.startsWith('told.waits') && why?.code.startsWith('told.follows');
  return isLeft === true && why !== undefined ? why : plain;
}

/**
 * While film runs: what the picture shows in a few words, and a sentence for who is quick. One of a
 * moment that has passed says so, and what another packet does than the one whose sentence is read (`isOther`).
 */
export function briefLinesOf(
  now: Said,
  read: Said,
  level: CaptionLevel,
  say: (saying: Saying) => string,
  isOther = false,
): Lines {
  const { isInferred } = read.plain;
  const words = say(level === 'kernel' ? now.kernel : now.short);
  const what = isOther ? m.caption_another({ what: words }) : words;
  // For what it waits is so just now, and more than what was read before.
  const told = now === read || isWait(now) ? now.plain : whomOnceItMoves(read);
  const sentence = level === 'short' ? '' : say(told);
  const isPast = now !== read && !isWait(now) && sentence !== '' && !saysWhom(read);
  return { what, why: isPast ? m.caption_before({ sentence }) : sentence, isInferred };
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
