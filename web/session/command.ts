/**
 * A command is data. Lessons and observers name it by its id; its keys, title and group appear in the help
 * page and the palette; its effect is either a pure function from view to view or a side effect. Only the
 * dispatcher executes it.
 */
import type { Nanos, Opened } from '../core/core.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Commands } from './commands.ts';
import type { ViewState } from './view-state.ts';

export const GROUPS = ['play', 'step', 'timeline', 'look', 'page'] as const;
export type CommandGroup = (typeof GROUPS)[number];

/** The facts of the run on the stage that a view has to be consistent with. */
export interface Facts {
  /** `undefined` while no run is open. */
  readonly run: Opened | undefined;
  readonly duration: Nanos;
  /** The stage views that have content for this run, in their order. */
  readonly offered: readonly StageView[];
  /** A lesson is under way. */
  readonly isLesson?: boolean;
}

/** A command's result: the new view, and the sentence that announces it. */
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
  /** Where it applies, its keys mean this in place of what they mean elsewhere. */
  readonly takesKeys?: boolean;
  readonly group: CommandGroup;
  readonly title: () => string;
  /** Other words by which the palette finds it. */
  readonly otherWords?: () => string;
  /** Whether the command applies; if absent, it always does. */
  readonly when?: (view: ViewState, facts: Facts) => boolean;
  /** The sentence to announce if it does not apply; if absent, none. */
  readonly otherwise?: (view: ViewState, facts: Facts) => string | undefined;
  readonly does: Change | Effect;
}

export function onStage(view: ViewState, { run }: Facts): boolean {
  return view.place === 'stage' && run !== undefined;
}
