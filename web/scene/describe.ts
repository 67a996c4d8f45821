/**
 * A frame as text for viewers who cannot see it: the activity of each CPU, the places of packets, the
 * depths of queues, recent drops.
 */
import type { Frame } from '../core/frame.ts';
import type { Opened } from '../core/core.ts';
import { NO_CPU, NO_WORD, NONE } from '../core/core.ts';
import { busiestCpus, placeOfCpu } from './columns.ts';
import { taskName } from './heads.ts';
import { machineSentences } from './machine/explain.ts';
import { nameAt, nameIn } from './name.ts';
import { queueState } from './queues.ts';
import { contextDetail, contextLook } from './words.ts';
import type { Words } from './words.ts';
import { moreCpusText, packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { placeWord } from '../words/kernel-words.ts';

/** Number of packets named at one place; the rest is only counted. */
const NAMED = 3;
/** Number of CPUs described: those with the most packets. */
const CPUS_TOLD = 64;

export function describe(frame: Frame, run: Opened, words: Words): readonly string[] {
  return [
    ...cpuSentences(frame, run, words),
    ...placeSentences(frame, words),
    ...run.queues.flatMap((_, at) =>
      (frame.queueDepth[at] ?? 0) > 0 ? [queueSentence(frame, run, words, at)] : [],
    ),
    ...machineSentences(frame, run),
    ...dropSentences(frame, words),
  ];
}

function queueSentence(frame: Frame, run: Opened, words: Words, at: number): string {
  const { name, label, text } = queueState(frame, run, words, at);
  const depth = run.queues[at]?.unit === 'bytes' ? m.describe_memory({ amount: text }) : text;
  return m.describe_queue({ queue: name, label, depth });
}

function cpuSentences(frame: Frame, run: Opened, words: Words): readonly string[] {
  const told = busiestCpus(run, CPUS_TOLD).flatMap((cpu) => {
    const at = placeOfCpu(run).get(cpu);
    return at === undefined ? [] : [cpuSentence(frame, run, words, cpu, at)];
  });
  const others = run.cpus.length - told.length;
  return others > 0 ? [...told, `${moreCpusText(others)}.`] : told;
}

function cpuSentence(frame: Frame, run: Opened, words: Words, cpu: number, at: number): string {
  const look = contextLook(words, frame.cpus.context[at] ?? NO_WORD);
  const detail = contextDetail(look, frame.cpus.detail[at] ?? NONE);
  const word = detail === undefined ? look.label() : `${look.label()} ${detail}`;
  const task = taskName(run, frame.cpus.pid[at] ?? NONE);
  const packet = frame.cpus.packet[at] ?? NONE;
  const work = packet === NONE ? undefined : m.describe_works_on({ packet: nameIn(frame, packet) });
  const doing = [word, task, work].filter((part) => part !== undefined).join(', ');
  return m.describe_cpu({ cpu: String(cpu), doing });
}

function placeSentences(frame: Frame, words: Words): readonly string[] {
  const { packets } = frame;
  const places = new Map<string, { readonly named: string[]; count: number }>();
  packets.packet.forEach((_, index) => {
    if ((packets.verdict[index] ?? NO_WORD) !== NO_WORD) return;
    const name = words.glossary.stations[packets.station[index] ?? NO_WORD]?.name;
    const station = name === undefined ? m.describe_unknown_place() : placeWord(name);
    const cpu = packets.placeCpu[index] ?? NO_CPU;
    const place = cpu === NO_CPU ? station : m.describe_on_cpu({ station, cpu: String(cpu) });
    const there = places.get(place) ?? { named: [], count: 0 };
    places.set(place, there);
    there.count += 1;
    if (there.count <= NAMED) there.named.push(packetWords(packets, index));
  });
  if (places.size === 0) return [m.describe_none()];
  return [...places].map(([place, { named, count }]) => {
    const rest = count - named.length;
    const packets = named.join(', ');
    return rest > 0
      ? m.describe_place_more({ place, packets, count: String(rest) })
      : m.describe_place({ place, packets });
  });
}

function packetWords(packets: Frame['packets'], index: number): string {
  const packet = { packet: nameAt(packets, index) };
  return packets.isServed[index] === 1
    ? m.describe_packet_served(packet)
    : m.describe_packet(packet);
}

function dropSentences(frame: Frame, words: Words): readonly string[] {
  const { verdict, dropReason } = frame.packets;
  const reasons = new Map<string, number>();
  verdict.forEach((kind, index) => {
    if (kind !== words.dropped) return;
    const name =
      words.glossary.dropReasons[dropReason[index] ?? NO_WORD]?.name ?? m.describe_no_reason();
    reasons.set(name, (reasons.get(name) ?? 0) + 1);
  });
  return [...reasons].map(([reason, count]) =>
    m.describe_dropped({ packets: packetsText(count), reason }),
  );
}
