/**
 * What the rows, tasks and depths of the time line are called, and what is known of the place
 * under the pointer, in words.
 */
import { NONE, type Glossary, type Nanos, type Opened } from '../core/core.ts';
import type { Lanes } from '../core/lanes.ts';
import { laneOf } from '../scene/lane-of.ts';
import { commOf } from '../scene/tasks.ts';
import { segmentAt } from '../scene/timeline/columns.ts';
import { binsOf } from '../scene/timeline/depths.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import type { Row } from '../scene/timeline/rows.ts';
import type { Viewport } from '../scene/timeline/stretch.ts';
import { formatBytes, formatCount, formatNanos } from '../numbers/format.ts';
import { packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { contextWord, ownerWord, placeWord, unitWord } from '../words/kernel-words.ts';

export type TaskName = (pid: number) => string;

/** What the kernel calls the task that runs when no other does. */
const IDLE_TASK = 'swapper';

/** The name of a task; nothing for one that the trace does not tell. */
export function taskNames({ tasks }: Pick<Opened, 'tasks'>): TaskName {
  return (pid) => {
    if (pid === NONE) return '';
    const comm = commOf(tasks, pid);
    if (comm !== '') return comm;
    return pid === 0 ? IDLE_TASK : m.stage_pid({ pid });
  };
}

type Named = Pick<Opened, 'queues'>;

export function queueName({ queues }: Named, glossary: Glossary, queue: number): string {
  const info = queues[queue];
  if (info === undefined) return '';
  const kind = placeWord(glossary.queues[info.kind]?.name ?? '');
  return info.label === '' ? kind : `${kind} ${ownerWord(info.label)}`;
}

/** For a narrow screen: `receive q 5001`, `run q CPU 0`, `sk backlog 5001`. */
export function shortName(name: string): string {
  return name
    .replace(/^socket[ -](?=backlog)/i, 'sk ')
    .replace(/ queue\b/, ' q')
    .replace(/(?:warteschlange|-Queue)\b/, '-Q')
    .replace(/\bport /i, '');
}

export function rowName(run: Named, glossary: Glossary, row: Row): string {
  switch (row.kind) {
    case 'cpu':
      return m.cpu({ cpu: row.cpu });
    case 'drops':
      return m.timeline_drops();
    case 'packets':
      return m.timeline_packets();
    case 'queue':
      return queueName(run, glossary, row.queue);
  }
}

/** `12`, `12 / 64`, `41.0 kB / 213 kB`. */
export function depthText(depth: number, limit: number, unit: string): string {
  const amount = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  return limit > 0 ? `${amount(depth)} / ${amount(limit)}` : amount(depth);
}

/** What stands in a row at a time; the first line is what it is, the second more of it. */
export interface Tip {
  readonly title: string;
  readonly details: readonly string[];
  /** The glossary's sentence, which is in English. */
  readonly about?: string | undefined;
}

export interface Told {
  readonly run: Opened;
  readonly glossary: Glossary;
  readonly looks: readonly ContextLook[];
  readonly taskName: TaskName;
  readonly lanes: Lanes;
  /** By queue, 0 where not known. */
  readonly limits: Uint32Array | undefined;
  readonly view: Viewport;
}

export function tipAt(row: Row, time: Nanos, told: Told): Tip | undefined {
  switch (row.kind) {
    case 'cpu':
      return cpuTip(row.cpu, time, told);
    case 'queue':
      return queueTip(row.queue, time, told);
    case 'packets':
      return packetsTip(time, told);
    case 'drops':
      return undefined;
  }
}

function cpuTip(cpu: number, time: Nanos, told: Told): Tip | undefined {
  const lane = laneOf(told.lanes, cpu);
  const at = lane === undefined ? -1 : segmentAt(lane.start, time);
  if (lane === undefined || at === -1) return undefined;
  const look = lookOf(told.looks, lane.context[at]!);
  const word = told.glossary.contexts[lane.context[at]!];
  const length = (lane.start[at + 1] ?? told.lanes.to) - lane.start[at]!;
  const task = look.order > 1 ? told.taskName(lane.pid[at]!) : '';
  const who = task === '' ? '' : look.isTask ? ` · ${task}` : ` · ${m.timeline_during({ task })}`;
  return {
    title: `${m.cpu({ cpu })}: ${contextWord(look.name)}${who} · ${formatNanos(length)}`,
    details: [],
    about: word?.sentence,
  };
}

function queueTip(queue: number, time: Nanos, told: Told): Tip | undefined {
  const lane = told.lanes.queues.find((candidate) => candidate.queue === queue);
  const info = told.run.queues[queue];
  if (lane === undefined || info === undefined) return undefined;
  const depth = lane.depth[segmentAt(lane.start, time)] ?? 0;
  const text = depthText(depth, told.limits?.[queue] ?? 0, info.unit);
  const word = told.glossary.queues[info.kind];
  return {
    title: `${queueName(told.run, told.glossary, queue)}: ${text}${
      info.unit === 'bytes' ? '' : ` ${unitWord(info.unit)}`
    }`,
    details: [],
    about: word?.sentence,
  };
}

function packetsTip(time: Nanos, { lanes, view }: Told): Tip | undefined {
  const bins = binsOf(lanes, view);
  const bin = Math.floor((time - bins.from) / bins.length);
  if (!(bin in bins.arrived)) return undefined;
  const arrived = packetsText(bins.arrived[bin]!);
  return {
    title: m.timeline_came({ arrived, delivered: formatCount(bins.delivered[bin]!) }),
    details: [m.timeline_within({ length: formatNanos(bins.length) })],
  };
}
