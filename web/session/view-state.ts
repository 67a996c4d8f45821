/**
 * Everything a link needs to show the same thing again: one value, version 1, written as the
 * fragment of the address. Reading never throws: a broken or hostile field is left at its
 * default and told in a notice, the others stand. Writing is canonical, defaults left out, so
 * equal views have equal links. What a field means is not known here, only its form.
 */
import { m } from '../words/generated/messages.js';
import type { JourneySort } from '../core/journeys.ts';
import type { Nanos, PacketId, Stretch, VerdictName } from '../core/core.ts';
import { STAGE_VIEWS, type StageView } from '../core/stage-view.ts';
import { PACINGS, type Pacing } from './advance.ts';
import { aForkTree, type ForkTree } from './forks.ts';
import { harmless } from './harmless.ts';
import { theNotes, type Note } from './notes.ts';
import { LAST_INDEX } from './schemas.ts';
import { aSweep, type SweepPlan } from './sweep-plan.ts';
import {
  anInteger,
  aRecording,
  aRunToBeside,
  aFlag,
  aNumber,
  aScenario,
  aStretch,
  matching,
  oneOf,
  type Form,
} from './view-state-forms.ts';

export type Place = 'lessons' | 'traces' | 'lab' | 'papers' | 'laws' | 'stage';
/** What the side panel shows. */
export const PANELS = [
  'findings',
  'captions',
  'inspect',
  'figures',
  'profile',
  'sequence',
  'forks',
  'ledger',
] as const;
export type Panel = (typeof PANELS)[number];

export interface ViewState {
  /** A step of a lesson, which says itself what is shown: `two-processors.3`. */
  readonly lesson?: string;
  /** A recording of the shelf. */
  readonly trace?: string;
  /** A file of the viewer's own, by the fingerprint of its run; it is not in the link. */
  readonly own?: string;
  /** A scenario as compact JSON: on the stage the one that is played, in the Lab the one in its form. */
  readonly scenario?: string;
  /** In the Lab the scenario that the one in its form is compared with, where that is another. */
  readonly before?: string;
  /** In the Lab the setting that is swept, over which range. */
  readonly sweep?: SweepPlan;
  /** Beside the run on the stage: a recording of the shelf by its name, or a scenario as compact JSON. */
  readonly beside?: string;
  /** What was forked from the scenario on the stage, or what that was forked from. */
  readonly forks?: ForkTree;
  readonly place: Place;
  readonly panel: Panel;
  /** Which of its views the stage shows. */
  readonly stageView: StageView;
  /** The stage has the whole window, with the caption alone beside it. */
  readonly isStageAlone: boolean;
  /** The time line shows all its lanes, not one slim lane for each CPU. */
  readonly isTimelineOpen: boolean;
  /** Nothing: where the film opens. */
  readonly time?: Nanos;
  /** Milliseconds of film into the dwell at that time; nothing: where it begins. */
  readonly dwelt?: number;
  /** Nothing: the speed that suits the run. */
  readonly speed?: number;
  readonly rate?: number;
  /** Speed of told film, relative to its own speed; nothing: its own. */
  readonly pace?: number;
  readonly pacing: Pacing;
  readonly loop?: Stretch;
  readonly zoom?: Stretch;
  readonly range?: Stretch;
  readonly packet?: PacketId;
  readonly isFollowing: boolean;
  /** The packet that told film is about, where that is another than the one that is followed. */
  readonly focus?: PacketId;
  /** What the viewer has pinned to moments, in order of time. */
  readonly notes?: readonly Note[];
  readonly sort: JourneySort;
  readonly isDescending: boolean;
  readonly flow?: number;
  readonly socket?: number;
  readonly cpu?: number;
  readonly verdict?: VerdictName;
  readonly dropReason?: number;
  readonly direction?: 'rx' | 'tx';
  readonly duration?: Stretch;
  readonly began?: Stretch;
}

/** Of which run a view is; of none that is open where nothing is said. */
export function runOf({ trace, own, scenario }: ViewState): string | undefined {
  return trace ?? own ?? scenario;
}

export const DEFAULT_VIEW: ViewState = {
  place: 'traces',
  panel: 'findings',
  stageView: 'way',
  isStageAlone: false,
  isTimelineOpen: false,
  pacing: 'told',
  isFollowing: false,
  sort: 'start',
  isDescending: false,
};

