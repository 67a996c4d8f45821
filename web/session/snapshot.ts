/**
 * Converts between the live state and a view: takes the whole state, or what a link needs, and restores
 * one. Values outside the open run (a time past its end, an unknown packet) are adjusted and reported.
 */
import type { JourneyQuery } from '../core/journeys.ts';
import type { Opened } from '../core/core.ts';
import { unlessGone } from '../core/run.ts';
import { m } from '../words/generated/messages.js';
import type { Stretch } from './advance.ts';
import type { Ringside } from './context.ts';
import { notesWithin } from './notes.ts';
import type { Playhead } from './playhead.svelte.ts';
import type { Source } from './session.svelte.ts';
import { type ViewState } from './view-state.ts';

/** A link does not distinguish absent from undefined. */
type Loose<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** The view that a link needs to show this moment again. */
export function takeView(ringside: Ringside): ViewState {
  const { view, draft, sweep } = ringside;
  const look = { place: view.place, panel: view.panel };
  // The Lab is about the scenario in its form, whichever run is open.
  if (view.place === 'lab')
    return complete<ViewState>({
      ...nothingOpen,
      ...look,
      scenario: draft.scenario,
      before: draft.before === draft.scenario ? undefined : draft.before,
      sweep: sweep.plan,
    });
  // A step of a lesson determines what is on the stage.
  if (view.place === 'stage' && view.lesson !== undefined)
    return complete<ViewState>({ ...nothingOpen, ...look, lesson: view.lesson });
  return wholeView(ringside);
}

/** The whole view, which commands work on, including fields that a link omits. */
export function wholeView(ringside: Ringside): ViewState {
  const { session, playhead } = ringside;
  if (session.run === undefined || session.source === undefined) return lookedAt(ringside);
  const [time, dwelt] = [Math.floor(playhead.time), dweltAt(playhead)];
  return complete<ViewState>({ ...lookedAt(ringside), time, dwelt });
}

/** The view without its time, so that it does not change while film runs. */
export function lookedAt(ringside: Ringside): ViewState {
  const { session, playhead, selection, view, beside, forks } = ringside;
  const { run, source } = session;
  const look = { place: view.place, panel: view.panel };
  if (run === undefined || source === undefined)
    return complete<ViewState>({ ...nothingOpen, ...look });
  const { filters } = selection;
  const isByEvent = playhead.pacing === 'event';
  return complete<ViewState>({
    ...originOf(source, run),
    beside: besideOf(beside.source),
    forks: forks.tree,
    ...look,
    stageView: view.stageView,
    isStageAlone: view.isStageAlone,
    isTimelineOpen: view.isTimelineOpen,
    speed: playhead.speed,
    rate: isByEvent ? playhead.rate : undefined,
    pacing: playhead.pacing,
    loop: whole(playhead.loop),
    zoom: whole(view.zoom),
    range: whole(selection.range),
    packet: selection.packet,
    isFollowing: selection.isFollowing,
    notes: view.notes.length === 0 ? undefined : view.notes,
    ...fieldsOf(filters),
  });
}

/** The fields of a view for the filters of the journey table; a filter that is not set is undefined. */
export function fieldsOf(filters: JourneyQuery) {
  const { sort, isDescending, flow, socket, cpu, verdict, dropReason, direction } = filters;
  return {
    ...{ sort, isDescending, flow, socket, cpu, verdict, dropReason, direction },
    duration: bounds(filters.minDuration, filters.maxDuration),
    began: bounds(filters.from, filters.to),
  };
}

/** Restores the fields that need no run. */
export function applyLook({ view }: Ringside, wanted: ViewState): void {
  view.showPanel(wanted.panel);
  view.showStageView(wanted.stageView);
  view.showStageAlone(wanted.isStageAlone);
  view.openTimeline(wanted.isTimelineOpen);
}

