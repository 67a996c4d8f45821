/** What the place of GRO is called in runs in which it does nothing. */
import { expect, test } from 'vitest';
import { busy, frameOf, receiving, shapesOf, staged, texts } from './testing.ts';

const settings = (given: unknown) =>
  ({
    origin: 'simulated',
    metadata: [['scenario', typeof given === 'string' ? given : JSON.stringify(given)]],
  }) as const;
const merged = (count: number) => ({ journeys: { ...receiving.journeys, merged: count } });

const titleIn = (more: object) => {
  const shapes = shapesOf(staged({ ...receiving, ...more }, 1600), frameOf(0, [], busy));
  // Each CPU has it.
  return [...new Set(texts(shapes).filter((text) => text.startsWith('GRO')))];
};

test('where GRO merges it is called by its name alone', () => {
  expect(titleIn(merged(3))).toEqual(['GRO']);
  expect(titleIn({ ...merged(3), ...settings({ settings: { gro: true } }) })).toEqual(['GRO']);
});

test('where a scenario switches GRO off, its place says so', () => {
  const off = { settings: { gro: false } };
  expect(titleIn(settings(off))).toEqual(['GRO off']);
  // Fragments are merged in reassembly.
  expect(titleIn({ ...merged(3), ...settings(off) })).toEqual(['GRO off']);
  expect(titleIn({ ...merged(3), ...settings(off), origin: 'recorded' })).toEqual(['GRO']);
});

test('where no packet goes on inside another one, the place of GRO says that it merges nothing', () => {
  expect(titleIn(merged(0))).toEqual(['GRO merges nothing']);
});

test('a file that calls itself a simulation may have anything for a scenario', () => {
  for (const scenario of ['', 'null', '[]', '7', '{"settings":null}', '{"settings":[false]}'])
    expect(titleIn({ ...merged(3), ...settings(scenario) })).toEqual(['GRO']);
});
