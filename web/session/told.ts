/**
 * Told time as pure functions of its pieces: conversion between the run's time and seconds of film, the
 * piece and the packet shown at a second of film, and how far play moves. Positions are seconds of film,
 * which distinguish the moments of a dwell; the run's time does not.
 */
import { NONE, type Nanos, type PacketId, type Stretch } from '../core/core.ts';
import {
  PIECE_KINDS,
  type Actors,
  type Beats,
  type Piece,
  type Pieces,
  type Told,
} from '../core/told.ts';
import type { Advanced } from './advance.ts';
import { firstWhere } from '../scene/first-where.ts';

/** The told film of a run without events, or before one is open. */
export const NOTHING_TOLD: Told = {
  opensWith: undefined,
  opensAt: 0,
  pieces: { film: new Float64Array(), time: new Float64Array(), kind: new Uint8Array() },
  actors: { film: new Float64Array(), packet: new Uint32Array() },
  beats: {
    film: new Float64Array(),
    time: new Float64Array(),
    packet: new Uint32Array(),
  },
  captions: { film: new Float64Array(), beat: new Uint32Array() },
};

/** Second of film at which the run reaches a time; within a dwell, its beginning. */
export function filmAt({ film, time }: Pieces, at: Nanos): number {
  const above = firstWhere(time, (begins) => at <= begins);
  const [begins, ends] = [time[above - 1], time[above]];
  if (ends === undefined) return film[film.length - 1] ?? 0;
  const [from, to] = [film[above - 1] ?? 0, film[above] ?? 0];
  if (begins === undefined || ends === at) return to;
  return from + ((at - begins) / (ends - begins)) * (to - from);
}

/** The run's time at a second of film. */
export function timeAt({ film, time }: Pieces, at: number): Nanos {
  const above = firstWhere(film, (begins) => at < begins);
  if (above === 0) return time[0] ?? 0;
  const [from, to] = [film[above - 1], film[above]];
  const [begins = 0, ends] = [time[above - 1], time[above]];
  if (from === undefined || to === undefined || ends === undefined) return begins;
  return exact(begins + ((at - from) / (to - from)) * (ends - begins));
}

/** Rounds a time that differs from a whole nanosecond only by floating-point error. */
function exact(time: Nanos): Nanos {
  const whole = Math.round(time);
  return Math.abs(time - whole) < 1e-3 ? whole : time;
}

export function filmLength({ film }: Pieces): number {
  return film[film.length - 1] ?? 0;
}

/** The piece on screen at a second of film; `undefined` in a film without pieces. */
export function pieceAt(pieces: Pieces, at: number): Piece | undefined {
  const above = firstWhere(pieces.film, (begins) => at < begins);
  return piece(pieces, Math.max(0, Math.min(above, pieces.kind.length) - 1));
}

/** The pieces between two seconds of film, in order; at most `most`. */
export function piecesBetween(pieces: Pieces, from: number, to: number, most: number): Piece[] {
  const first = Math.max(0, firstWhere(pieces.film, (begins) => from < begins) - 1);
  const past = Math.min(
    firstWhere(pieces.film, (begins) => to <= begins),
    pieces.kind.length,
  );
  const found: Piece[] = [];
  for (let at = first; at < Math.min(past, first + most); at += 1) {
    const one = piece(pieces, at);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** The packet that is followed at a second of film. */
export function actorAt({ film, packet }: Actors, at: number): PacketId | undefined {
  const actor = packet[firstWhere(film, (begins) => at < begins) - 1];
  return actor === undefined || actor === NONE ? undefined : actor;
}

/** The packet that was followed before the one at a second of film. */
export function actorBefore({ film, packet }: Actors, at: number): PacketId | undefined {
  const actor = packet[firstWhere(film, (begins) => at < begins) - 2];
  return actor === undefined || actor === NONE ? undefined : actor;
}

/** Index of the last beat at or before a second of film; `undefined` before the first. */
export function beatAt({ film }: Pick<Beats, 'film'>, at: number): number | undefined {
  const beat = firstWhere(film, (begins) => at < begins) - 1;
  return beat < 0 ? undefined : beat;
}

/** Nanoseconds of the run per second of film. */
export function scaleOf({ film, filmEnd, time, timeEnd }: Piece): number {
  return filmEnd > film ? (timeEnd - time) / (filmEnd - film) : 0;
}

/** The position after some seconds of film; the loop is in seconds of film, too. */
export function advanceTold(
  at: number,
  seconds: number,
  film: { readonly pieces: Pieces; readonly loop: Stretch | undefined },
): Advanced & { readonly film: number } {
  const { pieces, loop } = film;
  const length = filmLength(pieces);
  const moved = at + seconds;
  const inside = Math.min(Math.max(moved, 0), length);
  if (loop === undefined) {
    const isOver = seconds < 0 ? inside <= 0 : inside >= length;
    return { film: inside, time: timeAt(pieces, inside), isOver };
  }
  const [from, to] = [filmAt(pieces, loop.from), filmAt(pieces, loop.to)];
  const span = Math.max(to - from, Number.EPSILON);
  const looped =
    from <= moved && moved < to ? moved : from + ((((moved - from) % span) + span) % span);
  return { film: looped, time: timeAt(pieces, looped), isOver: false };
}

function piece({ film, time, kind }: Pieces, at: number): Piece | undefined {
  const [from, to, begins, ends] = [film[at], film[at + 1], time[at], time[at + 1]];
  const name = PIECE_KINDS[kind[at] ?? -1];
  if (from === undefined || to === undefined || begins === undefined || ends === undefined)
    return undefined;
  return name && { kind: name, film: from, filmEnd: to, time: begins, timeEnd: ends };
}
