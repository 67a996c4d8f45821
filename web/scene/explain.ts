/**
 * The explanation of a thing on the stage, from the glossary and the current values, for the tooltip and
 * the screen reader.
 */
import type { Frame } from '../core/frame.ts';
import type { Glossary, Opened, Word } from '../core/core.ts';
import { NO_CPU, NO_WORD, NONE } from '../core/core.ts';
import { placeOfCpu } from './columns.ts';
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
import { contextLook } from './words.ts';
import type { Words } from './words.ts';
import { formatBytes, formatLength, formatNanos } from '../numbers/format.ts';
import { fragmentsText, framesText, packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { amountText } from './text.ts';
import { placeWord, verdictWord } from '../words/kernel-words.ts';

export interface Explanation {
  readonly title: string;
  readonly lines: readonly string[];
  /** The glossary's sentence, always in English; `undefined` if it has none. */
  readonly about?: string | undefined;
  /** The kernel function and the version in which it was read; empty if there is none. */
  readonly source: string;
}

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
      const packet = nameIn(frame, thing.packet);
      return {
        title:
          station === undefined
            ? m.stage_explain_dropped({ packet })
            : m.stage_explain_dropped_at({ packet, station: placeWord(station) }),
        lines: [reason?.name ?? m.stage_explain_no_reason()],
        about: reason?.sentence,
        source: sourceOf(reason),
      };
    }
    case 'station':
      return wordExplanation(glossary.stations[thing.station], []);
    case 'queue': {
      const info = run.queues[thing.queue];
      const state = queueState(frame, run, words, thing.queue);
      const deepest =
        info === undefined
          ? []
          : [m.stage_explain_deepest({ depth: amountText(info.maxDepth, info.unit) })];
      const past = state.isPast ? [m.stage_explain_past()] : [];
      const memory = info?.unit === 'bytes' ? [m.stage_explain_truesize()] : [];
      const told = [state.text, ...past, ...deepest, ...memory];
      const about = wordExplanation(glossary.queues[info?.kind ?? -1], told);
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
            title: m.stage_row_caches(),
            lines: [m.stage_explain_caches(), ...(isRecorded ? [m.stage_explain_inferred()] : [])],
            source: '',
          }
        : { title: row.label(), lines: [row.sentence()], source: '' };
    }
    case 'cpu':
      return cpuExplanation(thing.cpu, frame, run, words);
    case 'cache': {
      if (run.machine.caches.length > 0) return cacheExplanation(thing.cpu, frame, run);
      const held = [...frame.packets.cpu].filter((cpu) => cpu === thing.cpu).length;
      return {
        title: m.stage_cache_of({ cpus: String(thing.cpu) }),
        lines: [
          m.stage_explain_touched({ packets: packetsText(held) }),
          ...(run.origin === 'recorded' ? [m.stage_explain_inferred()] : []),
        ],
        source: '',
      };
    }
    case 'hand-over':
      if (run.machine.caches.length > 0) {
        return moveExplanation(thing.from, thing.to, frame, run);
      }
      return {
        title: m.stage_explain_hand_over({ from: thing.from, to: thing.to }),
        lines: [
          m.stage_explain_handed_over(),
          ...(run.origin === 'recorded' ? [m.stage_explain_inferred()] : []),
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

/** What clicking a thing with handles does; packets are selected instead. */
export function handleHint({ kind }: Thing): string | undefined {
  const isPacket = kind === 'packet' || kind === 'packets' || kind === 'drop';
  return isPacket ? undefined : m.stage_handle_hint();
}

function packetExplanation(
  packet: number,
  piece: number,
  frame: Frame,
  glossary: Glossary,
): Explanation {
  const { packets, time } = frame;
  const index = packets.packet.findIndex((id, at) => id === packet && packets.piece[at] === piece);
  const title = m.describe_packet({
    packet: index === -1 ? String(packet) : nameAt(packets, index),
  });
  if (index === -1) return { title, lines: [m.stage_explain_gone()], source: '' };
  const station = glossary.stations[packets.station[index] ?? NO_WORD];
  const next = glossary.stations[packets.nextStation[index] ?? NO_WORD];
  const cpu = packets.cpu[index] ?? NO_CPU;
  const parts = packets.parts[index] ?? 1;
  const verdict = glossary.verdicts[packets.verdict[index] ?? NO_WORD];
  const isServed = packets.isServed[index] === 1;
  const stayed = Math.max(0, time - (packets.since[index] ?? time));
  const state =
    verdict === undefined
      ? isServed
        ? m.stage_explain_worked_on()
        : m.stage_explain_waiting()
      : verdictWord(verdict.name);
  const at = station === undefined ? m.describe_unknown_place() : placeWord(station.name);
  const place = cpu === NO_CPU ? at : m.describe_on_cpu({ station: at, cpu: String(cpu) });
  const bytes = formatLength(packets.bytes[index] ?? 0);
  const size = parts > 1 ? m.stage_explain_in_frames({ bytes, frames: framesText(parts) }) : bytes;
  const told = { state, place, time: formatNanos(stayed) };
  return {
    title: `${title} · ${size}`,
    lines: [
      next === undefined
        ? m.stage_explain_stays(told)
        : m.stage_explain_stays_then({ ...told, next: placeWord(next.name) }),
    ],
    about: station?.sentence,
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
  const what = place.startsWith('datagram')
    ? m.stage_explain_datagram({ fragments: fragmentsText(ids.length) })
    : packetsText(ids.length);
  return {
    title: `${what} · ${formatBytes(bytes)}`,
    lines: about === undefined ? [] : [m.stage_explain_in({ station: placeWord(about.name) })],
    about: about?.sentence,
    source: sourceOf(about),
  };
}

function cpuExplanation(cpu: number, frame: Frame, run: Opened, words: Words): Explanation {
  const at = placeOfCpu(run).get(cpu);
  if (at === undefined) {
    return { title: m.machine_cpu(), lines: [m.stage_explain_no_cpu()], source: '' };
  }
  const context = words.glossary.contexts[frame.cpus.context[at] ?? NO_WORD];
  const task = taskName(run, frame.cpus.pid[at] ?? NONE);
  const packet = frame.cpus.packet[at] ?? NONE;
  const time = formatNanos(Math.max(0, frame.time - (frame.cpus.since[at] ?? frame.time)));
  return {
    title: `${m.cpu({ cpu })}: ${contextLook(words, frame.cpus.context[at] ?? NO_WORD).label()}`,
    lines: [
      task === undefined
        ? m.stage_explain_since({ time })
        : m.stage_explain_since_task({ time, task }),
      packet === NONE ? '' : m.describe_works_on({ packet: nameIn(frame, packet) }),
      ...cpuLines(cpu, at, frame, run),
    ].filter(isText),
    about: context?.sentence,
    source: sourceOf(context),
  };
}

function wordExplanation(word: Word | undefined, more: readonly string[]): Explanation {
  if (word === undefined) return { title: m.stage_explain_unknown(), lines: more, source: '' };
  return {
    title: placeWord(word.name),
    lines: more,
    about: word.sentence,
    source: sourceOf(word),
  };
}

function sourceOf(word: Word | undefined): string {
  return word === undefined || word.function === '' ? '' : `${word.function} (${word.version})`;
}

function isText(line: string): boolean {
  return line !== '';
}
