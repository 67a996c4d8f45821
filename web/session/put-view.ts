/**
 * Applies a view to the live state: only fields that differ from the view before, so that others are not
 * disturbed while film runs. Fields that name the open run are skipped: opening a run is separate.
 */
import type { Ringside } from './context.ts';
import { unlessGone } from '../core/run.ts';
import { holdSame } from './same.ts';
import { DEFAULT_PACE } from './speed.ts';
import { filtersOf } from './snapshot.ts';
import type { ViewState } from './view-state.ts';

const FILTERS = [
  ...(['sort', 'isDescending', 'flow', 'socket', 'cpu', 'verdict'] as const),
  ...(['dropReason', 'direction', 'duration', 'began'] as const),
] as const satisfies readonly (keyof ViewState)[];

export function putView(ringside: Ringside, before: ViewState, after: ViewState): void {
  const { playhead, selection, session, view } = ringside;
  const differs = (key: keyof ViewState) => !holdSame(before[key], after[key]);
  if (differs('place')) view.goTo(after.place);
  if (differs('panel')) view.showPanel(after.panel);
  if (differs('stageView')) view.showStageView(after.stageView);
  if (differs('isStageAlone')) view.showStageAlone(after.isStageAlone);
  if (differs('isTimelineOpen')) view.openTimeline(after.isTimelineOpen);
  if (differs('zoom')) view.setZoom(after.zoom);
  if (differs('notes')) view.setNotes(after.notes ?? []);
  if (differs('range')) selection.setRange(after.range);
  if (differs('packet')) selection.select(after.packet);
  if (differs('isFollowing')) selection.setFollowing(after.isFollowing);
  if (FILTERS.some(differs) && session.run !== undefined) {
    selection.setFilters(filtersOf(after, session.run, session.glossary, []));
  }
  if (differs('pacing')) playhead.setPacing(after.pacing);
  if (differs('speed') && after.speed !== undefined) playhead.setSpeed(after.speed);
  if (differs('pace')) playhead.setPace(after.pace ?? DEFAULT_PACE);
  if (differs('focus')) void playhead.tellOf(after.focus).catch(unlessGone);
  if (differs('rate') && after.rate !== undefined) playhead.setRate(after.rate);
  if (differs('loop')) playhead.loopRange(after.loop);
  if ((differs('time') || differs('dwelt')) && after.time !== undefined) {
    playhead.seek(after.time);
    if (after.dwelt !== undefined) playhead.dwell(after.dwelt / 1000);
  }
}

/** The keys in which two views differ. */
export function differences(a: ViewState, b: ViewState): readonly (keyof ViewState)[] {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ViewState>;
  return [...keys].filter((key) => !holdSame(a[key], b[key]));
}
