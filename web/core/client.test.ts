/** Opening, cancelling and replacing runs, with seats that are not workers. */
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
    const core = fakeCore({ open: () => imported });
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