const VERSION = '1';
/**
 * A link that somebody typed or built may be of any length. Ours are no longer than the longest scenario, run beside,
 * tree of forks and list of notes together, and hardly ever near that.
 */
export const LONGEST_LINK = 20_000;

type Fields = { readonly [Key in keyof Required<ViewState>]: Field<Required<ViewState>[Key]> };

interface Field<T> {
  /** Its name in the link. */
  readonly key: string;
  /** How a notice calls it. */
  readonly called: () => string;
  readonly form: Form<T>;
}

const nanos = anInteger(0, Number.MAX_SAFE_INTEGER);
const index = anInteger(0, LAST_INDEX);

/** In the order in which they are written. */
const FIELDS: Fields = {
  lesson: {
    key: 'lesson',
    called: m.link_field_lesson,
    form: matching(/^[a-z][a-z0-9-]{0,63}\.[1-9][0-9]{0,3}$/),
  },
  trace: { key: 'trace', called: m.link_field_trace, form: aRecording },
  own: { key: 'own', called: m.link_field_fingerprint, form: matching(/^[0-9a-f]{8,64}$/) },
  scenario: { key: 'scenario', called: m.link_field_scenario, form: aScenario },
  before: { key: 'before', called: m.link_field_before, form: aScenario },
  sweep: { key: 'sweep', called: m.link_field_sweep, form: aSweep },
  beside: { key: 'beside', called: m.link_field_beside, form: aRunToBeside },
  forks: { key: 'forks', called: m.link_field_forks, form: aForkTree },
  place: {
    key: 'at',
    called: m.link_field_place,
    form: oneOf(['lessons', 'traces', 'lab', 'papers', 'laws', 'stage']),
  },
  time: { key: 't', called: m.link_field_time, form: nanos },
  dwelt: { key: 'dwelt', called: m.link_field_moment, form: anInteger(1, 60_000) },
  speed: { key: 'speed', called: m.link_field_speed, form: aNumber(1, 1e12) },
  rate: { key: 'rate', called: m.link_field_events_per_second, form: aNumber(0.01, 1000) },
  pacing: { key: 'pace', called: m.link_field_pacing, form: oneOf(PACINGS) },
  pace: { key: 'times', called: m.link_field_pace, form: aNumber(0.01, 100) },
  loop: { key: 'loop', called: m.link_field_loop, form: aStretch },
  zoom: { key: 'zoom', called: m.link_field_zoom, form: aStretch },
  range: { key: 'range', called: m.link_field_range, form: aStretch },
  packet: { key: 'packet', called: m.link_field_packet, form: index },
  isFollowing: { key: 'follow', called: m.link_field_follow, form: aFlag },
  focus: { key: 'told', called: m.link_field_focus, form: index },
  notes: { key: 'notes', called: m.link_field_notes, form: theNotes },
  panel: { key: 'panel', called: m.link_field_panel, form: oneOf(PANELS) },
  stageView: { key: 'view', called: m.link_field_view, form: oneOf(STAGE_VIEWS) },
  isStageAlone: { key: 'alone', called: m.link_field_stage_alone, form: aFlag },
  isTimelineOpen: { key: 'lanes', called: m.link_field_open_time_line, form: aFlag },
  sort: {
    key: 'sort',
    called: m.link_field_order,
    form: oneOf(['start', 'duration', 'wait', 'service', 'bytes', 'verdict', 'flow', 'cpus']),
  },
  isDescending: { key: 'desc', called: m.link_field_order, form: aFlag },
  flow: { key: 'flow', called: m.link_field_flow, form: index },
  socket: { key: 'socket', called: m.link_field_socket, form: index },
  cpu: { key: 'cpu', called: m.link_field_cpu, form: anInteger(0, 0xfffe) },
  verdict: {
    key: 'verdict',
    called: m.link_field_verdict,
    form: oneOf(['delivered', 'merged', 'dropped', 'transmitted', 'consumed', 'open']),
  },
  dropReason: { key: 'reason', called: m.link_field_drop_reason, form: anInteger(0, 254) },
  direction: { key: 'way', called: m.link_field_direction, form: oneOf(['rx', 'tx']) },
  duration: { key: 'took', called: m.link_field_latency, form: aStretch },
  began: { key: 'began', called: m.link_field_start, form: aStretch },
};

/** What a link calls its fields. */
export const LINK_KEYS: readonly string[] = Object.values(FIELDS).map(({ key }) => key);

