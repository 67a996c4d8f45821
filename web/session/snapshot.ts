/**
 * Between the living state and a view of it: takes all of this moment, or what a link says of it,
 * and puts one back. What lies outside of the run that is open (a time past its end, a packet it
 * does not have) is brought inside and told.
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

/** Absent and undefined are the same thing for a link. */
type Loose<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** What a link has to say so that this moment can be shown again. */
export function takeView(ringside: Ringside): ViewState {
  const { view, draft, sweep } = ringside;
  const look = { place: view.place, panel: view.panel };
  // The Lab is about the scenario in its form, whatever run is open beside it.
  if (view.place === 'lab')
    return complete<ViewState>({
      ...nothingOpen,
      ...look,
      scenario: draft.scenario,
      before: draft.before === draft.scenario ? undefined : draft.before,
      sweep: sweep.plan,
    });
  // A step of a lesson says itself what is on the stage.
  if (view.place === 'stage' && view.lesson !== undefined)
    return complete<ViewState>({ ...nothingOpen, ...look, lesson: view.lesson });
  return wholeView(ringside);
}

/** All that is looked at, whether a link would have to say it or not: what a command works on. */
export function wholeView(ringside: Ringside): ViewState {
  const { session, playhead } = ringside;
  if (session.run === undefined || session.source === undefined) return lookedAt(ringside);
  const [time, dwelt] = [Math.floor(playhead.time), dweltAt(playhead)];
  return complete<ViewState>({ ...lookedAt(ringside), time, dwelt });
}

/** The same without the moment: it stays as it is while film runs. */
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

/** What the table of journeys shows, as a view says it; a filter that is not set is undefined. */
export function fieldsOf(filters: JourneyQuery) {
  const { sort, isDescending, flow, socket, cpu, verdict, dropReason, direction } = filters;
  return {
    ...{ sort, isDescending, flow, socket, cpu, verdict, dropReason, direction },
    duration: bounds(filters.minDuration, filters.maxDuration),
    began: bounds(filters.from, filters.to),
  };
}

/** Puts back what needs no run. */
export function applyLook({ view }: Ringside, wanted: ViewState): void {
  view.showPanel(wanted.panel);
  view.showStageView(wanted.stageView);
  view.showStageAlone(wanted.isStageAlone);
  view.openTimeline(wanted.isTimelineOpen);
}

/** Puts back all of it upon the run that is open; answers with what could not be as it was. */
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
  // A link that says no moment shows the run as it opens.
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
  // Whoever follows a packet sees the film that is told from it, as when it was chosen.
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

/** How a link names what stands beside the run; a file of the viewer's own cannot be in it. */
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

/** Milliseconds of film into a dwell: a time alone does not tell its moments apart. */
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

/** Fields without a value are left out, so that equal views are equal objects. */
function complete<T>(loose: Loose<T>): T {
  const entries = Object.entries(loose).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** A link holds whole nanoseconds. */
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

/** The filters of a view; what is not in the run is left out and told. */
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

/** The bound that a link writes for "no upper bound" is none. */
function upper(stretch: Stretch | undefined): number | undefined {
  return stretch && stretch.to < Number.MAX_SAFE_INTEGER ? stretch.to : undefined;
}
