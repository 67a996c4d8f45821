/** Each short word of the core has a message, and English calls places as the command line does. */
import { expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import { contextWord, layerWord, placeWord, unitWord, verdictWord } from './kernel-words.ts';
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
    const same = ['net core', 'GRO', 'IP', 'TCP', 'UDP', 'qdisc'];
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
  } finally {
    overwriteGetLocale(() => 'en');
  }
});
