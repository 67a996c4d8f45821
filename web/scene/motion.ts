/**
 * How far a packet is on its way, as pure functions of time: played backwards they give the
 * same picture. Stay, moment and length are in one unit: seconds of film for what moves,
 * nanoseconds of the run for what lingers. A packet stays in its place and makes its hop in the last part of its stay.
 */
/**
 * At most this part of a stay is spent on the hop at its end: of a short one nearly all, so that
 * several short stays are one movement that the eye can follow.
 */
const HOP_PART = 0.85;

export interface Stay {
  readonly since: number;
  readonly until: number;
}

/** Slow at both ends. */
export function ease(share: number): number {
  const part = clamp01(share);
  return part * part * (3 - 2 * part);
}

/** How much of a stay its closing hop takes. */
export function hopLength(stay: Stay, travel: number): number {
  return Math.max(0, Math.min(travel, (stay.until - stay.since) * HOP_PART));
}

/** 0 before the hop, 1 at its end. */
export function hopShare(stay: Stay, time: number, travel: number): number {
  const length = hopLength(stay, travel);
  return length === 0 ? 0 : ease((time - (stay.until - length)) / length);
}

/** How much of the work of a stay is done: 0 at its beginning, 1 when its hop begins. */
export function workShare(stay: Stay, time: number, travel: number): number {
  const length = stay.until - stay.since - hopLength(stay, travel);
  return length > 0 ? clamp01((time - stay.since) / length) : 1;
}

/** How far an end is past, of the time for which it is shown. */
export function lingerShare(stay: Stay, time: number, linger: number): number {
  return linger > 0 ? clamp01((time - stay.until) / linger) : 1;
}

export function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function clamp01(share: number): number {
  return Math.min(1, Math.max(0, share));
}
