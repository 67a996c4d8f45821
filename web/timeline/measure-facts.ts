/**
 * The measures of a range as names and values to be read: only formatting, no measuring.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Measures } from '../core/measures.ts';
import { formatBitRate, formatBytes, formatCount, formatNumber } from '../numbers/format.ts';
import { packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { unitWord } from '../words/kernel-words.ts';
import { depthText, queueName } from './names.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What was measured; of what the run never tells it says so, and of a model nothing. */
export function factsOf(measures: Measures, origin: Opened['origin']): readonly Fact[] {
  const { from, to, bytesDelivered, packetsDelivered, interrupts, polls, framesPolled } = measures;
  const seconds = (to - from) / 1e9;
  const bytes = bytesDelivered === undefined ? '' : `, ${formatBytes(bytesDelivered)}`;
  const rate = bytesDelivered === undefined || seconds <= 0 ? undefined : bytesDelivered / seconds;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    [m.range_throughput(), rate === undefined ? undefined : formatBitRate(rate)],
    [m.range_delivered(), `${packetsText(packetsDelivered)}${bytes}`],
    [m.range_interrupts(), interrupts === undefined ? undefined : formatCount(interrupts)],
    [m.range_polls(), polls === undefined ? undefined : formatCount(polls)],
    [m.range_frames_per_interrupt(), ratio(framesPolled, interrupts)],
    [m.range_frames_per_poll(), polls === undefined ? undefined : ratio(framesPolled, polls)],
  ];
  return [
    ...facts
      .filter(([, value]) => value !== undefined || origin === 'recorded')
      .map(([name, value]) => ({ name, value: value ?? m.not_recorded() })),
    { name: m.range_handed(), value: formatCount(measures.crossCpu) },
    ...dropFacts(measures),
  ];
}

/** Nothing where one of the two is not known; a dash where there was nothing to share out. */
function ratio(whole: number | undefined, part: number | undefined): string | undefined {
  if (whole === undefined || part === undefined) return undefined;
  return part === 0 ? '–' : formatNumber(whole / part);
}

function dropFacts({ drops }: Measures): readonly Fact[] {
  const found = drops.filter(({ count }) => count > 0);
  if (found.length === 0) return [{ name: m.range_drops(), value: m.range_none() }];
  return found.map(({ reason, count }) => ({
    name: m.range_dropped({ reason }),
    value: formatCount(count),
  }));
}

export interface QueueFact {
  readonly name: string;
  readonly mean: string;
  readonly max: string;
}

export function queueFacts(
  { queues }: Measures,
  run: Opened,
  glossary: Glossary,
): readonly QueueFact[] {
  return queues
    .filter(({ max }) => max > 0)
    .map(({ queue, max, mean }) => {
      const unit = run.queues[queue]?.unit ?? '';
      const suffix = unit === 'bytes' ? '' : ` (${unitWord(unit)})`;
      return {
        name: `${queueName(run, glossary, queue)}${suffix}`,
        mean: unit === 'bytes' ? depthText(mean, 0, unit) : formatNumber(mean),
        max: depthText(max, 0, unit),
      };
    });
}

export interface ContextShare {
  readonly context: number;
  readonly share: number;
  readonly time: number;
}

/** The contexts in which a CPU spent time, the longest first. */
export function sharesOf(nanos: readonly number[]): readonly ContextShare[] {
  const whole = nanos.reduce((sum, time) => sum + time, 0);
  return nanos
    .map((time, context) => ({ context, time, share: whole > 0 ? time / whole : 0 }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => b.time - a.time);
}
