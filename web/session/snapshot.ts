/**
 * Converts between the live state and a view: takes the whole state, or what a link needs, and restores
 * one. Values outside the open run (a time past its end, an unknown packet) are adjusted and reported.
 */
import type { JourneyQuery } from '../core/journeys.ts';
import type { Glossary, Opened, Stretch } from '../core/core.ts';
import { unlessGone } from '../core/run.ts';
import { m } from '../words/generated/messages.js';
import type { Ringside } from './context.ts';
import { notesWithin } from './notes.ts';
import { DEFAULT_PACE } from './speed.ts';
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
  const [isByEvent, isTold] = [playhead.pacing === 'event', playhead.pacing === 'told'];
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
    pace: isTold && playhead.pace !== DEFAULT_PACE ? playhead.pace : undefined,
    pacing: playhead.pacing,
    loop: whole(playhead.loop),
    zoom: whole(view.zoom),
    range: whole(selection.range),
    packet: selection.packet,
    isFollowing: selection.isFollowing,
    focus: playhead.focus === selection.followed ? undefined : playhead.focus,
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
  playhead.setPace(wanted.pace ?? DEFAULT_PACE);
  playhead.loopRange(inside(wanted.loop, run, m.link_field_loop(), notices));
  // A link without a time shows the run as it opens.
  if ((wanted.zoom ?? wanted.time) !== undefined)
    view.setZoom(inside(wanted.zoom, run, m.link_field_zoom(), notices));
  selection.setRange(inside(wanted.range, run, m.link_field_range(), notices));
  selection.setFilters(filtersOf(wanted, run, session.glossary, notices));
  const time = wanted.time ?? playhead.time;
  if (time > run.duration) notices.push(m.link_after_end());
  playhead.seek(time);
  const isMissing = wanted.packet !== undefined && wanted.packet >= run.journeys.total;
  if (isMissing) notices.push(m.link_not_there({ field: m.link_field_packet() }));
  selection.select(isMissing ? undefined : wanted.packet);
  selection.setFollowing(wanted.isFollowing);
  tellAs(playhead, wanted, run.journeys.total);
  const notes = notesWithin(wanted.notes, run.duration, run.journeys.total);
  if (notes.length < (wanted.notes?.length ?? 0)) notices.push(m.link_notes_after_end());
  view.setNotes(notes);
  return notices;
}

/** The film of the view's packet, and its place in a dwell, which is one of that film. */
function tellAs(playhead: Playhead, wanted: ViewState, packets: number): void {
  const { dwelt = 0 } = wanted;
  const { time } = playhead;
  // Following a packet implies the film made for it, as when it was selected.
  const focus = wanted.focus ?? (wanted.isFollowing ? wanted.packet : undefined);
  const known = focus !== undefined && focus < packets ? focus : undefined;
  playhead.dwell(dwelt / 1000);
  if (known === playhead.focus) return;
  const dwell = () => playhead.time === time && playhead.dwell(dwelt / 1000);
  void playhead.tellOf(known).then(dwell).catch(unlessGone);
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
export function filtersOf(
  wanted: ViewState,
  run: Opened,
  glossary: Glossary | undefined,
  notices: string[],
): JourneyQuery {
  const { sort, isDescending, flow, socket, cpu, verdict, dropReason, direction } = wanted;
  const there = <T>(value: T | undefined, isThere: (value: T) => boolean, field: () => string) => {
    if (value === undefined || isThere(value)) return value;
    notices.push(m.link_not_there({ field: field() }));
    return undefined;
  };
  const reasonOf = (index: number) => glossary?.dropReasons[index]?.name;
  const isDropped = (index: number) => run.drops.some(({ reason }) => reason === reasonOf(index));
  return complete<JourneyQuery>({
    sort,
    isDescending,
    flow: there(flow, (one) => one < run.flows.length, m.link_field_flow),
    socket: there(socket, (one) => run.sockets.some(({ id }) => id === one), m.link_field_socket),
    cpu: there(cpu, (one) => run.cpus.includes(one), m.link_field_cpu),
    verdict,
    dropReason: there(dropReason, isDropped, m.link_field_drop_reason),
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
