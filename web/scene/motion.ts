/**
 * How far packets and cache lines are on their way, as pure functions of seconds of film,
 * so playing backwards gives the same pictures. Film is used instead of the time of the
 * run, which stands still while told film dwells on a drop or a merge: that is when their
 * motion should be seen. A packet stays in its place and hops in the last part of its stay.
 */
/**
 * At most this part of a stay is spent on the hop at its end. It is nearly
 * all of a short stay, so that several short stays look like one movement.
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

/** Seconds of film in which an ending is animated; frames include ended packets for as long. */
const ENDING_SECONDS = 0.5;

/**
 * Progress, 0 to 1, of the ending of a packet that ended `ago`
 * seconds of film before. Under reduced motion it is 1 at once.
 */
export function endShare(ago: number, travel: number): number {
  return travel === 0 ? 1 : clamp01(ago / ENDING_SECONDS);
}

/** At most so many squares stand for cache lines that move at once. */
export const SQUARES = 6;

/**
 * Positions, 0 to 1 of the way, of the squares that stand for cache lines that moved `ago`
 * seconds of film before. Each is `behind` of the way behind the one before it. Squares
 * that have not set out or have arrived are left out; under reduced motion all are.
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
