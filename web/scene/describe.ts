/**
 * A frame in words, for those who cannot see it: what each CPU does, where the packets
 * are, how deep the queues stand, what was just dropped.
 */
import type { Frame } from '../core/frame.ts';
import type { Opened } from '../core/core.ts';
import { NO_CPU, NO_WORD, NONE } from '../core/core.ts';
import { taskName } from './heads.ts';
import { machineSentences } from './machine/explain.ts';
import { nameAt, nameIn } from './name.ts';
import { queueState } from './queues.ts';
import { counted } from './text.ts';
import { contextDetail, contextLook } from './words.ts';
import type { Words } from './words.ts';

/** Of the packets at one place so many are named; of the rest the number is told. */
const NAMED = 3;

export function describe(frame: Frame, run: Opened, words: Words): readonly string[] {
  return [
    ...run.cpus.map((cpu, at) => cpuSentence(frame, run, words, cpu, at)),
    ...placeSentences(frame, words),
    ...run.queues.flatMap((_, at) => {
      const state = queueState(frame, run, words, at);
      return (frame.queueDepth[at] ?? 0) > 0
        ? [`${state.name} ${state.label}: ${state.text}.`]
        : [];
    }),
    ...machineSentences(frame, run),
    ...dropSentences(frame, words),
  ];
}

function cpuSentence(frame: Frame, run: Opened, words: Words, cpu: number, at: number): string {
  const look = contextLook(words, frame.cpus.context[at] ?? NO_WORD);
  const detail = contextDetail(look, frame.cpus.detail[at] ?? NONE);
  const word = detail === undefined ? look.word : `${look.word} ${detail}`;
  const task = taskName(run, frame.cpus.pid[at] ?? NONE);
  const packet = frame.cpus.packet[at] ?? NONE;
  return `CPU ${cpu}: ${word}${task === undefined ? '' : `, ${task}`}${packet === NONE ? '' : `, works on packet ${nameIn(frame, packet)}`}.`;
}

function placeSentences(frame: Frame, words: Words): readonly string[] {
  const { packets } = frame;
  const places = new Map<string, string[]>();
  packets.packet.forEach((_, index) => {
    if ((packets.verdict[index] ?? NO_WORD) !== NO_WORD) return;
    const station =
      words.glossary.stations[packets.station[index] ?? NO_WORD]?.name ?? 'unknown place';
    const cpu = packets.placeCpu[index] ?? NO_CPU;
    const place = `${station}${cpu === NO_CPU ? '' : ` on CPU ${cpu}`}`;
    const served = packets.isServed[index] === 1 ? ' (worked on)' : '';
    places.set(place, [...(places.get(place) ?? []), `packet ${nameAt(packets, index)}${served}`]);
  });
  if (places.size === 0) return ['No packet is in flight.'];
  return [...places].map(([place, names]) => {
    const rest = names.length - NAMED;
    const named = names.slice(0, NAMED).join(', ');
    return `${place}: ${named}${rest > 0 ? ` and ${rest} more` : ''}.`;
  });
}

function dropSentences(frame: Frame, words: Words): readonly string[] {
  const { verdict, dropReason } = frame.packets;
  const reasons = new Map<string, number>();
  verdict.forEach((kind, index) => {
    if (kind !== words.dropped) return;
    const name = words.glossary.dropReasons[dropReason[index] ?? NO_WORD]?.name ?? 'no reason';
    reasons.set(name, (reasons.get(name) ?? 0) + 1);
  });
  return [...reasons].map(([name, count]) => `Just dropped: ${counted(count, 'packet')}, ${name}.`);
}
