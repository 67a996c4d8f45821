/**
 * Opening, simulating, cancelling and closing runs, workers that break down, and experiments beside
 * them, with seats that are not workers. Every question settles, whatever becomes of its worker.
 */
import { expect, test } from 'vitest';
import { openCore } from './client.ts';
import type { Opened, Outcome } from './core.ts';
import { fakeCalls, fakeRun } from './fake-core.ts';
import type { Frame } from './frame.ts';
import type { Seat } from './line.ts';
import { RunGone, type RunHandle } from './run.ts';

const ok: Outcome<Opened> = { kind: 'ok', value: fakeRun() };
const endless = () => new Promise<never>(() => undefined);

/** A client over seats whose imports the test ends by hand. */
function scene() {
  const seats: {
    isEnded: boolean;
    finish: (outcome: Outcome<Opened>) => void;
    breakDown: () => void;
  }[] = [];
  const asked: string[] = [];
  const takeSeat = (): Seat => {
    const name = seats.length;
    let finish: (outcome: Outcome<Opened>) => void = () => undefined;
    const imported = new Promise<Outcome<Opened>>((resolve) => (finish = resolve));
    let breakDown: () => void = () => undefined;
    const broken = new Promise<string>((resolve) => (breakDown = () => resolve('out of memory')));
    const seat = { isEnded: false, finish, breakDown };
    seats.push(seat);
    const answers = fakeCalls();
    const noting = <Args extends unknown[], T>(what: string, answer: (...args: Args) => T) => {
      return (...args: Args) => (asked.push(`${name} ${what}`), answer(...args));
    };
    const calls = fakeCalls({
      catalogue: noting('catalogue', answers.catalogue),
      compare: noting('compare', answers.compare),
      curve: noting('curve', answers.curve),
      abreast: noting('abreast', answers.abreast),
      version: () => Promise.resolve(`seat ${name}`),
      open: () => imported,
      simulate: () => imported,
      // Tells the seats apart; a moment after the run's end is never answered, one before it traps.
      frame: (time) => {
        if (time < 0) {
          const trap = new Error('unreachable');
          trap.name = 'RuntimeError';
          return Promise.reject(trap);
        }
        return time > 10_000 ? endless() : Promise.resolve({ time: name } as Frame);
      },
      reproduce: (entry) =>
        entry === 'endless' ? endless() : Promise.resolve({ kind: 'ok', value: [] }),
    });
    return { calls, broken, end: () => (seat.isEnded = true) };
  };
  const core = openCore(Infinity, 2, takeSeat);
  const open = (signal?: AbortSignal) => core.open([], () => undefined, undefined, signal);
  /** Opens a run in the next seat, to its end. */
  const openRun = async (seat: number): Promise<RunHandle> => {
    const opening = open();
    seats[seat]?.finish(ok);
    return runOf(await opening);
  };
  const ended = () => seats.map(({ isEnded }) => isEnded);
  return { core, open, openRun, seats, asked, ended };
}

