/**
 * What the parts beside the stage are called, where they are chosen: in the side panel, and where there
 * is room for one part at a time among those of the whole screen.
 */
import type { Panel } from '../session/view-state.ts';
import { m } from '../words/generated/messages.js';

export const PANEL_NAMES: Readonly<Record<Panel, () => string>> = {
  findings: m.finding_short,
  captions: m.caption_list,
  inspect: m.inspect_journeys,
  profile: m.profile_short,
  ledger: m.ledger_short,
};
