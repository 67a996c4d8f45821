/**
 * What a thing on the stage is, in the glossary's words and the moment's numbers: for the
 * tooltip and for the screen reader.
 */
import type { Frame } from '../core/frame.ts';
import type { Glossary, Opened, Word } from '../core/core.ts';
import { NO_CPU, NO_WORD, NONE } from '../core/core.ts';
import { taskName } from './heads.ts';
import {
  cacheExplanation,
  costsExplanation,
  cpuLines,
  lockExplanation,
  locksExplanation,
  moveExplanation,
  timerExplanation,
} from './machine/explain.ts';
import { nameAt, nameIn } from './name.ts';
import { queueState } from './queues.ts';
import { ROWS } from './rows.ts';
import type { Thing } from './shapes.ts';
import { assertNever } from './shapes.ts';
import { bytesText, counted, nanosText } from './text.ts';
import type { Words } from './words.ts';

export interface Explanation {
  readonly title: string;
  readonly lines: readonly string[];
  /** The kernel function behind it and the version it was read in; empty where there is none. */
  readonly source: string;
}

const INFERRED =
  'Inferred from which CPU touched the packet; the recording itself sees no cache line.';

export function explain(thing: Thing, frame: Frame, run: Opened, words: Words): Explanation {
  const { glossary } = words;
  switch (thing.kind) {
    case 'packet':
      return packetExplanation(thing.packet, thing.piece, frame, glossary);
    case 'packets':
      return packetsExplanation(thing.packets, thing.place, frame, glossary);
    case 'drop': {
      const reason = glossary.dropReasons[thing.reason];
      const index = frame.packets.packet.indexOf(thing.packet);
      const station = glossary.stations[frame.packets.station[index] ?? NO_WORD]?.name;
      const where = station === undefined ? '' : ` at ${station}`;
      return {
        title: `packet ${nameIn(frame, thing.packet)} dropped${where}`,
        lines: [reason?.name ?? 'no reason recorded', reason?.sentence ?? ''].filter(isText),
        source: sourceOf(reason),
      };
    }
    case 'station':
      return wordExplanation(glossary.stations[thing.station], []);
    case 'queue': {
      const info = run.queues[thing.queue];
      const state = queueState(frame, run, words, thing.queue);
      const deepest =
        info === undefined ? [] : [`deepest in this run: ${info.maxDepth} ${info.unit}`];
      const about = wordExplanation(glossary.queues[info?.kind ?? -1], [state.text, ...deepest]);
      return {
        ...about,
        title: state.label === '' ? about.title : `${about.title} · ${state.label}`,
      };
    }
    case 'row': {
      const row = ROWS.find(({ name }) => name === thing.row);
      const isRecorded = run.origin === 'recorded';
      return row === undefined
        ? {
            title: 'caches',
            lines: [
              'Bytes that one CPU touched last must be fetched by another that needs them.',
              ...(isRecorded ? [INFERRED] : []),
            ],
            source: '',
          }
        : { title: row.label, lines: [row.sentence], source: '' };
    }
    case 'cpu':
      return cpuExplanation(thing.cpu, frame, run, words);
    case 'cache': {
      if (run.machine.caches.length > 0) return cacheExplanation(thing.cpu, frame, run);
      const held = [...frame.packets.cpu].filter((cpu) => cpu === thing.cpu).length;
      return {
        title: `cache of CPU ${thing.cpu}`,
        lines: [
          `${counted(held, 'packet')} touched last by this CPU.`,
          ...(run.origin === 'recorded' ? [INFERRED] : []),
        ],
        source: '',
      };
    }
    case 'hand-over':
      if (run.machine.caches.length > 0) {
        return moveExplanation(thing.from, thing.to, frame, run);
      }
      return {
        title: `from CPU ${thing.from} to CPU ${thing.to}`,
        lines: [
          'These packets are worked on next by another CPU, which must fetch their bytes.',
          ...(run.origin === 'recorded' ? [INFERRED] : []),
        ],
        source: '',
      };
    case 'lock':
      return lockExplanation(thing.lock, frame, run);
    case 'locks':
      return locksExplanation(frame, run);
    case 'timer':
      return timerExplanation(thing.timer, frame, run);
    case 'costs':
      return costsExplanation(frame, run);
    default:
      return assertNever(thing);
  }
}

