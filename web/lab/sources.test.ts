/** What the Lab says of where a parameter comes from. */
import { expect, test } from 'vitest';
import type { Parameter } from '../core/simulation.ts';
import { originOf, standingOf } from './sources.ts';

const parameter: Parameter = {
  parameter: 'cache.kib',
  value: '256',
  source: 'data sheet',
  standing: 'read',
  fittedTo: [],
  restsOn: [],
  isSame: false,
};

test('what was read says where', () => {
  expect(standingOf(parameter)).toBe('read');
  expect(originOf(parameter)).toBe('data sheet');
});

test('what was fitted names the numbers, and what it rests on', () => {
  const fitted = {
    ...parameter,
    source: '',
    standing: 'fitted',
    fittedTo: ['ba.t5', 'ba.fig5 UNI 2.6'],
    restsOn: [':paths'],
  };
  expect(standingOf(fitted)).toBe('fitted to ba.t5, ba.fig5 UNI 2.6');
  expect(originOf(fitted)).toBe('From paths.');
  expect(originOf({ ...fitted, isSame: true, source: 'one core' })).toBe('Same as paths. one core');
});
