/** The properties of the Lab's result card: both sides, the texts about them, and its callbacks. */
import type { Glossary } from '../core/core.ts';
import type { Comparison, SoFar } from '../core/figures.ts';
import type { Placement } from './placement.ts';
import type { Side } from '../session/experiment.svelte.ts';
import { seedAfter } from '../session/tried-out.ts';
import { formatCount } from '../numbers/format.ts';

export interface Result {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  readonly comparison: Comparison | undefined;
  readonly glossary: Glossary | undefined;
  /** The first stretch, while the first run of the form's scenario is under way. */
  readonly soFar: SoFar | undefined;
  readonly isSettled: boolean;
  /** Number of runs of each side when complete. */
  readonly seeds: number;
}

/** One change, as text. */
export interface Change {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** Why another change required it; `undefined` if it was made on its own. */
  readonly why: string | undefined;
}

/** The texts about the two scenarios themselves. */
export interface AboutResult {
  /** Machine and kernel; `undefined` while there is no scenario. */
  readonly on: string | undefined;
  readonly changes: readonly Change[];
  /** Why one of them does not run; `undefined` if both do. */
  readonly trouble: string | undefined;
  /** Reasons for the outcome that do not depend on the core's findings. */
  readonly reasons: readonly string[];
  /** Reasons to give if the outcome shows no difference. */
  readonly why: readonly string[];
  readonly where: {
    readonly before: Placement | undefined;
    readonly after: Placement | undefined;
  };
  /** The seed of the first run. */
  readonly firstSeed: number;
}

/** The runs of which the figures are means, as values for a sentence. */
export function meansOf({ seeds }: Result, { firstSeed }: AboutResult) {
  return {
    count: formatCount(seeds),
    first: String(firstSeed),
    last: String(seedAfter(firstSeed, seeds - 1)),
  };
}

export interface ResultProps {
  /** The card's heading, so that the caller can focus it. */
  heading?: HTMLElement | undefined;
  readonly result: Result;
  readonly about: AboutResult;
  /** Makes the scenario the one that others are compared with. */
  readonly onkeep: () => void;
  /** Returns the form to the scenario that is compared with. */
  readonly onback: () => void;
  readonly onlink: () => void;
  readonly onwatch: (scenario: string) => void;
  /** Plays both: the changed run as B next to the earlier one, A. */
  readonly onboth: (scenario: string, beside: string) => void;
  readonly canUndo: boolean;
  readonly onundo: () => void;
}
