/** The Lab's texts about the sources of parameters. */
import { expect, test } from 'vitest';
import type { Parameter } from '../core/simulation.ts';
import { guessOf, originOf, standingOf } from './sources.ts';

const parameter: Parameter = {
  parameter: 'cache.kib',
  value: '256',
  source: 'data sheet',
  standing: 'read',
  fittedTo: [],
  restsOn: [],
  isSame: false,
  range: [],
  rangeKind: 'numbers',
};

test('what was read says where', () => {
  expect(standingOf(parameter)).toBe('read');
  expect(originOf(parameter)).toBe('data sheet');
});

test('what was guessed says within what', () => {
  const guess = { ...parameter, standing: 'guessed' };
  expect(guessOf(parameter)).toBe('read');
  expect(guessOf({ ...guess, range: ['128', '512'] })).toBe('guessed, 128 to 512');
  expect(guessOf({ ...guess, range: ['50', '200'], rangeKind: 'percent' })).toBe(
    'guessed, each number 50 to 200\u00a0% of what is here',
  );
  expect(guessOf({ ...guess, range: ['fixed', 'dynamic'], rangeKind: 'choice' })).toBe(
    'guessed, one of fixed, dynamic',
  );
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
