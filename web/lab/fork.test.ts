/** A fork is its parent up to the moment at which something is done to it, and differs afterwards. */
import { beforeAll, expect, test } from 'vitest';
import { engineOnDisk, runOf } from '../core/on-disk.ts';
import type { Catalogue } from '../core/simulation.ts';
import { forkableAt, forked } from './fork.ts';

let catalogue: Catalogue;
let parent: string;
beforeAll(async () => {
  catalogue = await engineOnDisk().catalogue();
  parent = catalogue.scenarios.find(({ slug }) => slug === 'today-gro')!.scenario;
});

/** The events of a scenario's run, as texts, each with its time of the simulation. */
async function eventsOf(scenario: string): Promise<readonly { at: number; text: string }[]> {
  const engine = engineOnDisk();
  const { events, startsAt } = runOf(await engine.simulate(scenario, () => undefined));
  const { time, probe, cpu, details } = await engine.events(0, events);
  return Array.from(time, (since, row) => ({
    at: startsAt + since,
    text: `${startsAt + since} ${probe[row]} ${cpu[row]} ${details[row]}`,
  }));
}

test('up to the fork both runs are the same, event for event, and after it they are not', async () => {
  const fork = forkableAt(catalogue, parent, 2_000_500);
  expect(fork.atUs).toBe(2000);
  const drop = fork.kinds.find(({ name }) => name === 'drop_frame')!;
  const [was, is] = [await eventsOf(parent), await eventsOf(forked(fork, drop))];
  const before = (events: typeof was) =>
    events.filter(({ at }) => at < 2_000_000).map(({ text }) => text);
  expect(before(was).length).toBeGreaterThan(1000);
  expect(before(is)).toEqual(before(was));
  expect(is.map(({ text }) => text)).not.toEqual(was.map(({ text }) => text));
});

test('a fork in which nothing happens is its parent', async () => {
  const fork = forkableAt(catalogue, parent, 2_000_000);
  const steal = fork.kinds.find(({ name }) => name === 'steal_cpu')!;
  // CPU 3 has nothing to do in this run; what is taken from it makes no difference to any packet.
  const [was, is] = [
    await eventsOf(parent),
    await eventsOf(forked(fork, steal, { cpu: 3, us: 1 })),
  ];
  const ofOthers = (events: typeof was) => events.filter(({ text }) => text.split(' ')[2] !== '3');
  expect(ofOthers(is)).toEqual(ofOthers(was));
});

test('a scenario that has as many faults as there may be offers none', () => {
  const most = JSON.parse(parent) as { faults?: unknown[] };
  most.faults = Array.from({ length: catalogue.mostFaults }, (_, at) => ({
    at_us: at,
    do: 'drop_frame',
  }));
  expect(forkableAt(catalogue, JSON.stringify(most), 0).kinds).toEqual([]);
});
