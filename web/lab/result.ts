/** What the card of the Lab's result is given: both sides, what is said of them, and what is done with them. */
import type { Glossary } from '../core/core.ts';
import type { Comparison, SoFar } from '../core/figures.ts';
import type { Placement } from './placement.ts';
import type { Side } from '../session/experiment.svelte.ts';
import { seedAfter } from '../session/tried-out.ts';
import { formatCount } from '../ui/format.ts';

export interface Result {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  readonly comparison: Comparison | undefined;
  readonly glossary: Glossary | undefined;
  /** While the first run of what is in the form goes on: its first stretch. */
  readonly soFar: SoFar | undefined;
  readonly isSettled: boolean;
  /** Runs that each side comes to. */
  readonly seeds: number;
}

/** One thing that was changed, in words. */
export interface Change {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** Why it had to change along with another thing, if it had to. */
  readonly why: string | undefined;
}

/** What is to be said of the two scenarios themselves. */
export interface AboutResult {
  /** On which machine, and with which kernel; nothing while no scenario is there. */
  readonly on: string | undefined;
  readonly changes: readonly Change[];
  /** Why one of them does not run. */
  readonly trouble: string | undefined;
  /** What explains the outcome before all that the core finds. */
  readonly reasons: readonly string[];
  /** Why it makes no difference, should it make none. */
  readonly why: readonly string[];
  readonly where: {
    readonly before: Placement | undefined;
    readonly after: Placement | undefined;
  };
  /** The seed of the first run. */
  readonly firstSeed: number;
}

/** Of which runs the figures are means, for a sentence. */
export function meansOf({ seeds }: Result, { firstSeed }: AboutResult) {
  return {
    count: formatCount(seeds),
    first: String(firstSeed),
    last: String(seedAfter(firstSeed, seeds - 1)),
  };
}

export interface ResultProps {
  /** Its heading, for whoever leads there. */
  heading?: HTMLElement | undefined;
  readonly result: Result;
  readonly about: AboutResult;
  /** The scenario is what is compared with from now on. */
  readonly onkeep: () => void;
  /** The form shows again what is compared with. */
  readonly onback: () => void;
  readonly onlink: () => void;
  readonly onwatch: (scenario: string) => void;
  /** Both are played: what was changed as B beside what it was, A. */
  readonly onboth: (scenario: string, beside: string) => void;
  readonly canUndo: boolean;
  readonly onundo: () => void;
}
