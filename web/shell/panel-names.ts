/**
 * What the parts beside the stage are called, where they are chosen: in the side panel, and where there
 * is room for one part at a time among those of the whole screen.
 */
import type { Opened } from '../core/core.ts';
import { DEFAULT_VIEW, PANELS, type Panel } from '../session/view-state.ts';
import { m } from '../words/generated/messages.js';

export const PANEL_NAMES: Readonly<Record<Panel, () => string>> = {
  findings: m.finding_short,
  captions: m.caption_list,
  inspect: m.inspect_journeys,
  figures: m.figures_short,
  profile: m.profile_short,
  sequence: m.sequence_short,
  forks: m.fork_short,
  ledger: m.ledger_short,
};

/** What of two runs stands in the side panel is worth the room of one of them. */
export const OF_BOTH: ReadonlySet<Panel> = new Set(['profile', 'figures']);

/** A graph wants as much room as the stage. */
export const GRAPHS: ReadonlySet<Panel> = new Set(['profile', 'sequence']);

/** Where one part is shown at a time: a link may be to a panel, else the stage is first. */
export function firstOf(panel: Panel): 'stage' | 'timeline' | 'side' {
  return panel === DEFAULT_VIEW.panel ? 'stage' : 'side';
}

/** Those that have something to say of a run, and the one that is shown. The ledger is asked for elsewhere. */
export function offeredPanels({ hasSequences, origin }: Opened, shown: Panel): readonly Panel[] {
  const isOffered = (panel: Panel) =>
    panel !== 'ledger' &&
    (panel !== 'sequence' || hasSequences) &&
    (panel !== 'forks' || origin === 'simulated');
  return PANELS.filter((panel) => panel === shown || isOffered(panel));
}
