/**
 * Lookups over the glossary that a scene needs: the index of a station by its name, the colour and the
 * height of a context. Made once for each glossary.
 */
import type { Glossary, Opened } from '../core/core.ts';
import { NO_WORD, NONE } from '../core/core.ts';
import type { Colour } from './shapes.ts';
import { m } from '../words/generated/messages.js';
import { contextWord } from '../words/kernel-words.ts';

export interface ContextLook {
  /** The glossary's word, which identifies the context. */
  readonly word: string;
  /** The name shown for it, looked up on each call because the language can change. */
  readonly label: () => string;
  readonly fill: Colour;
  readonly colour: Colour;
  /** Height of its band in the strip, 0 to 1: the more urgent, the higher. */
  readonly height: number;
}

export interface Words {
  readonly glossary: Glossary;
  readonly stationIndex: ReadonlyMap<string, number>;
  readonly queueIndex: ReadonlyMap<string, number>;
  readonly contexts: readonly ContextLook[];
  readonly dropped: number;
  readonly merged: number;
}

const UNKNOWN: ContextLook = {
  word: 'unknown',
  label: () => contextWord('unknown'),
  fill: 'well',
  colour: 'ink-muted',
  height: 0.08,
};

const LOOKS: Readonly<Record<string, ContextLook>> = {
  unknown: UNKNOWN,
  idle: {
    word: 'idle',
    label: () => contextWord('idle'),
    fill: 'idle',
    colour: 'on-idle',
    height: 0.2,
  },
  user: {
    word: 'user',
    label: () => contextWord('user'),
    fill: 'user',
    colour: 'on-user',
    height: 0.5,
  },
  kernel: {
    word: 'kernel',
    label: () => contextWord('kernel'),
    fill: 'kernel',
    colour: 'on-kernel',
    height: 0.65,
  },
  softirq: {
    word: 'softirq',
    label: () => contextWord('softirq'),
    fill: 'softirq',
    colour: 'on-softirq',
    height: 0.85,
  },
  hardirq: {
    word: 'hardirq',
    label: () => contextWord('hardirq'),
    fill: 'hardirq',
    colour: 'on-hardirq',
    height: 1,
  },
  nmi: {
    word: 'NMI',
    label: () => contextWord('nmi'),
    fill: 'hardirq',
    colour: 'on-hardirq',
    height: 1,
  },
  spinning: {
    word: 'spinning',
    label: () => contextWord('spinning'),
    fill: 'lock',
    colour: 'on-lock',
    height: 0.75,
  },
};

export function wordsOf(glossary: Glossary): Words {
  const index = (words: readonly { readonly name: string }[]) =>
    new Map(words.map(({ name }, at) => [name, at]));
  return {
    glossary,
    stationIndex: index(glossary.stations),
    queueIndex: index(glossary.queues),
    contexts: glossary.contexts.map(
      ({ name }) => LOOKS[name] ?? { ...UNKNOWN, word: name, label: () => contextWord(name) },
    ),
    dropped: index(glossary.verdicts).get('dropped') ?? NO_WORD,
    merged: index(glossary.verdicts).get('merged') ?? NO_WORD,
  };
}

/** The name of the innermost header shell: the run's only transport, or the layer's number. */
export function transportOf(
  { glossary }: Words,
  { visits, flows }: Pick<Opened, 'visits' | 'flows'>,
): string {
  const names = visits.map(({ station }) => glossary.stations[station]?.name ?? '');
  const [tcp, udp] = ['TCP', 'UDP'].map((name) => names.some((at) => at.startsWith(name)));
  if (tcp === udp) {
    // A recording that sees IP alone names its flows `UDP 192.0.2.2:43139 → …`.
    const [first = '', ...others] = new Set(flows.map((flow) => flow.split(' ')[0] ?? ''));
    return others.length === 0 && ['TCP', 'UDP'].includes(first) ? first : 'L4';
  }
  return tcp === true ? 'TCP' : 'UDP';
}

export function contextLook(words: Words, context: number): ContextLook {
  return words.contexts[context] ?? UNKNOWN;
}

/** The softirq vectors in order: `include/linux/interrupt.h: softirq_to_name (v6.12)`. */
const SOFTIRQS = [
  ...['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK'],
  ...['IRQ_POLL', 'TASKLET', 'SCHED', 'HRTIMER', 'RCU'],
];

/** The softirq or interrupt: `NET_RX`, `irq 24`. */
export function contextDetail(look: ContextLook, detail: number): string | undefined {
  if (detail === NONE) return undefined;
  if (look.word === 'softirq') return SOFTIRQS[detail];
  return look.word === 'hardirq' ? m.stage_irq({ irq: detail }) : undefined;
}
