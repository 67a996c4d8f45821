/** Forks of runs: each equals its parent up to the change, and only applicable changes are offered. */
import { beforeAll, expect, test } from 'vitest';
import { engineOnDisk, runOf } from '../core/on-disk.ts';
import type { Catalogue } from '../core/simulation.ts';
import { withChange } from '../session/forks.ts';
import { readScenario } from '../session/scenario.ts';
import { faultText } from './fault-words.ts';
import { frameOf, offersOf } from './fork-parts.ts';
import { faultOf } from './faults.ts';
import { inWords } from '../words/setting-words.ts';

let catalogue: Catalogue;
let parent: string;
beforeAll(async () => {
  catalogue = inWords(await engineOnDisk().catalogue());
  parent = catalogue.scenarios.find(({ slug }) => slug === 'today-gro')!.scenario;
});

const kindOf = (name: string) => catalogue.faults.find((one) => one.name === name)!;
const withFault = (name: string, at: number) =>
  withChange(parent, { kind: 'fault', fault: faultOf(kindOf(name), at) });

/** The events of a scenario's run as texts, each with its simulation time. */
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
  const [was, is] = [await eventsOf(parent), await eventsOf(withFault('drop_frame', 2_000_500))];
  const before = (events: typeof was) =>
    events.filter(({ at }) => at < 2_000_500).map(({ text }) => text);
  expect(before(was).length).toBeGreaterThan(1000);
  expect(before(is)).toEqual(before(was));
  expect(is.map(({ text }) => text)).not.toEqual(was.map(({ text }) => text));
});

test('the packet that is chosen is the one that is lost', async () => {
  const engine = engineOnDisk();
  const glossary = await engine.glossary();
  const { startsAt } = runOf(await engine.simulate(parent, () => undefined));
  const journeys = await Promise.all([700, 701, 702].map((id) => engine.journey(id)));
  const frame = frameOf(journeys[1]!, glossary);
  expect(frame.isSent).toBe(journeys[1]!.direction === 'tx');
  const received = journeys.find(({ direction }) => direction === 'rx')!;
  const { at } = frameOf(received, glossary);
  const [was, is] = [
    await eventsOf(parent),
    await eventsOf(withFault('drop_frame', startsAt + at)),
  ];
  const parted = was.findIndex(({ text }, row) => text !== is[row]?.text);
  expect(was[parted]!.at).toBe(startsAt + at);
});

test('each kind says its numbers and its moment', () => {
  // A non-breaking space keeps a number and its unit on one line.
  const said = catalogue.faults.map((kind) =>
    faultText(catalogue, faultOf(kind, 1_500_250)).replaceAll(/\s/g, ' '),
  );
  expect(said).toEqual([
    'Lose a frame at 1.500 250 ms',
    'Double a frame at 1.500 250 ms',
    'Delay a frame (500 µs) at 1.500 250 ms',
    'Reorder a frame (behind 3 frames) at 1.500 250 ms',
    'Damage a frame at 1.500 250 ms',
    'Take a CPU away (CPU 0, 500 µs) at 1.500 250 ms',
    'Change the receive ring (4 descriptors) at 1.500 250 ms',
    'Pin the interrupts (CPU 0) at 1.500 250 ms',
    'Pin one queue’s interrupt (queue 0, CPU 0) at 1.500 250 ms',
    'Stop a process (PID 1000, 500 µs) at 1.500 250 ms',
  ]);
});

test('only what applies is offered, each kind at its place', () => {
  const parts = (text: string) =>
    offersOf(catalogue, readScenario(text)).map(
      ({ part, kinds }) => `${part}: ${kinds.map(({ name }) => name).join(' ')}`,
    );
  expect(parts(parent)).toMatchInlineSnapshot(`
    [
      "packet: drop_frame duplicate_frame delay_frame reorder_frame damage_frame",
      "link: ",
      "nic: set_ring pin_interrupts pin_queue",
      "driver: ",
      "cpus: steal_cpu",
      "sockets: ",
      "processes: stop_task",
    ]
  `);
  const inside = catalogue.scenarios.find(({ slug }) => slug === 'ba-fig5-smp-1')!.scenario;
  expect(parts(inside)).toMatchInlineSnapshot(`
    [
      "link: ",
      "driver: ",
      "cpus: steal_cpu",
      "sockets: ",
      "processes: stop_task",
    ]
  `);
});

test('a scenario that has as many faults as there may be offers no more of them', () => {
  const most = JSON.parse(parent) as { faults?: unknown[] };
  most.faults = Array.from({ length: catalogue.mostFaults }, (_, at) => ({
    at_us: at,
    do: 'drop_frame',
  }));
  const offers = offersOf(catalogue, readScenario(JSON.stringify(most)));
  expect(offers.flatMap(({ kinds }) => kinds)).toEqual([]);
});
