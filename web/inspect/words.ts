/**
 * The numbers of a journey as sentences, which say only what the record contains: the queue, the duration,
 * the CPU and the context in which the packet went on.
 */
import { NONE, NO_CPU, type Glossary, type Nanos, type Opened } from '../core/core.ts';
import type { CpuLane } from '../core/lanes.ts';
import type { Journey, StayRow } from '../core/journeys.ts';
import { stayAfter } from '../scene/inspect/waterfall.ts';
import { formatShare } from '../numbers/format.ts';
import type { FormatMicros } from './micros.ts';
import { m } from '../words/generated/messages.js';
import { contextWord, placeWord } from '../words/kernel-words.ts';
import { say, type SayingContext } from '../words/say.ts';

const SPACE = '\u00a0';

/** The name of a context in a sentence, and its colour token. */
const CONTEXTS: Readonly<
  Record<string, { readonly phrase: () => string; readonly token: string }>
> = {
  unknown: { phrase: () => '', token: 'packet' },
  idle: { phrase: m.context_idle, token: 'idle' },
  user: { phrase: m.context_user, token: 'user' },
  kernel: { phrase: m.context_kernel, token: 'kernel' },
  softirq: { phrase: m.context_softirq, token: 'softirq' },
  hardirq: { phrase: m.context_hardirq, token: 'hardirq' },
  nmi: { phrase: m.context_nmi, token: 'hardirq' },
  spinning: { phrase: m.context_spinning, token: 'lock' },
};

export function contextToken(glossary: Glossary, context: number): string {
  return CONTEXTS[glossary.contexts[context]?.name ?? 'unknown']?.token ?? 'packet';
}

/** The name of a station in a list. */
export function stationName(glossary: Glossary, station: number): string {
  const name = glossary.stations[station]?.name;
  return name === undefined ? m.unknown() : placeWord(name);
}

/** The accessible text of a sojourn's bar: its place, its CPU, its service time and its waiting time. */
export function stayText(glossary: Glossary, stay: StayRow, micros: FormatMicros): string {
  return m.inspect_stay({
    place: stationName(glossary, stay.station),
    cpu: cpuName(stay.cpu),
    service: micros(stay.service),
    wait: micros(stay.wait),
  });
}

export function cpuName(cpu: number): string {
  return cpu === NO_CPU ? m.cpu_not_recorded() : m.cpu({ cpu });
}

/** The CPUs on which a journey began and ended: `0`, `0 → 1`, or a dash. */
export function cpuSpan(first: number, last: number): string {
  if (first === NO_CPU && last === NO_CPU) return '–';
  if (first === last || last === NO_CPU) return String(first);
  return first === NO_CPU ? String(last) : `${first}${SPACE}→${SPACE}${last}`;
}

export interface WaitStory {
  /** Place and duration: `Waited 376.8 µs in the receive queue, put there by CPU 0: 72 % of its way.` */
  readonly what: string;
  /** How the wait ended: `It went on to the process on CPU 1, in a process’s kernel context (urecv-534).` */
  readonly until: string;
  /** The CPU on which the packet went on or ended: its activity during the wait explains the wait. */
  readonly cpu: number;
}

/** The longest wait of a journey as text. */
export function waitStory(
  journey: Journey,
  stay: StayRow,
  micros: FormatMicros,
  context: SayingContext,
): WaitStory {
  const { glossary } = context;
  const share = formatShare(stay.wait, journey.end - journey.start);
  const what = m.wait_of_its_way({
    wait: micros(stay.wait),
    where: whereItWaits(stay, glossary),
    share,
  });
  const next = stayAfter(journey.stays, stay);
  if (next === undefined) return { what, until: lastWords(journey, context), cpu: stay.cpu };
  const event = journey.events.find(({ time }) => time === next.enter);
  const name = glossary.contexts[next.context]?.name ?? 'unknown';
  const phrase = CONTEXTS[name]?.phrase() ?? '';
  // During an interrupt the current task is the interrupted one, which is unrelated to the wait.
  const isTask = name === 'kernel' || name === 'user';
  const task = isTask ? (event?.task ?? '') : '';
  const how =
    task === ''
      ? m.wait_went_on_how({ context: phrase })
      : m.wait_went_on_task({ context: phrase, task });
  const until = m.wait_went_on({
    place: withArticle(glossary, next.station),
    on: next.cpu === NO_CPU ? '' : m.wait_went_on_cpu({ cpu: cpuName(next.cpu) }),
    how: phrase === '' ? '' : how,
    seen:
      event === undefined
        ? ''
        : m.wait_seen_at({ probe: glossary.probes[event.probe]?.name ?? '' }),
  });
  return { what, until, cpu: next.cpu };
}