function packetExplanation(
  packet: number,
  piece: number,
  frame: Frame,
  glossary: Glossary,
): Explanation {
  const { packets, time } = frame;
  const index = packets.packet.findIndex((id, at) => id === packet && packets.piece[at] === piece);
  const title = `packet ${index === -1 ? packet : nameAt(packets, index)}`;
  if (index === -1) return { title, lines: ['no longer in flight'], source: '' };
  const station = glossary.stations[packets.station[index] ?? NO_WORD];
  const next = glossary.stations[packets.nextStation[index] ?? NO_WORD];
  const cpu = packets.cpu[index] ?? NO_CPU;
  const parts = packets.parts[index] ?? 1;
  const verdict = glossary.verdicts[packets.verdict[index] ?? NO_WORD];
  const isServed = packets.isServed[index] === 1;
  const stayed = Math.max(0, time - (packets.since[index] ?? time));
  const state = verdict === undefined ? (isServed ? 'worked on' : 'waiting') : verdict.name;
  const where = `${state} at ${station?.name ?? 'an unknown place'}${cpu === NO_CPU ? '' : ` on CPU ${cpu}`}`;
  const size = `${bytesText(packets.bytes[index] ?? 0)}${parts > 1 ? ` in ${parts} frames of the link` : ''}`;
  return {
    title: `${title} · ${size}`,
    lines: [
      `${where} for ${nanosText(stayed)}${next === undefined ? '' : `, then ${next.name}`}`,
      station?.sentence ?? '',
    ].filter(isText),
    source: sourceOf(station),
  };
}

function packetsExplanation(
  ids: readonly number[],
  place: string,
  frame: Frame,
  glossary: Glossary,
): Explanation {
  const wanted = new Set(ids);
  let bytes = 0;
  let station = NO_WORD;
  frame.packets.packet.forEach((id, index) => {
    if (!wanted.has(id)) return;
    bytes += frame.packets.bytes[index] ?? 0;
    station = frame.packets.station[index] ?? station;
  });
  const about = glossary.stations[station];
  const what = place.startsWith('datagram') ? 'a datagram: ' : '';
  return {
    title: `${what}${counted(ids.length, place.startsWith('datagram') ? 'fragment' : 'packet')} · ${bytesText(bytes)}`,
    lines: [about === undefined ? '' : `in ${about.name}`, about?.sentence ?? ''].filter(isText),
    source: sourceOf(about),
  };
}

function cpuExplanation(cpu: number, frame: Frame, run: Opened, words: Words): Explanation {
  const at = run.cpus.indexOf(cpu);
  if (at === -1) {
    return { title: 'CPU', lines: ['The recording does not say on which CPU.'], source: '' };
  }
  const context = words.glossary.contexts[frame.cpus.context[at] ?? NO_WORD];
  const task = taskName(run, frame.cpus.pid[at] ?? NONE);
  const packet = frame.cpus.packet[at] ?? NONE;
  const since = Math.max(0, frame.time - (frame.cpus.since[at] ?? frame.time));
  return {
    title: `CPU ${cpu}: ${context?.name ?? 'unknown'}`,
    lines: [
      `for ${nanosText(since)}${task === undefined ? '' : `; current task ${task}`}`,
      packet === NONE ? '' : `works on packet ${nameIn(frame, packet)}`,
      ...cpuLines(cpu, at, frame, run),
      context?.sentence ?? '',
    ].filter(isText),
    source: sourceOf(context),
  };
}

function wordExplanation(word: Word | undefined, more: readonly string[]): Explanation {
  if (word === undefined) return { title: 'unknown', lines: more, source: '' };
  return {
    title: word.name,
    lines: [...more, word.sentence].filter(isText),
    source: sourceOf(word),
  };
}

function sourceOf(word: Word | undefined): string {
  return word === undefined || word.function === '' ? '' : `${word.function} (${word.version})`;
}

function isText(line: string): boolean {
  return line !== '';
}
