/**
 * The one place where a saying of the core becomes text: its message with the values put in, each
 * formatted by its kind. A value is put in bare, so the message brings the noun ("CPU {cpu}");
 * only an amount brings its unit.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Saying, SayingValue } from '../core/saying.ts';
import {
  formatBitRate,
  formatBytes,
  formatCount,
  formatNanos,
  formatNumber,
  formatShare,
} from '../ui/format.ts';
import { sayings } from './generated/sayings.js';

/** What the indices in a saying point into. */
export interface SayingContext {
  readonly glossary: Glossary;
  readonly opened: Opened;
}

/** The saying as a sentence, in the language that is spoken; its code where no message is written. */
export function say(saying: Saying, context: SayingContext): string {
  const message = sayings[`say_${saying.code.replaceAll('.', '_')}`];
  if (message === undefined) return saying.code;
  const values = Object.entries(saying.values).map(
    ([name, value]) => [name, valueInWords(value, context)] as const,
  );
  return message(Object.fromEntries(values));
}

/** One value of a saying, as it stands in a message. */
export function valueInWords(value: SayingValue, { glossary, opened }: SayingContext): string {
  switch (value.kind) {
    case 'nanos':
      return formatNanos(value.value);
    case 'count':
      return formatCount(value.value);
    case 'number':
      return formatNumber(value.value);
    case 'bytes':
      return formatBytes(value.value);
    case 'bitRate':
      return formatBitRate(value.value / 8);
    case 'share':
      return formatShare(value.value, 1);
    case 'cpu':
    case 'packet':
      return String(value.value);
    case 'queue': {
      const queue = opened.queues[value.value];
      const kind = glossary.queues[queue?.kind ?? -1]?.name ?? '';
      return queue === undefined || queue.label === '' ? kind : `${kind} (${queue.label})`;
    }
    case 'station':
      return glossary.stations[value.value]?.name ?? '';
    case 'dropReason':
      return glossary.dropReasons[value.value]?.name ?? '';
    case 'probe':
      return glossary.probes[value.value]?.name ?? '';
    case 'task': {
      const task = opened.tasks.find(({ pid }) => pid === value.value);
      return task === undefined ? `task ${value.value}` : `${task.comm} (${task.pid})`;
    }
    case 'flow':
      return opened.flows[value.value] ?? '';
    case 'socket':
      return opened.sockets.find(({ id }) => id === value.value)?.label ?? '';
    case 'name':
      return value.value;
  }
}