/** What links said once and no link decides any more: the theme is the viewer's own. */
const FORMER: readonly string[] = ['theme'];

const fields = Object.entries(FIELDS) as unknown as readonly (readonly [
  keyof ViewState,
  Field<unknown>,
])[];

export interface Parsed {
  readonly view: ViewState;
  /** Sentences for the viewer, one for each thing that could not be taken as it stood. */
  readonly notices: readonly string[];
}

export function parseViewState(fragment: string): Parsed {
  const text = fragment.replace(/^#/, '');
  if (text === '') return { view: DEFAULT_VIEW, notices: [] };
  if (text.length > LONGEST_LINK) return broken(m.link_too_long());
  const given = new URLSearchParams(text);
  const version = given.get('v');
  if (version !== VERSION) {
    return broken(
      version === null
        ? m.link_says_nothing()
        : m.link_of_version({ version: shown(version), ours: VERSION }),
    );
  }
  return readFields(given);
}

/** The fragment for a view, without `#`; nothing for the view one begins with. */
export function serialiseViewState(view: ViewState): string {
  const written = fields.flatMap(([name, { key, form }]) => {
    const value = view[name];
    if (value === undefined || value === DEFAULT_VIEW[name]) return [];
    return [`${key}=${form.write(value)}`];
  });
  return written.length === 0 ? '' : [`v=${VERSION}`, ...written].join('&');
}

/** The link, with `#`, that plays a scenario (compact JSON) or opens it in the Lab. */
export function scenarioLink(scenario: string, place: 'stage' | 'lab'): string {
  return `#${serialiseViewState({ ...DEFAULT_VIEW, scenario, place })}`;
}

/** The link, with `#`, that opens a scenario in the Lab beside the one that it is compared with. */
export function experimentLink(scenario: string, before: string): string {
  return `#${serialiseViewState({ ...DEFAULT_VIEW, scenario, before, place: 'lab' })}`;
}

/** The link, with `#`, that opens a recording of the shelf. */
export function recordingLink(slug: string): string {
  return `#${serialiseViewState({ ...DEFAULT_VIEW, place: 'stage', trace: slug })}`;
}

/** The link, with `#`, to the Lab as one left it, or as it begins. */
export const LAB_LINK = `#${serialiseViewState({ ...DEFAULT_VIEW, place: 'lab' })}`;

/** The link, with `#`, to a step of a lesson, from 0. */
export function lessonLink(id: string, step = 0): string {
  return `#${serialiseViewState({ ...DEFAULT_VIEW, place: 'stage', lesson: `${id}.${step + 1}` })}`;
}

function readFields(given: URLSearchParams): Parsed {
  const notices: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, { key, called, form }] of fields) {
    const text = given.get(key);
    if (text === null) continue;
    const value = form.read(text);
    if (value !== undefined) read[name] = value;
    else notices.push(m.link_left_out({ field: called(), text: shown(text), why: form.why() }));
  }
  const known = new Set(['v', ...FORMER, ...fields.map(([, { key }]) => key)]);
  const keys = [...new Set(given.keys())];
  const strange = keys.filter((key) => !known.has(key));
  if (strange.length > 0) notices.push(m.link_unknown({ named: listed(strange) }));
  const twice = keys.filter((key) => known.has(key) && given.getAll(key).length > 1);
  if (twice.length > 0) notices.push(m.link_twice({ named: listed(twice) }));
  const [taken, ...others] = (['trace', 'scenario', 'own'] as const).filter((name) => name in read);
  if (taken !== undefined && others.length > 0) {
    notices.push(m.link_many_runs({ taken: FIELDS[taken].called() }));
  }
  // Of a scenario that cannot be read nothing is played: it is made anew.
  if (given.has('scenario') && taken === undefined) read['place'] = 'lab';
  const kept = Object.entries(read).filter(([name]) => !others.some((other) => other === name));
  return { view: { ...DEFAULT_VIEW, ...Object.fromEntries(kept) }, notices };
}

function broken(notice: string): Parsed {
  return { view: DEFAULT_VIEW, notices: [notice] };
}

function listed(keys: readonly string[]): string {
  return keys.slice(0, 3).map(shown).join(', ');
}

/** What somebody else wrote, made short and harmless to read. */
function shown(text: string): string {
  const printable = harmless(text).replace(/\s/g, ' ');
  return m.quoted({ text: printable.length > 24 ? `${printable.slice(0, 24)}…` : printable });
}
