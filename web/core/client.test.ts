/** Opening, simulating, cancelling and replacing runs, and experiments beside them, with seats that are not workers. */
import { expect, test } from 'vitest';
import { openCore, type Seat } from './client.ts';
import type { Opened, Outcome } from './core.ts';
import { fakeCore, fakeRun } from './fake-core.ts';

const ok: Outcome<Opened> = { kind: 'ok', value: fakeRun() };

/** A client over seats whose imports the test ends by hand. */
function scene() {
  const seats: {
    isEnded: boolean;
    finish: (outcome: Outcome<Opened>) => void;
    breakDown: () => void;
  }[] = [];
  const takeSeat = (): Seat => {
    const name = seats.length;
    let finish: (outcome: Outcome<Opened>) => void = () => undefined;
    const imported = new Promise<Outcome<Opened>>((resolve) => (finish = resolve));
    let breakDown: () => void = () => undefined;
    const broken = new Promise<string>((resolve) => (breakDown = () => resolve('out of memory')));
    const seat = { isEnded: false, finish, breakDown };
    seats.push(seat);
    const core = fakeCore({
      open: () => imported,
      simulate: () => imported,
      reproduce: (entry) =>
        entry === 'endless'
          ? new Promise(() => undefined)
          : Promise.resolve({ kind: 'ok', value: [] }),
    });
    return {
      calls: { ...core, version: () => Promise.resolve(`seat ${name}`) },
      broken,
      end: () => (seat.isEnded = true),
    };
  };
  const core = openCore(takeSeat);
  const open = () => core.open([], () => undefined);
  return { core, open, seats };
}

test('the first run takes the seat that is there; the next one its own, and frees the first', async () => {
  const { core, open, seats } = scene();
  const first = open();
  seats[0]?.finish(ok);
  expect(await first).toEqual(ok);
  const second = open();
  expect(await core.version()).toBe('seat 0');
  seats[1]?.finish(ok);
  expect(await second).toEqual(ok);
  expect(await core.version()).toBe('seat 1');
  expect(seats.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

test('cancelling ends the import at once and leaves the run that was open', async () => {
  const { core, open, seats } = scene();
  const first = open();
  seats[0]?.finish(ok);
  await first;
  const second = open();
  core.cancel();
  expect(await second).toEqual({ kind: 'cancelled' });
  expect(await core.version()).toBe('seat 0');
  expect(seats.map(({ isEnded }) => isEnded)).toEqual([false, true]);
});

test('cancelling the first import leaves a core that answers', async () => {
  const { core, open, seats } = scene();
  const first = open();
  core.cancel();
  expect(await first).toEqual({ kind: 'cancelled' });
  expect(await core.version()).toBe('seat 1');
  expect(seats[0]?.isEnded).toBe(true);
});

test('a second import ends the first', async () => {
  const { open, seats } = scene();
  const first = open();
  const second = open();
  seats[1]?.finish(ok);
  expect(await first).toEqual({ kind: 'cancelled' });
  expect(await second).toEqual(ok);
});

test('a refused file and a worker that breaks down are both told, and the run before stays', async () => {
  const { core, open, seats } = scene();
  const first = open();
  seats[0]?.finish(ok);
  await first;
  const refused = open();
  seats[1]?.finish({ kind: 'failed', message: 'this is a picture' });
  expect(await refused).toEqual({ kind: 'failed', message: 'this is a picture' });
  const crashed = open();
  seats[2]?.breakDown();
  expect(await crashed).toEqual({ kind: 'failed', message: 'out of memory' });
  expect(await core.version()).toBe('seat 0');
  expect(seats.map(({ isEnded }) => isEnded)).toEqual([false, true, true]);
});

test('cancelling when nothing is under way does nothing', async () => {
  const { core, seats } = scene();
  core.cancel();
  expect(await core.version()).toBe('seat 0');
  expect(seats).toHaveLength(1);
});

test('a simulation takes a seat as an import does, and each ends the other', async () => {
  const { core, open, seats } = scene();
  const first = open();
  const simulated = core.simulate('{}', () => undefined);
  seats[1]?.finish(ok);
  expect(await first).toEqual({ kind: 'cancelled' });
  expect(await simulated).toEqual(ok);
  expect(await core.version()).toBe('seat 1');
});

test('experiments have a seat apart, kept from one to the next; stopping ends it alone', async () => {
  const { core, seats } = scene();
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(seats).toHaveLength(2);
  const endless = core.reproduce('endless');
  core.stopReproducing();
  expect(await endless).toEqual({ kind: 'cancelled' });
  expect(seats.map(({ isEnded }) => isEnded)).toEqual([false, true]);
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(seats).toHaveLength(3);
});

test('an experiment that breaks its worker down is told, and the next has a new one', async () => {
  const { core, seats } = scene();
  const endless = core.reproduce('endless');
  seats[1]?.breakDown();
  expect(await endless).toEqual({ kind: 'failed', message: 'out of memory' });
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(seats.map(({ isEnded }) => isEnded)).toEqual([false, true, false]);
});
