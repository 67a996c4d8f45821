// What the core says, as the page says it: values by their kind, plurals by their count.
import { expect, test } from 'vitest';
import type { SayingValue } from '../core/saying.ts';
import { say, valueInWords, type SayingContext } from './say.ts';

const word = (name: string) => ({ name, sentence: '', function: '', version: '' });
const context = {
  glossary: {
    stations: [{ ...word('wire'), direction: 'rx', isQueue: true }],
    probes: [{ ...word('ip_rcv'), station: 0 }],
    contexts: [],
    queues: [{ ...word('rx ring'), unit: 'frames' }],
    verdicts: [],
    dropReasons: [word('NO_SOCKET')],
  },
  opened: {
    queues: [{ kind: 0, label: 'eth0', cpu: 0, unit: 'frames', maxDepth: 3 }],
    tasks: [{ pid: 534, comm: 'urecv' }],
    flows: ['UDP a to b'],
  },
} as unknown as SayingContext;

test.each<[SayingValue, string]>([
  [{ kind: 'nanos', value: 4_430_000 }, '4.43\u00a0ms'],
  [{ kind: 'count', value: 1234 }, '1,234'],
  [{ kind: 'number', value: 3.4 }, '3.40'],
  [{ kind: 'number', value: 6 }, '6'],
  [{ kind: 'bytes', value: 8000 }, '8.00\u00a0kB'],
  [{ kind: 'share', value: 0.93 }, '93\u00a0%'],
  [{ kind: 'cpu', value: 1 }, '1'],
  [{ kind: 'packet', value: 9, name: '7 · 3/6' }, '7 · 3/6'],
  [{ kind: 'queue', value: 0 }, 'rx ring (eth0)'],
  [{ kind: 'station', value: 0 }, 'wire'],
  [{ kind: 'dropReason', value: 0 }, 'NO_SOCKET'],
  [{ kind: 'probe', value: 0 }, 'ip_rcv'],
  [{ kind: 'task', value: 534 }, 'urecv (534)'],
  [{ kind: 'task', value: 9 }, 'task 9'],
  [{ kind: 'flow', value: 0 }, 'UDP a to b'],
  [{ kind: 'name', value: 'eth0' }, 'eth0'],
])('%o is %s', (value, words) => {
  expect(valueInWords(value, context)).toBe(words);
});

test('a saying is its message with the values, and its code where there is no message', () => {
  const values: Record<string, SayingValue> = {
    wait: { kind: 'nanos', value: 4_430_000 },
    station: { kind: 'station', value: 0 },
  };
  const saying = { code: 'finding.longest_wait', values, isInferred: false };
  expect(say(saying, context)).toContain('4.43\u00a0ms');
  expect(say({ ...saying, code: 'nobody.says.this' }, context)).toBe('nobody.says.this');
});
