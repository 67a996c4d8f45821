/** The shelf holds every recording and every scenario once, and its filter narrows. */
import { expect, test } from 'vitest';
import { recordingsOnDisk, scenariosOnDisk } from '../core/on-disk.ts';
import type { Happening } from './happenings.ts';
import { filtered, idOf, shelf, type Group, type Item, type Wanted } from './shelf.ts';

const idsOf = (groups: readonly Group[]) => groups.flatMap(({ items }) => items.map(idOf));

test('every recording and every scenario is on the shelf once', () => {
  expect(idsOf(shelf).sort(), 'put it into traces/index.json').toEqual(
    [...recordingsOnDisk(), ...scenariosOnDisk()].sort(),
  );
});

const all: Wanted = { origin: 'all', happenings: new Set(), words: '' };

test('with nothing asked for, all of it is shown', () => {
  expect(filtered(shelf, all)).toEqual(shelf);
});

test('what is asked for by origin and by words is all that is shown', () => {
  const found = (wanted: Partial<Wanted>) => idsOf(filtered(shelf, { ...all, ...wanted }));
  expect(found({ words: 'DATAGRAM every 4.4' })).toEqual(['go-fragments']);
  expect(found({ words: 'receive packet steering' })).toEqual(['rps-udp-flows', 'today-rps']);
  expect(found({ words: 'receive packet steering', origin: 'simulated' })).toEqual(['today-rps']);
  expect(found({ words: 'no such thing' })).toEqual([]);
});

test('of several happenings all must happen', () => {
  const drawn = (name: string, happens: readonly Happening[]): Item => ({
    kind: 'simulated',
    scenario: { name, title: name, about: '', promises: [], text: '{}' },
    shown: { picture: { paths: [], ends: [] }, happens },
  });
  const items = [drawn('a', ['drops', 'cpus']), drawn('b', ['drops']), drawn('c', ['locks'])];
  const found = (...happenings: Happening[]) =>
    idsOf(filtered([{ name: 'cpus', items }], { ...all, happenings: new Set(happenings) }));
  expect(found('drops')).toEqual(['a', 'b']);
  expect(found('drops', 'cpus')).toEqual(['a']);
  expect(found('drops', 'locks')).toEqual([]);
});
