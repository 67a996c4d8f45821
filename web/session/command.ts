/**
 * What a command is: data. Its id names it in lessons and to observers, its keys, its title and its
 * group are what the `?` page and the palette show, and what it does is either a pure function from
 * view to view or an effect. It is carried out by the dispatcher and nowhere else.
 */
import type { Nanos, Opened } from '../core/core.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Commands } from './commands.ts';
import type { ViewState } from './view-state.ts';

export const GROUPS = ['play', 'step', 'timeline', 'look', 'page'] as const;
export type CommandGroup = (typeof GROUPS)[number];

/** What of the run on the stage a view has to fit. */
export interface Facts {
  /** Nothing while no run is open. */
  readonly run: Opened | undefined;
  readonly duration: Nanos;
  /** The views of a moment that have something to show in this run, in their order. */
  readonly offered: readonly StageView[];
}

/** What a command makes of a view, and the sentence that tells what came of it. */
export interface Change {
  readonly kind: 'view';
  readonly change: (view: ViewState, facts: Facts) => ViewState;
  readonly say?: (after: ViewState, before: ViewState, facts: Facts) => string | undefined;
}

export interface Effect {
  readonly kind: 'effect';
  readonly run: (verbs: Commands) => void;
}

export interface Command {
  readonly id: string;
  /** As in KeyboardEvent.key, see keymap.ts. */
  readonly keys: readonly string[];
  readonly group: CommandGroup;
  readonly title: () => string;
  /** Whether it means something here; without it, it always does. */
  readonly when?: (view: ViewState, facts: Facts) => boolean;
  /** What to say where it does not; without it, nothing. */
  readonly otherwise?: (view: ViewState, facts: Facts) => string | undefined;
  readonly does: Change | Effect;
}

export function onStage(view: ViewState, { run }: Facts): boolean {
  return view.place === 'stage' && run !== undefined;
}
