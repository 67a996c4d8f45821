/** What can be simulated: asked for once, and never older than what the viewer added. */
import { expect, test } from 'vitest';
import type { Core } from '../core/core.ts';
import { fakeCore, SMALL_CATALOGUE } from '../core/fake-core.ts';
import { createRingside } from './context.ts';

const sessionOver = (calls: Partial<Core>) => createRingside(fakeCore(calls));

test('the catalogue is asked for once by two at once, and again where it did not come', async () => {
  const answers = [Promise.reject(new Error('gone')), Promise.resolve(SMALL_CATALOGUE)];
  let asked = 0;
  const { session } = sessionOver({
    catalogue: () => answers[asked++] ?? Promise.reject(new Error('asked too often')),
  });
  const first = await Promise.allSettled([session.loadCatalogue(), session.loadCatalogue()]);
  expect([first.map(({ status }) => status), asked]).toEqual([['rejected', 'rejected'], 1]);
  const both = await Promise.all([session.loadCatalogue(), session.loadCatalogue()]);
  expect([both, asked]).toEqual([[SMALL_CATALOGUE, SMALL_CATALOGUE], 2]);
});

test('a catalogue with a machine that was added is not replaced by the one asked for before', async () => {
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const more = { ...SMALL_CATALOGUE, machines: [] };
  const { session } = sessionOver({
    catalogue: (machines = []) =>
      machines.length > 0 ? Promise.resolve(more) : late.then(() => SMALL_CATALOGUE),
  });
  const loaded = session.loadCatalogue();
  await session.loadMachines(['{}']);
  answer();
  expect((await loaded).machines).toEqual([]);
  expect(session.catalogue?.machines).toEqual([]);
});
