/** What the shelf calls that which happens in a run, and its groups. */
import { m } from '../words/generated/messages.js';
import type { Happening } from './happenings.ts';
import type { GroupName } from './shelf.ts';

const HAPPENINGS: Readonly<Record<Happening, () => string>> = {
  drops: m.happening_drops,
  merging: m.happening_merging,
  fragments: m.happening_fragments,
  reordering: m.happening_reordering,
  sending: m.happening_sending,
  cpus: m.happening_cpus,
  locks: m.happening_locks,
};

const GROUPS: Readonly<Record<GroupName, () => string>> = {
  receiving: m.shelf_group_receiving,
  cpus: m.shelf_group_cpus,
  wrong: m.shelf_group_wrong,
  sending: m.shelf_group_sending,
  toolkit: m.shelf_group_toolkit,
  capture: m.shelf_group_capture,
};

export function happeningWord(happening: Happening): string {
  return HAPPENINGS[happening]();
}

export function groupTitle(group: GroupName): string {
  return GROUPS[group]();
}
