/**
 * The one place where a saying of the core becomes text: its message with the values put in, each
 * formatted by its kind. A value is put in bare, so the message brings the noun ("CPU {cpu}");
 * only an amount brings its unit.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Saying, SayingValue } from '../core/saying.ts';
import {
  formatBytes,
  formatCount,
  formatNanos,
  formatNumber,
  formatShare,
} from '../numbers/format.ts';
import { isMessage, m } from './generated/messages.js';
import { ownerWord, placeWord, unreadWord } from './kernel-words.ts';

/** What the indices in a saying point into. */
export interface SayingContext {
  readonly glossary: Glossary;
  /** What knows no run has none of these. */
  readonly opened: Pick<Opened, 'queues' | 'tasks' | 'flows'>;
}

/** The core names a saying by its code, so its message is looked up by name. */
const sayings = m as unknown as Readonly<Record<string, (values: object) => string>>;

/** The saying as a sentence, in the language that is spoken; its code where no message is written. */
export function say(saying: Saying, context: SayingContext): string {
  const key = `say_${saying.code.replaceAll('.', '_')}`;
  if (!isMessage(key)) return saying.code;
  const values = Object.entries(saying.values).map(
    ([name, value]) => [name, valueInWords(value, context)] as const,
  );
  return sayings[key]!(Object.fromEntries(values));
}

/** A saying of which there is no run, so that none of its values points into one. */
export const sayAlone = (saying: Saying): string => say(saying, NOTHING);

const NOTHING: SayingContext = {
  glossary: { stations: [], probes: [], contexts: [], queues: [], verdicts: [], dropReasons: [] },
  opened: { queues: [], tasks: [], flows: [] },
};

/** One value of a saying, as it stands in a message. */
export function valueInWords(value: SayingValue, context: SayingContext): string {
  const { glossary, opened } = context;
  switch (value.kind) {
    case 'nanos':
      return formatNanos(value.value);
    case 'count':
      return formatCount(value.value);
    case 'number':
      return formatNumber(value.value);
    case 'bytes':
      return formatBytes(value.value);
    case 'share':
      return formatShare(value.value, 1);
    case 'cpu':
      return String(value.value);
    case 'packet':
      return value.name;
    case 'queue': {
      const queue = opened.queues[value.value];
      const kind = placeWord(glossary.queues[queue?.kind ?? -1]?.name ?? '');
      return queue === undefined || queue.label === ''
        ? kind
        : `${kind} (${ownerWord(queue.label)})`;
    }
    case 'station':
      return placeWord(glossary.stations[value.value]?.name ?? '');
    case 'dropReason':
      return glossary.dropReasons[value.value]?.name ?? '';
    case 'probe':
      return glossary.probes[value.value]?.name ?? '';
    case 'task': {
      const task = opened.tasks.find(({ pid }) => pid === value.value);
      return task === undefined ? m.word_task({ pid: value.value }) : `${task.comm} (${task.pid})`;
    }
    case 'flow':
      return opened.flows[value.value] ?? '';
    case 'name':
      return value.value;
    case 'unread':
      return unreadWord(value.value);
    case 'said':
      return say(value.value, context);
  }
}
