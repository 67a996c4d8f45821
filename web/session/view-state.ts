/**
 * Everything a link needs to show the same thing again: one value, version 1, written as the
 * fragment of the address. Reading never throws: a broken or hostile field is left at its
 * default and told in a notice, the others stand. Writing is canonical, defaults left out, so
 * equal views have equal links. What a field means is not known here, only its form.
 */
import type { JourneySort } from '../core/journeys.ts';
import type { Nanos, PacketId, VerdictName } from '../core/core.ts';
import { STAGE_VIEWS, type StageView } from '../core/stage-view.ts';
import type { Pacing, Stretch } from './advance.ts';
import {
  anInteger,
  aFlag,
  aNumber,
  aScenario,
  aStretch,
  matching,
  oneOf,
  type Form,
} from './view-state-forms.ts';

export type Place = 'lessons' | 'traces' | 'lab' | 'papers' | 'stage';
/** What the side panel shows. */
export type Panel = 'inspect' | 'ledger';
export type Theme = 'light' | 'dark' | 'system';

export interface ViewState {
  /** A step of a lesson, which says itself what is shown: `two-processors.3`. */
  readonly lesson?: string;
  /** A recording of the shelf. */
  readonly trace?: string;
  /** A file of the viewer's own, by the fingerprint of its run; it is not in the link. */
  readonly own?: string;
  /** A scenario as compact JSON: on the stage the one that is played, in the Lab the one in its form. */
  readonly scenario?: string;
  readonly place: Place;
  readonly panel: Panel;
  /** Which of its views the stage shows. */
  readonly stageView: StageView;
  /** The stage has the whole window, with the caption alone beside it. */
  readonly isStageAlone: boolean;
  /** The time line shows all its lanes, not one slim lane for each CPU. */
  readonly isTimelineOpen: boolean;
  readonly theme: Theme;
  /** Nothing: where the film opens. */
  readonly time?: Nanos;
  /** Milliseconds of film into the dwell at that time; nothing: where it begins. */
  readonly dwelt?: number;
  /** Nothing: the speed that suits the run. */
  readonly speed?: number;
  readonly rate?: number;
  readonly pacing: Pacing;
  readonly loop?: Stretch;
  readonly zoom?: Stretch;
  readonly range?: Stretch;
  readonly packet?: PacketId;
  readonly isFollowing: boolean;
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

export const DEFAULT_VIEW: ViewState = {
  place: 'traces',
  panel: 'inspect',
  stageView: 'way',
  isStageAlone: false,
  isTimelineOpen: false,
  theme: 'system',
  pacing: 'told',
  isFollowing: false,
  sort: 'start',
  isDescending: false,
};

const VERSION = '1';
/** A link that somebody typed or built may be of any length; ours are far shorter. */
const LONGEST = 8000;

type Fields = { readonly [Key in keyof Required<ViewState>]: Field<Required<ViewState>[Key]> };

interface Field<T> {
  /** Its name in the link. */
  readonly key: string;
  /** How a notice calls it. */
  readonly called: string;
  readonly form: Form<T>;
}

const nanos = anInteger(0, Number.MAX_SAFE_INTEGER);
const index = anInteger(0, 0xffff_fffe);

/** In the order in which they are written. */
const FIELDS: Fields = {
  lesson: {
    key: 'lesson',
    called: 'lesson',
    form: matching(/^[a-z][a-z0-9-]{0,63}\.[1-9][0-9]?$/),
  },
  trace: { key: 'trace', called: 'trace', form: matching(/^[a-z0-9][a-z0-9.-]{0,63}$/) },
  own: { key: 'own', called: 'fingerprint', form: matching(/^[0-9a-f]{8,64}$/) },
  scenario: { key: 'scenario', called: 'scenario', form: aScenario },
  place: {
    key: 'at',
    called: 'place',
    form: oneOf(['lessons', 'traces', 'lab', 'papers', 'stage']),
  },
  time: { key: 't', called: 'time', form: nanos },
  dwelt: { key: 'dwelt', called: 'moment', form: anInteger(1, 60_000) },
  speed: { key: 'speed', called: 'speed', form: aNumber(1, 1e12) },
  rate: { key: 'rate', called: 'events per second', form: aNumber(0.01, 1000) },
  pacing: { key: 'pace', called: 'pacing', form: oneOf(['told', 'true', 'event']) },
  loop: { key: 'loop', called: 'loop', form: aStretch },
  zoom: { key: 'zoom', called: 'zoom', form: aStretch },
  range: { key: 'range', called: 'range', form: aStretch },
  packet: { key: 'packet', called: 'packet', form: index },
  isFollowing: { key: 'follow', called: 'follow', form: aFlag },
  panel: { key: 'panel', called: 'panel', form: oneOf(['inspect', 'ledger']) },
  stageView: { key: 'view', called: 'view', form: oneOf(STAGE_VIEWS) },
  isStageAlone: { key: 'alone', called: 'stage alone', form: aFlag },
  isTimelineOpen: { key: 'lanes', called: 'open time line', form: aFlag },
  sort: {
    key: 'sort',
    called: 'order',
    form: oneOf(['start', 'duration', 'wait', 'service', 'bytes', 'verdict', 'flow', 'cpus']),
  },
  isDescending: { key: 'desc', called: 'order', form: aFlag },
  flow: { key: 'flow', called: 'flow', form: index },
  socket: { key: 'socket', called: 'socket', form: index },
  cpu: { key: 'cpu', called: 'CPU', form: anInteger(0, 0xfffe) },
  verdict: {
    key: 'verdict',
    called: 'verdict',
    form: oneOf(['delivered', 'merged', 'dropped', 'transmitted', 'consumed', 'open']),
  },
  dropReason: { key: 'reason', called: 'drop reason', form: anInteger(0, 254) },
  direction: { key: 'way', called: 'direction', form: oneOf(['rx', 'tx']) },
  duration: { key: 'took', called: 'latency', form: aStretch },
  began: { key: 'began', called: 'start', form: aStretch },
  theme: { key: 'theme', called: 'theme', form: oneOf(['light', 'dark', 'system']) },
};

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
  if (text.length > LONGEST) return broken('This link is too long to be one of ours.');
  const given = new URLSearchParams(text);
  const version = given.get('v');
  if (version !== VERSION) {
    return broken(
      version === null
        ? 'This link does not say what it shows.'
        : `This link is of version ${shown(version)}; this Ringside reads version ${VERSION}.`,
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

/** The link, with `#`, that begins a lesson. */
export function lessonLink(id: string): string {
  return `#${serialiseViewState({ ...DEFAULT_VIEW, place: 'stage', lesson: `${id}.1` })}`;
}

function readFields(given: URLSearchParams): Parsed {
  const notices: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, { key, called, form }] of fields) {
    const text = given.get(key);
    if (text === null) continue;
    const value = form.read(text);
    if (value === undefined) notices.push(`The link's ${called} was left out: ${shown(text)}.`);
    else read[name] = value;
  }
  const known = new Set(['v', ...fields.map(([, { key }]) => key)]);
  const strange = [...new Set(given.keys())].filter((key) => !known.has(key));
  if (strange.length > 0) {
    const named = strange.slice(0, 3).map(shown).join(', ');
    notices.push(`The link also has something that is not known here: ${named}.`);
  }
  const [taken, ...others] = ['trace', 'scenario', 'own'].filter((name) => name in read);
  if (others.length > 0) {
    notices.push(`The link names more than one run; its ${taken} is taken.`);
  }
  // Of a scenario that cannot be read nothing is played: it is made anew.
  if (given.has('scenario') && taken === undefined) read['place'] = 'lab';
  const kept = Object.entries(read).filter(([name]) => !others.includes(name));
  return { view: { ...DEFAULT_VIEW, ...Object.fromEntries(kept) }, notices };
}

function broken(notice: string): Parsed {
  return { view: DEFAULT_VIEW, notices: [notice] };
}

/** What somebody else wrote, made short and harmless to read. */
function shown(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '·');
  return `“${printable.length > 24 ? `${printable.slice(0, 24)}…` : printable}”`;
}
