/** Each short word of the core has a message, and English calls places as the command line does. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import {
  contextWord,
  layerWord,
  ownerWord,
  placeWord,
  unitWord,
  unreadWord,
  verdictWord,
} from './kernel-words.ts';
import { overwriteGetLocale } from './generated/runtime.js';

const glossary = await engineOnDisk().glossary();
const { stations, queues, contexts, verdicts } = glossary;

test('stations and queues are called in English as the core calls them', () => {
  const names = [...stations, ...queues].map(({ name }) => name);
  expect(names.map(placeWord)).toEqual(names);
});

test('in another language each word of the core is said by a message', () => {
  overwriteGetLocale(() => 'de');
  try {
    // The same in both: names of protocols, and terms that German takes over.
    const same = ['XDP', 'net core', 'GRO', 'IP', 'TCP', 'UDP', 'qdisc'];
    const left = (names: readonly string[], word: (name: string) => string) =>
      names.filter((name) => word(name).toLowerCase() === name.toLowerCase());
    const names = (words: readonly { readonly name: string }[]) => words.map(({ name }) => name);
    expect(left(names(stations), placeWord).filter((name) => !same.includes(name))).toEqual([
      'backlog',
      'transport',
      'prequeue',
    ]);
    expect(left(names(verdicts), verdictWord)).toEqual([]);
    expect(left(names(contexts), contextWord)).toEqual(['kernel', 'softirq', 'hardirq', 'nmi']);
    const units = [...new Set(queues.map(({ unit }) => unit))];
    expect(left(units, unitWord).sort()).toEqual(['bytes', 'frames', 'tasks']);
    expect(layerWord('ip_rcv to tcp_v4_rcv')).toBe('ip_rcv bis tcp_v4_rcv');
    expect(layerWord('receive queue')).toBe('Empfangswarteschlange');
    expect(layerWord('9 to 10')).toBe('Empfangswarteschlange, 9 bis 10');
  } finally {
    overwriteGetLocale(() => 'en');
  }
});

test('whose a queue is, and why a line was not read, is said in the language of the page', () => {
  const said = () => [
    ...['port 5001', 'socket 3', 'CPU 1', 'eth0', ''].map(ownerWord),
    ...['no line of a trace', 'ip_rcv without the arguments it always has', 'x is no y'].map(
      unreadWord,
    ),
  ];
  const same = ['CPU 1', 'eth0', ''];
  expect(said()).toEqual([
    ...['port 5001', 'socket 3', ...same],
    ...['no line of a trace', 'ip_rcv without the arguments it always has', 'x is no y'],
  ]);
  overwriteGetLocale(() => 'de');
  try {
    expect(said()).toEqual([
      ...['Port 5001', 'Socket 3', ...same],
      ...['keine Zeile eines Trace', 'ip_rcv ohne die Argumente, die es immer hat', 'x is no y'],
    ]);
  } finally {
    overwriteGetLocale(() => 'en');
  }
});

test('what is to be done about lines that were not read is said in the language of the page', () => {
  overwriteGetLocale(() => 'de');
  try {
    for (const [why, begin] of [
      [
        'zeros stand in it, so a part of the file is missing here, or this part is in UTF-16',
        'Nullen',
      ],
      [
        'an event without its arguments: give perf script the field trace, and print it again',
        'ein Ereignis ohne seine Argumente',
      ],
      [
        'printed by `trace-cmd report --raw-ts`: print it again without that option',
        'von `trace-cmd',
      ],
    ] as const)
      expect(unreadWord(why).startsWith(begin), why).toBe(true);
  } finally {
    overwriteGetLocale(() => 'en');
  }
});

test('each reason that has a message is one that the core gives', () => {
  const core = new URL('../../wasm-core/core/src/', import.meta.url);
  const sources = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.rs'))
    .map((file) => readFileSync(new URL(file, core), 'utf8'))
    .join('\n');
  const messages = JSON.parse(
    readFileSync(new URL('messages/en.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const reasons = Object.entries(messages).flatMap(([key, text]) =>
    key.startsWith('unread_')
      ? String(text)
          .replace('’', "'")
          .split(/\{\w+\}/)
      : [],
  );
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((reason) => !sources.includes(reason))).toEqual([]);
});