function runOf(outcome: Outcome<RunHandle>): RunHandle {
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

const seatOf = async (run: RunHandle) => (await run.frame(0, 0)).time;

test('the first run takes the seat that is there, the next one its own; both answer', async () => {
  const { openRun, ended } = scene();
  const [first, second] = [await openRun(0), await openRun(1)];
  expect([await seatOf(first), await seatOf(second)]).toEqual([0, 1]);
  expect(first.opened).toEqual(fakeRun());
  first.close();
  expect(ended()).toEqual([true, false]);
  expect(await seatOf(second)).toBe(1);
});

test('files are looked at in a worker of their own, beside a run that is being made', async () => {
  const { core, open, seats, ended } = scene();
  const opening = open();
  const looked = core.look([{ name: 'picture.png', data: new Blob(['PNG']) }]);
  seats[1]?.finish({ kind: 'failed', message: 'this is a picture' });
  expect(await looked).toEqual({ kind: 'failed', message: 'this is a picture' });
  expect(ended()).toEqual([false, true]);
  seats[0]?.finish(ok);
  expect(await seatOf(runOf(await opening))).toBe(0);
});

test('a question that is unanswered when its run is closed rejects, and so do later ones', async () => {
  const { openRun } = scene();
  const run = await openRun(0);
  const unanswered = run.frame(99_999, 0);
  run.close();
  await expect(unanswered).rejects.toMatchObject({ name: 'RunGone', why: 'closed' });
  await expect(run.lanes(0, 1, 1)).rejects.toBeInstanceOf(RunGone);
});

test('a worker that breaks down after opening is told, and its questions reject', async () => {
  const { openRun, seats, ended } = scene();
  const [run, other] = [await openRun(0), await openRun(1)];
  const unanswered = run.frame(99_999, 0);
  seats[0]?.breakDown();
  expect(await run.broken).toBe('out of memory');
  await expect(unanswered).rejects.toMatchObject({ why: 'broken', message: 'out of memory' });
  await expect(run.journey(0)).rejects.toMatchObject({ why: 'broken' });
  expect(ended()).toEqual([true, false]);
  expect(await seatOf(other)).toBe(1);
});

test('a trap in an answer breaks the run: what comes after could not be trusted', async () => {
  const { openRun, ended } = scene();
  const run = await openRun(0);
  await expect(run.frame(-1, 0)).rejects.toThrow('unreachable');
  expect(await run.broken).toBe('unreachable');
  await expect(run.frame(0, 0)).rejects.toMatchObject({ why: 'broken' });
  expect(ended()).toEqual([true]);
});

test('a run that is closed is not told as broken, though its worker ends', async () => {
  const { openRun, seats } = scene();
  const run = await openRun(0);
  run.close();
  seats[0]?.breakDown();
  expect(await Promise.race([run.broken, Promise.resolve('quiet')])).toBe('quiet');
});

test('cancelling ends the import at once and leaves the run that was open', async () => {
  const { open, openRun, ended } = scene();
  const run = await openRun(0);
  const abort = new AbortController();
  const second = open(abort.signal);
  abort.abort();
  expect(await second).toEqual({ kind: 'cancelled' });
  expect(await seatOf(run)).toBe(0);
  expect(ended()).toEqual([false, true]);
});

test('cancelling the first import leaves a core that answers', async () => {
  const { core, open, seats } = scene();
  const abort = new AbortController();
  const first = open(abort.signal);
  abort.abort();
  expect(await first).toEqual({ kind: 'cancelled' });
  expect(await core.version()).toBe('seat 1');
  expect(seats[0]?.isEnded).toBe(true);
});

test('two imports do not know of each other', async () => {
  const { open, openRun, seats } = scene();
  const first = open();
  const second = await openRun(1);
  seats[0]?.finish(ok);
  expect([await seatOf(runOf(await first)), await seatOf(second)]).toEqual([0, 1]);
});

test('a run that is there is not closed by the signal it was opened with', async () => {
  const { open, seats } = scene();
  const abort = new AbortController();
  const opening = open(abort.signal);
  seats[0]?.finish(ok);
  const run = runOf(await opening);
  abort.abort();
  expect(await seatOf(run)).toBe(0);
});

test('what is not wanted any more is not begun', async () => {
  const { open, ended } = scene();
  expect(await open(AbortSignal.abort())).toEqual({ kind: 'cancelled' });
  expect(ended()).toEqual([true]);
});

test('a refused file and a worker that breaks down are both told, and the run before stays', async () => {
  const { open, openRun, seats, ended } = scene();
  const run = await openRun(0);
  const refused = open();
  seats[1]?.finish({ kind: 'failed', message: 'this is a picture' });
  expect(await refused).toEqual({ kind: 'failed', message: 'this is a picture' });
  const crashed = open();
  seats[2]?.breakDown();
  expect(await crashed).toEqual({ kind: 'failed', message: 'out of memory' });
  expect(await seatOf(run)).toBe(0);
  expect(ended()).toEqual([false, true, true]);
});

test('what is the same for every run is asked elsewhere when its line is closed meanwhile', async () => {
  const { core, openRun } = scene();
  const [first] = [await openRun(0), await openRun(1)];
  const version = core.version();
  first.close();
  expect(await version).toBe('seat 1');
});

test('a simulation takes a seat as an import does', async () => {
  const { core, open, seats } = scene();
  const first = open();
  const simulated = core.simulate('{}', () => undefined);
  seats[1]?.finish(ok);
  seats[0]?.finish(ok);
  expect(await seatOf(runOf(await first))).toBe(0);
  expect(await seatOf(runOf(await simulated))).toBe(1);
});

test('what takes long and needs no run is asked of no run, and before the first run where that will be', async () => {
  const { core, openRun, asked, ended } = scene();
  await core.catalogue();
  const run = await openRun(0);
  await core.catalogue();
  await core.compare([], []);
  await core.curve([], false, []);
  await core.abreast(new Uint8Array(), new Uint8Array());
  expect(asked).toEqual(['0 catalogue', '1 catalogue', '1 compare', '1 curve', '2 abreast']);
  expect(ended(), 'both runs lay in the memory of the last').toEqual([false, false, true]);
  expect(await seatOf(run)).toBe(0);
});

test('experiments have a seat apart, kept from one to the next; stopping ends it alone', async () => {
  const { core, seats, ended } = scene();
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(seats).toHaveLength(2);
  const waiting = core.reproduce('endless');
  core.stopReproducing();
  expect(await waiting).toEqual({ kind: 'cancelled' });
  expect(ended()).toEqual([false, true]);
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(seats).toHaveLength(3);
});

test('an experiment that breaks its worker down is told, and the next has a new one', async () => {
  const { core, seats, ended } = scene();
  const waiting = core.reproduce('endless');
  seats[1]?.breakDown();
  expect(await waiting).toEqual({ kind: 'failed', message: 'out of memory' });
  expect(await core.reproduce('quick')).toEqual({ kind: 'ok', value: [] });
  expect(ended()).toEqual([false, true, false]);
});
