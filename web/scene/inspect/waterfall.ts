/**
 * One journey as bars below each other on one time axis: service and waiting of each sojourn, grouped by
 * piece, with the hand-overs between CPUs and the longest wait.
 *
 * Simplified here: a sojourn's service is drawn before its wait. The record gives the total CPU time spent
 * on the packet, not when it was spent; a learner would sometimes see service interrupted by a wait
 * instead.
 */
import { NO_CPU, type Nanos, type Stretch } from '../../core/core.ts';
import type { Journey, StayRow } from '../../core/journeys.ts';
import { axisTicks, foldedAxis, trueAxis, type Tick, type TimeAxis } from './time-axis.ts';

/** A sojourn; positions are fractions of the width. */
export interface Bar {
  /** Index in the journey's sojourns. */
  readonly index: number;
  readonly stay: StayRow;
  readonly left: number;
  /** Position at which service ends and waiting begins. */
  readonly middle: number;
  readonly right: number;
  /** The CPU from which this sojourn's CPU took over the packet, if it was another. */
  readonly handedFrom: number | undefined;
}

/** The sojourns of one piece, or those of the whole packet if there are several pieces. */
export interface BarGroup {
  /** The piece's number from 0, or `whole`. */
  readonly piece: number | 'whole';
  readonly bars: readonly Bar[];
}

export interface Waterfall {
  readonly axis: TimeAxis;
  readonly ticks: readonly Tick[];
  readonly groups: readonly BarGroup[];
  /** Whether folding would change anything. */
  readonly canFold: boolean;
}

export function waterfall(journey: Journey, isFolded: boolean, tickCount: number): Waterfall {
  const { start, stays } = journey;
  const end = Math.max(journey.end, ...stays.map(({ leave }) => leave));
  const folded = foldedAxis(start, end, stays.map(serviceOf));
  const axis = isFolded ? folded : trueAxis(start, end);
  return {
    axis,
    ticks: axisTicks(axis, tickCount),
    groups: groupsOf(stays, axis),
    canFold: folded.folds.length > 0 && stays.some(({ service }) => service > 0),
  };
}

/** The next sojourn: of the same piece, or of the packet that the piece was merged into. */
export function stayAfter(stays: readonly StayRow[], stay: StayRow): StayRow | undefined {
  const later = stays.slice(stays.indexOf(stay) + 1).filter(({ enter }) => enter >= stay.leave);
  return later.find(({ piece }) => piece === stay.piece) ?? later.find(({ piece }) => piece === 0);
}

function serviceOf({ enter, service }: StayRow): Stretch {
  return { from: enter, to: enter + service };
}

function groupsOf(stays: readonly StayRow[], axis: TimeAxis): readonly BarGroup[] {
  const joined = wholeFrom(stays);
  const groups = new Map<number | 'whole', Bar[]>();
  const lastCpu = new Map<number, number>();
  stays.forEach((stay, index) => {
    const isWhole = joined !== undefined && stay.piece === 0 && stay.enter >= joined;
    const key = isWhole ? 'whole' : stay.piece;
    const bars = groups.get(key) ?? [];
    bars.push(barOf(stay, index, axis, lastCpu.get(stay.piece)));
    groups.set(key, bars);
    if (stay.cpu !== NO_CPU) lastCpu.set(stay.piece, stay.cpu);
  });
  return [...groups]
    .map(([piece, bars]) => ({ piece, bars }))
    .sort((a, b) => rank(a.piece) - rank(b.piece));
}

function rank(piece: number | 'whole'): number {
  return piece === 'whole' ? Number.MAX_SAFE_INTEGER : piece;
}

/** The time at which the pieces became one packet; `undefined` if there were no pieces. */
function wholeFrom(stays: readonly StayRow[]): Nanos | undefined {
  const leaves = stays.filter(({ piece }) => piece !== 0).map(({ leave }) => leave);
  return leaves.length === 0 ? undefined : Math.max(...leaves);
}

function barOf(stay: StayRow, index: number, axis: TimeAxis, cpuBefore: number | undefined): Bar {
  const isHandOver = cpuBefore !== undefined && stay.cpu !== NO_CPU && stay.cpu !== cpuBefore;
  return {
    index,
    stay,
    left: axis.at(stay.enter),
    middle: axis.at(Math.min(stay.enter + stay.service, stay.leave)),
    right: axis.at(stay.leave),
    handedFrom: isHandOver ? cpuBefore : undefined,
  };
}
