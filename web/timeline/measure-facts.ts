/**
 * The measures of a range as names and values to be read: only formatting, no measuring.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Measures } from '../core/measures.ts';
import { formatBitRate, formatBytes, formatCount, formatCounted } from '../ui/format.ts';
import { depthText, queueName } from './names.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export function factsOf(measures: Measures): readonly Fact[] {
  const { from, to, bytesDelivered, packetsDelivered, interrupts, polls, framesPolled } = measures;
  const seconds = (to - from) / 1e9;
  const ratio = (whole: number, part: number) => (part === 0 ? '–' : (whole / part).toFixed(1));
  return [
    { name: 'Throughput', value: seconds > 0 ? formatBitRate(bytesDelivered / seconds) : '–' },
    {
      name: 'Delivered',
      value: `${formatCounted(packetsDelivered, 'packet')}, ${formatBytes(bytesDelivered)}`,
    },
    { name: 'Interrupts', value: formatCount(interrupts) },
    { name: 'NAPI polls', value: formatCount(polls) },
    { name: 'Frames per interrupt', value: ratio(framesPolled, interrupts) },
    { name: 'Frames per poll', value: ratio(framesPolled, polls) },
    { name: 'Handed to another CPU', value: formatCount(measures.crossCpu) },
    ...dropFacts(measures),
  ];
}

function dropFacts({ drops }: Measures): readonly Fact[] {
  const found = drops.filter(({ count }) => count > 0);
  if (found.length === 0) return [{ name: 'Drops', value: 'none' }];
  return found.map(({ reason, count }) => ({
    name: `Dropped: ${reason}`,
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
      const suffix = unit === 'bytes' ? '' : ` (${unit})`;
      return {
        name: `${queueName(run, glossary, queue)}${suffix}`,
        mean: unit === 'bytes' ? depthText(mean, 0, unit) : mean.toFixed(mean < 10 ? 2 : 1),
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
