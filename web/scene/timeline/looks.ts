/**
 * The look of each context in a lane: colour, height and word together, so that colour is never the only
 * sign. The more urgent a context, the higher its band.
 */
import type { Glossary } from '../../core/core.ts';
import type { Lanes } from '../../core/lanes.ts';
import type { LaneColour } from './shapes.ts';

export interface ContextLook {
  /** The glossary's name. */
  readonly name: string;
  readonly word: string;
  readonly fill: LaneColour;
  readonly on: LaneColour;
  /** Fraction of the lane's height, 0 to 1. */
  readonly height: number;
  readonly isHatched: boolean;
  /** Contexts of higher order are drawn on top. */
  readonly order: number;
  /** Whether it is a task's own time, on which its name is written. */
  readonly isTask: boolean;
}

const UNKNOWN: ContextLook = {
  name: 'unknown',
  word: 'not recorded',
  fill: 'line',
  on: 'ink-muted',
  height: 0.06,
  isHatched: false,
  order: 0,
  isTask: false,
};

const look = (
  word: string,
  fill: LaneColour,
  height: number,
  order: number,
  more: Partial<ContextLook> = {},
): ContextLook => ({
  ...UNKNOWN,
  ...{ name: word, word, fill, height, order },
  on: fill === 'idle' ? 'on-idle' : (`on-${fill}` as LaneColour),
  ...more,
});

const LOOKS: Readonly<Record<string, ContextLook>> = {
  unknown: UNKNOWN,
  idle: look('idle', 'idle', 0.18, 1),
  user: look('user', 'user', 0.64, 2, { isTask: true }),
  kernel: look('kernel', 'kernel', 0.74, 3, { isTask: true }),
  softirq: look('softirq', 'softirq', 0.88, 4),
  spinning: look('spinning', 'lock', 0.8, 5, { isHatched: true }),
  hardirq: look('hardirq', 'hardirq', 1, 6),
  nmi: look('NMI', 'hardirq', 1, 7, { name: 'nmi', isHatched: true }),
};

/** In the order of the glossary's contexts. */
export function looksOf({ contexts }: Pick<Glossary, 'contexts'>): readonly ContextLook[] {
  return contexts.map(({ name }) => LOOKS[name] ?? { ...UNKNOWN, name, word: name });
}

export function lookOf(looks: readonly ContextLook[], context: number): ContextLook {
  return looks[context] ?? UNKNOWN;
}

/** Contexts that are always in the legend; others only if they occur. */
const COMMON: readonly string[] = ['hardirq', 'softirq', 'kernel', 'user', 'idle'];

/** The contexts in the legend, the most urgent first. */
export function legendOf(
  looks: readonly ContextLook[],
  lanes: Lanes | undefined,
): readonly ContextLook[] {
  if (lanes !== undefined && lanes.cpus.length === 0) return [];
  const seen = new Set(lanes?.cpus.flatMap(({ context }) => [...new Set(context)]));
  return looks
    .filter(({ name }, context) => COMMON.includes(name) || seen.has(context))
    .toSorted((a, b) => b.order - a.order);
}