/** The place of the wait, and the CPU that put the packet there. */
function whereItWaits(stay: StayRow, glossary: Glossary): string {
  const place = withArticle(glossary, stay.station);
  if (stay.cpu === NO_CPU) return m.wait_at({ place });
  const values = { place, cpu: cpuName(stay.cpu) };
  const station = glossary.stations[stay.station];
  if (station?.isQueue !== true) return m.wait_at_on(values);
  // The NIC, not a CPU, puts a frame into the ring; the CPU named is the one that polls it.
  return station.name === 'rx ring' ? m.wait_at_polled(values) : m.wait_at_put(values);
}

function lastWords({ verdict, ending }: Journey, context: SayingContext): string {
  return verdict === 'open'
    ? m.wait_not_observed()
    : m.wait_ended({ ending: say(ending, context) });
}

/** Layers have proper names; queues and the process take an article. */
function withArticle(glossary: Glossary, station: number): string {
  const place = stationName(glossary, station);
  const isName = /^[A-Z]|^reassembly$/.test(glossary.stations[station]?.name ?? '');
  return isName ? place : m.wait_place({ place });
}

/** An activity of a CPU and its duration. */
export interface Doing {
  readonly what: string;
  readonly nanos: Nanos;
  readonly pids: readonly number[];
}

/** The activities of a CPU in a lane's time, longest first; tasks of one name are combined. */
export function doings(
  lane: CpuLane,
  end: Nanos,
  glossary: Glossary,
  run: Opened,
): readonly Doing[] {
  const totals = new Map<string, { nanos: Nanos; readonly pids: Set<number> }>();
  lane.start.forEach((start, index) => {
    const nanos = (lane.start[index + 1] ?? end) - start;
    const pid = lane.pid[index]!;
    const { name, isTask } = doing(lane.context[index]!, pid, glossary, run);
    const total = totals.get(name) ?? { nanos: 0, pids: new Set() };
    total.nanos += nanos;
    if (isTask) total.pids.add(pid);
    totals.set(name, total);
  });
  return [...totals]
    .map(([name, { nanos, pids }]) => ({ what: named(name, [...pids]), nanos, pids: [...pids] }))
    .filter(({ nanos }) => nanos > 0)
    .sort((a, b) => b.nanos - a.nanos);
}

/** Interrupts have their own name, as the interrupted task is unrelated to them. */
function doing(
  context: number,
  pid: number,
  glossary: Glossary,
  run: Opened,
): { readonly name: string; readonly isTask: boolean } {
  const name = glossary.contexts[context]?.name ?? 'unknown';
  const isTask = name === 'user' || name === 'kernel' || name === 'spinning';
  if (name === 'unknown') return { name: m.not_recorded(), isTask: false };
  if (!isTask || pid === NONE) return { name: contextWord(name), isTask: false };
  return { name: run.tasks.find((task) => task.pid === pid)?.comm ?? `pid ${pid}`, isTask };
}

function named(name: string, pids: readonly number[]): string {
  if (pids.length === 0 || name.startsWith('pid ')) return name;
  return pids.length === 1
    ? `${name} (${pids[0] ?? ''})`
    : m.wait_tasks({ name, count: pids.length });
}

/** kperf's three ways to account socket time, as in section 4.6 of the report. */
export const SOCKET_TIME_WORDS = [
  {
    key: 'lastOnly',
    name: m.socket_times_last,
    meaning: m.socket_times_last_about,
  },
  {
    key: 'bothSegments',
    name: m.socket_times_both,
    meaning: m.socket_times_both_about,
  },
  {
    key: 'lessOtherLayers',
    name: m.socket_times_less,
    meaning: m.socket_times_less_about,
  },
] as const;
