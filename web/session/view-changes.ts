/**
 * What commands make of a view: pure functions from view to view, with the facts of the run that the
 * view has to fit. `within` holds for every view that comes out of the dispatcher: all of it lies in
 * the run, in whole nanoseconds, and a link says it again exactly.
 */
import type { Nanos, PacketId, Stretch } from '../core/core.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Facts } from './command.ts';
import { notesWithin, type Note } from './notes.ts';
import type { ViewState } from './view-state.ts';
import { panned, zoomed } from './zoom.ts';

/** Some fields of a view; one that is undefined is to be taken out. */
export type Patch = { readonly [Key in keyof ViewState]?: ViewState[Key] | undefined };

/** The view with some fields replaced; a field that is given as undefined is taken out. */
export function patched(view: ViewState, patch: Patch): ViewState {
  const entries = Object.entries({ ...view, ...patch }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as ViewState;
}

export function withZoom(factor: number) {
  return (view: ViewState, { duration }: Facts): ViewState =>
    patched(view, { zoom: zoomed(view.zoom, duration, factor, view.time ?? 0) });
}

export function withPan(share: number) {
  return (view: ViewState, { duration }: Facts): ViewState =>
    patched(view, { zoom: panned(view.zoom, duration, share) });
}

export function zoomedOut(view: ViewState): ViewState {
  return patched(view, { zoom: undefined });
}

export function zoomedToRange(view: ViewState): ViewState {
  return patched(view, { zoom: view.range });
}

/** The range begins at the playhead, and ends where it ended or at the end of the run. */
export function rangeFromHere(view: ViewState, { duration }: Facts): ViewState {
  const from = view.time ?? 0;
  const end = view.range?.to ?? duration;
  return patched(view, { range: { from, to: from < end ? end : duration } });
}

/** The range ends at the playhead, and begins where it began or at the start of the run. */
export function rangeToHere(view: ViewState): ViewState {
  const to = view.time ?? 0;
  const start = view.range?.from ?? 0;
  return patched(view, { range: { from: start < to ? start : 0, to } });
}

/** Loops the range, or what the time line shows; a loop that is there ends. */
export function loopToggled(view: ViewState): ViewState {
  return patched(view, { loop: view.loop === undefined ? (view.range ?? view.zoom) : undefined });
}

export function at(time: (facts: Facts) => Nanos) {
  return (view: ViewState, facts: Facts): ViewState =>
    patched(view, { time: time(facts), dwelt: undefined });
}

export function stageViewTurned(by: 1 | -1) {
  return (view: ViewState, { offered }: Facts): ViewState => {
    const next = (offered.indexOf(view.stageView) + by + offered.length) % offered.length;
    return patched(view, { stageView: offered[next] ?? 'way' });
  };
}

export function withStageView(stageView: StageView) {
  return (view: ViewState): ViewState => patched(view, { stageView });
}

export function stageAloneToggled(view: ViewState): ViewState {
  return patched(view, { isStageAlone: !view.isStageAlone });
}

export function timelineToggled(view: ViewState): ViewState {
  return patched(view, { isTimelineOpen: !view.isTimelineOpen });
}

export function ledgerToggled(view: ViewState): ViewState {
  return patched(view, {
    place: 'stage',
    panel: view.panel === 'ledger' ? 'findings' : 'ledger',
  });
}

/** The notes that are pinned to moments; none: nothing is. */
export function withNotes(notes: readonly Note[]) {
  return (view: ViewState): ViewState =>
    patched(view, { notes: notes.length === 0 ? undefined : notes });
}

/** One part of the panel beside the stage. */
export function withPanel(panel: ViewState['panel']) {
  return (view: ViewState): ViewState => patched(view, { panel });
}

export function followToggled(view: ViewState): ViewState {
  return patched(view, { isFollowing: !view.isFollowing });
}

/**
 * A packet is followed: play head and time line come to it, unless they are with it already.
 *
 * @param moment where to look within its journey; unless told, where it begins
 */
export function withFollowed(
  packet: PacketId,
  { start, end }: { readonly start: Nanos; readonly end: Nanos },
  moment?: Nanos,
) {
  return (view: ViewState, { duration }: Facts): ViewState => {
    const { time = 0, zoom } = view;
    const isThere = moment === undefined && start <= time && time <= end;
    const to = moment ?? start;
    return patched(view, {
      ...{ packet, isFollowing: true, place: 'stage' },
      ...(isThere ? {} : { time: to, dwelt: undefined }),
      zoom: zoom && brought(zoom, isThere ? time : to, duration),
    });
  };
}

/** The stretch moved, if it must be, so that a time is in its middle. */
function brought(zoom: Stretch, time: Nanos, duration: Nanos): Stretch {
  if (zoom.from <= time && time <= zoom.to) return zoom;
  const length = zoom.to - zoom.from;
  const from = Math.min(Math.max(time - length / 2, 0), Math.max(duration - length, 0));
  return { from, to: from + length };
}

/** Lets go of one thing at a time: the whole window, following, the packet, the range. */
export function letGo(view: ViewState): ViewState {
  if (view.isStageAlone) return patched(view, { isStageAlone: false });
  if (view.isFollowing) return patched(view, { isFollowing: false });
  if (view.packet !== undefined) return patched(view, { packet: undefined });
  return patched(view, { range: undefined });
}

/** A stretch as it was marked, in either direction. */
export function inOrder({ from, to }: Stretch): Stretch {
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** The view with all of it in the run that is open. */
export function within(view: ViewState, { run, duration }: Facts): ViewState {
  const packets = run?.journeys.total ?? 0;
  const hasPacket = view.packet !== undefined && view.packet < packets;
  const hasFocus = view.focus !== undefined && view.focus < packets;
  const notes = notesWithin(view.notes, duration, packets);
  return patched(view, {
    time: view.time === undefined ? undefined : Math.floor(clamped(view.time, duration)),
    loop: inside(view.loop, duration),
    zoom: inside(view.zoom, duration),
    range: inside(view.range, duration),
    packet: hasPacket ? view.packet : undefined,
    focus: hasFocus ? view.focus : undefined,
    notes: notes.length === 0 ? undefined : notes,
    isFollowing: view.isFollowing && (hasPacket || view.packet === undefined),
  });
}

/** In whole nanoseconds; nothing of it in the run: none. */
function inside(stretch: Stretch | undefined, duration: Nanos): Stretch | undefined {
  if (stretch === undefined) return undefined;
  const from = Math.floor(clamped(stretch.from, duration));
  const to = Math.ceil(clamped(stretch.to, duration));
  return from < to ? { from, to } : undefined;
}

function clamped(time: Nanos, duration: Nanos): Nanos {
  return Math.min(Math.max(time, 0), duration);
}
