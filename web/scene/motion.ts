/**
 * How far packets and cache lines are on their way, as pure functions of seconds of film: played
 * backwards they give the same picture. Film and not the run's time, which stands still while
 * told film dwells on a drop or a merge: just then it is to be seen to happen. A packet stays in
 * its place and makes its hop in the last part of its stay.
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

/** What ends is seen to end for this much film: frames tell of ends as far back as this. */
const ENDING_SECONDS = 0.5;

/**
 * How much of its ending is over, for what ended some seconds of film ago: 0 at first, then 1.
 * Where nothing may move it has ended at once.
 */
export function endShare(ago: number, travel: number): number {
  return travel === 0 ? 1 : clamp01(ago / ENDING_SECONDS);
}

/** At most so many squares stand for cache lines that move at once. */
export const SQUARES = 6;

/**
 * Where on their way, 0 to 1, the squares are that stand for so many cache lines which moved some
 * seconds of film ago, each `behind` the one before it, of the whole way. Those that have not set
 * out and those that have arrived are left out; so are all where nothing may move.
 */
export function squaresOnWay(
  ago: number,
  travel: number,
  lines: number,
  behind: number,
): readonly number[] {
  const share = endShare(ago, travel);
  const many = Math.min(SQUARES, 1 + Math.floor(Math.log2(Math.max(1, lines))));
  // The last of them is there when the ending is over.
  return Array.from({ length: many }, (_, at) => share * (1 + many * behind) - at * behind)
    .filter((own) => own >= 0 && own < 1)
    .map(ease);
}

export function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function clamp01(share: number): number {
  return Math.min(1, Math.max(0, share));
}