/** Restores all fields for the open run; returns sentences about those that had to be changed. */
export function applyView(ringside: Ringside, wanted: ViewState): readonly string[] {
  applyLook(ringside, wanted);
  const { session, playhead, selection, view } = ringside;
  const { run } = session;
  if (run === undefined) return [];
  const notices: string[] = [];
  playhead.pause();
  playhead.setSpeed(wanted.speed ?? playhead.speed);
  playhead.setRate(wanted.rate ?? playhead.rate);
  playhead.setPacing(wanted.pacing);
  playhead.loopRange(inside(wanted.loop, run, m.link_field_loop(), notices));
  // A link without a time shows the run as it opens.
  if ((wanted.zoom ?? wanted.time) !== undefined)
    view.setZoom(inside(wanted.zoom, run, m.link_field_zoom(), notices));
  selection.setRange(inside(wanted.range, run, m.link_field_range(), notices));
  selection.setFilters(filtersOf(wanted, run, notices));
  const time = wanted.time ?? playhead.time;
  if (time > run.duration) notices.push(m.link_after_end());
  playhead.seek(time);
  if (wanted.dwelt !== undefined) playhead.dwell(wanted.dwelt / 1000);
  const isMissing = wanted.packet !== undefined && wanted.packet >= run.journeys.total;
  if (isMissing) notices.push(m.link_not_there({ field: m.link_field_packet() }));
  selection.select(isMissing ? undefined : wanted.packet);
  selection.setFollowing(wanted.isFollowing);
  // Following a packet implies the film made for it, as when it was selected.
  const focus = wanted.isFollowing && !isMissing ? wanted.packet : undefined;
  if (focus !== playhead.focus) void playhead.tellOf(focus).catch(unlessGone);
  const notes = notesWithin(wanted.notes, run.duration, run.journeys.total);
  if (notes.length < (wanted.notes?.length ?? 0)) notices.push(m.link_notes_after_end());
  view.setNotes(notes);
  return notices;
}

function originOf(source: Source, run: Opened): Pick<ViewState, 'trace' | 'own' | 'scenario'> {
  switch (source.kind) {
    case 'bundled':
      return { trace: source.slug };
    case 'own':
      return { own: run.fingerprint };
    case 'simulated':
      return { scenario: source.scenario };
  }
}

/** How a link names the second run; a file of the viewer's own cannot be in it. */
function besideOf(source: Source | undefined): string | undefined {
  switch (source?.kind) {
    case 'bundled':
      return source.slug;
    case 'simulated':
      return source.scenario;
    case 'own':
    case undefined:
      return undefined;
  }
}

/** Milliseconds of film since the start of a dwell, whose moments the run's time does not distinguish. */
function dweltAt({ pacing, piece, film }: Playhead): number | undefined {
  if (pacing !== 'told' || piece?.kind !== 'dwell') return undefined;
  return Math.round((film - piece.film) * 1000) || undefined;
}

const nothingOpen = {
  stageView: 'way',
  isStageAlone: false,
  isTimelineOpen: false,
  pacing: 'told',
  isFollowing: false,
  sort: 'start',
  isDescending: false,
} as const;

/** Removes fields without a value, so that equal views are equal objects. */
function complete<T>(loose: Loose<T>): T {
  const entries = Object.entries(loose).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Rounds a stretch: a link holds whole nanoseconds. */
function whole(stretch: Stretch | undefined): Stretch | undefined {
  return stretch && { from: Math.floor(stretch.from), to: Math.ceil(stretch.to) };
}

function bounds(from: number | undefined, to: number | undefined): Stretch | undefined {
  if (from === undefined && to === undefined) return undefined;
  return whole({ from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER });
}

function inside(
  stretch: Stretch | undefined,
  run: Opened,
  called: string,
  notices: string[],
): Stretch | undefined {
  if (stretch === undefined) return undefined;
  const to = Math.min(stretch.to, run.duration);
  if (stretch.from < to) return { from: stretch.from, to };
  notices.push(m.link_outside({ field: called }));
  return undefined;
}

/** The filters of a view; those that the run does not have are dropped and reported. */
export function filtersOf(wanted: ViewState, run: Opened, notices: string[]): JourneyQuery {
  const hasFlow = wanted.flow === undefined || wanted.flow < run.flows.length;
  if (!hasFlow) notices.push(m.link_not_there({ field: m.link_field_flow() }));
  const { sort, isDescending, socket, cpu, verdict, dropReason, direction } = wanted;
  return complete<JourneyQuery>({
    sort,
    isDescending,
    flow: hasFlow ? wanted.flow : undefined,
    socket,
    cpu,
    verdict,
    dropReason,
    direction,
    minDuration: wanted.duration?.from,
    maxDuration: upper(wanted.duration),
    from: wanted.began?.from,
    to: upper(wanted.began),
  });
}

/** The upper bound of a stretch; the bound by which a link writes "none" is undefined. */
function upper(stretch: Stretch | undefined): number | undefined {
  return stretch && stretch.to < Number.MAX_SAFE_INTEGER ? stretch.to : undefined;
}
