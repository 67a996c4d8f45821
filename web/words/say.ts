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
import messages from './messages/en.json' with { type: 'json' };

/** What the indices in a saying point into. */
export interface SayingContext {
  readonly glossary: Glossary;
  readonly opened: Opened;
}

/** A message: a text with `{names}`, or inlang's variants by the plural of a value. */
type Message =
  | string
  | readonly {
      readonly declarations: readonly string[];
      readonly selectors: readonly string[];
      readonly match: Readonly<Record<string, string>>;
    }[];

const PLURALS = new Intl.PluralRules('en');

/** The saying as a sentence. */
export function say(saying: Saying, context: SayingContext): string {
  const key = `say_${saying.code.replaceAll('.', '_')}`;
  const message = (messages as Readonly<Record<string, Message>>)[key];
  if (message === undefined) return saying.code;
  return textOf(message, saying).replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const value = saying.values[name];
    return value === undefined ? hole : valueInWords(value, context);
  });
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

/** The text of a message for these values: the first case that fits them. */
function textOf(message: Message, saying: Saying): string {
  if (typeof message === 'string') return message;
  const [cases] = message;
  if (cases === undefined) return '';
  const plural = (selector: string) => {
    const declared = cases.declarations
      .map((text) => /^local (\w+) = (\w+): plural$/.exec(text))
      .find((found) => found?.[1] === selector);
    const value = saying.values[declared?.[2] ?? '']?.value;
    return typeof value === 'number' ? PLURALS.select(value) : 'other';
  };
  const fits = (conditions: string) =>
    conditions.split(',').every((condition) => {
      const [selector = '', wanted = '*'] = condition.trim().split('=');
      return wanted === '*' || plural(selector) === wanted;
    });
  const open = (conditions: string) => conditions.split('*').length;
  return (
    Object.entries(cases.match)
      .filter(([conditions]) => fits(conditions))
      .sort(([a], [b]) => open(a) - open(b))[0]?.[1] ?? ''
  );
}
