/** Forks as steps: made beside their parent, opened, taken away, and gone back through by undo. */
import { beforeEach, expect, test } from 'vitest';
import type { Abreast } from '../core/abreast.ts';
import { fakeCore } from '../core/fake-core.ts';
import { Address } from '../session/address.svelte.ts';
import { Commands } from '../session/commands.ts';
import { createRingside, type Ringside } from '../session/context.ts';
import { Dispatcher } from '../session/dispatcher.ts';
import { MOST_FORKS, type Change } from '../session/forks.ts';
import { readScenario } from '../session/scenario.ts';
import { Undo } from '../session/undo.ts';
import { Forking } from './forking.ts';

const root = '{"machine":"quick","kernel":"6.1","workload":"stream","duration_us":2000,"seed":1}';
const nothing = new Uint32Array();
const alike: Abreast = {
  ...{ shift: 0, first: undefined, partings: [], total: 0, alike: 0 },
  likes: [nothing, nothing],
};
const drop = (atUs: number): Change => ({
  kind: 'fault',
  fault: { atUs, atNs: 0, isSent: false, kind: 'drop_frame', arguments: {} },
});
const ring = (value: number | undefined): Change => ({ kind: 'setting', name: 'rx_ring', value });

let ringside: Ringside;
let forking: Forking;
let undo: Undo;
let address: Address;

beforeEach(async () => {
  ringside = createRingside(fakeCore({ abreast: () => Promise.resolve(alike) }));
  const { session, beside } = ringside;
  let written = '';
  const write = (fragment: string) => void (written = fragment);
  const bar = { fragment: () => written, replace: write, push: write, past: () => undefined };
  address = new Address(
    ringside,
    { ...bar, go: () => undefined, whenIdle: (task) => task() },
    {
      recording: () => Promise.resolve(false),
      lesson: () => Promise.resolve(undefined),
      scenario: (scenario) => session.simulate(scenario),
      beside: (named) => {
        if (named !== undefined) return beside.simulate(named, 'B');
        beside.close();
        return Promise.resolve(true);
      },
    },
  );
  const verbs = new Commands(ringside, address, {
    ...{ copy: () => Promise.resolve(), link: () => '', simulate: () => undefined },
    ...{ undo: () => undo.undo(), redo: () => undo.redo() },
    ...{ openWindow: () => false, leaveWindows: () => false, turnLesson: () => undefined },
  });
  const commands = new Dispatcher(ringside, verbs);
  undo = new Undo(commands, (view) => void address.arrive(view), ringside.playhead);
  forking = new Forking(ringside, commands, address, undo);
  await session.simulate(root);
  ringside.view.goTo('stage');
});

/** All that was asked for has come. */
async function settled(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve));
  while (!address.isSettled || ringside.beside.opening !== undefined);
}

const scenarioOf = (run: { readonly source: Ringside['session']['source'] }) =>
  run.source?.kind === 'simulated' ? readScenario(run.source.scenario) : undefined;

test('a fork stands beside its parent, at the moment of the change', async () => {
  forking.make(drop(7));
  await settled();
  expect(scenarioOf(ringside.session)?.faults).toEqual([]);
  expect(scenarioOf(ringside.beside)?.faults).toHaveLength(1);
  expect([ringside.forks.here, forking.beside]).toEqual([0, 1]);
  expect(ringside.playhead.time).toBe(7000 - (ringside.session.run?.startsAt ?? 0));
});

test('a handle that is turned on is one fork, and put back none beside', async () => {
  for (const value of [64, 32]) {
    forking.make(ring(value));
    await settled();
  }
  expect(ringside.forks.tree?.forks).toEqual([{ of: 0, change: ring(32) }]);
  expect(scenarioOf(ringside.beside)?.settings).toEqual({ rx_ring: 32 });
  forking.make(ring(undefined));
  await settled();
  expect(ringside.beside.source).toBeUndefined();
});

test('undo goes back through forks of forks and their removal, to the run alone', async () => {
  forking.make(drop(7));
  await settled();
  forking.open(1);
  await settled();
  forking.make(ring(8));
  await settled();
  expect([ringside.forks.here, forking.beside]).toEqual([1, 2]);
  forking.remove(1);
  await settled();
  expect([ringside.forks.tree, ringside.beside.source]).toEqual([undefined, undefined]);
  expect(scenarioOf(ringside.session)?.faults).toEqual([]);

  const back = async () => {
    const isDone = undo.undo();
    await settled();
    return [isDone, ringside.forks.here, forking.beside];
  };
  expect(await back()).toEqual([true, 1, 2]);
  expect(await back()).toEqual([true, 1, undefined]);
  expect(await back()).toEqual([true, 0, 1]);
  expect(await back()).toEqual([true, undefined, undefined]);
  expect(await back()).toEqual([false, undefined, undefined]);
  expect(undo.redo()).toBe(true);
  await settled();
  expect([ringside.forks.here, forking.beside]).toEqual([0, 1]);
});

test('a fork more than a link holds is not made, and that is told', async () => {
  for (let at = 0; at <= MOST_FORKS; at++) {
    forking.make(drop(at));
    await settled();
  }
  expect(ringside.forks.tree?.forks).toHaveLength(MOST_FORKS);
  expect(ringside.announcer.sentence).toContain(String(MOST_FORKS));
});
