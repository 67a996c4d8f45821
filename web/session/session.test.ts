/** Opening, failing and cancelling, as the state the page shows. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Core, Outcome, Survey } from '../core/core.ts';
import { fakeCore, fakeHandle, SMALL_CATALOGUE, SMALL_SURVEY } from '../core/fake-core.ts';
import { RunGone, type RunHandle } from '../core/run.ts';
import { TROUBLES } from '../core/trouble.ts';
import { Playhead } from './playhead.svelte.ts';
import { Selection } from './selection.svelte.ts';
import type { Shown } from './shown.ts';
import { View } from './view.svelte.ts';
import { Session, type Source } from './session.svelte.ts';

const mine: Source = { kind: 'own', title: 'mine.txt' };
const other: Source = { kind: 'own', title: 'other.txt' };

function sessionOver(calls: Partial<Core>) {
  const core = fakeCore(calls);
  const selection = new Selection();
  const playhead = new Playhead(selection);
  const view = new View();
  return { session: new Session(core, playhead, selection, view), playhead, selection, view };
}

test('a run that opens begins at its first packet, at a speed to follow one by', async () => {
  const { session, playhead, selection } = sessionOver({});
  selection.select(3);
  expect(await session.open([], mine)).toBe(true);
  expect(session.run?.duration).toBe(10_000);
  // The packet of median length takes 4000 ns: four seconds of film.
  expect([playhead.speed, playhead.time, selection.packet]).toEqual([1000, 1000, undefined]);
  expect([session.opening, session.failure]).toEqual([undefined, undefined]);
});

test('progress is shown while it lasts', async () => {
  const progress = { bytes: 5, totalBytes: 10, lines: 1, megabytesPerSecond: 60 };
  let seen: unknown;
  const { session } = sessionOver({
    open: (_inputs, onProgress) => {
      onProgress(progress);
      seen = session.opening;
      return Promise.resolve({ kind: 'ok', value: fakeHandle() });
    },
  });
  await session.open([], mine);
  expect(seen).toMatchObject({ kind: 'import', name: 'mine.txt', progress });
  expect(session.opening).toBeUndefined();
});

test('a failure is told and the run before it stays', async () => {
  const outcomes: Outcome<RunHandle>[] = [
    { kind: 'ok', value: fakeHandle() },
    { kind: 'failed', message: 'this is a picture' },
  ];
  const { session } = sessionOver({
    open: () => Promise.resolve(outcomes.shift() ?? { kind: 'cancelled' }),
  });
  await session.open([], mine);
  expect(await session.open([], other)).toBe(false);
  expect(session.failure).toEqual({
    kind: 'import',
    name: 'other.txt',
    message: 'this is a picture',
  });
  expect(session.source).toEqual(mine);
});

test('inputs that cannot be fetched are a failure like any other', async () => {
  const { session } = sessionOver({});
  await session.open(Promise.reject(new Error('the network is gone')), mine);
  expect(session.failure?.message).toBe('the network is gone');
});

describe('files that come while a run is being made', () => {
  const picture = [{ name: 'picture.png', data: new Blob(['PNG']) }];

  function whileOneOpens(calls: Partial<Core>) {
    let finish: () => void = () => undefined;
    let cancelled = 0;
    const { session } = sessionOver({
      open: (_inputs, _onProgress, _excerpt, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => (cancelled += 1));
          finish = () => resolve({ kind: 'ok', value: fakeHandle() });
        }),
      ...calls,
    });
    const opened = session.open([], mine);
    return { session, opened, finish: () => finish(), cancelled: () => cancelled };
  }

  test('one that cannot be opened is told of, and the run goes on', async () => {
    const look = () => Promise.resolve({ kind: 'failed', message: 'this is a picture' } as const);
    const { session, opened, finish, cancelled } = whileOneOpens({ look });
    expect(await session.wants(picture, 'picture.png')).toBe(false);
    const message = 'this is a picture';
    expect(session.failure).toEqual({ kind: 'import', name: 'picture.png', message });
    expect([session.opening?.name, cancelled()]).toEqual(['mine.txt', 0]);
    finish();
    expect(await opened).toBe(true);
    expect([session.source, session.failure?.name]).toEqual([mine, 'picture.png']);
  });

  test('one that can be opened takes its place', async () => {
    const { session } = whileOneOpens({});
    expect(await session.wants(picture, 'picture.png')).toBe(true);
    expect(session.failure).toBeUndefined();
  });

  test('of two of them the later counts, and none after a cancel', async () => {
    const answers: ((outcome: Outcome<undefined>) => void)[] = [];
    const look = () => new Promise<Outcome<undefined>>((resolve) => answers.push(resolve));
    const { session } = whileOneOpens({ look });
    const asked = [session.wants(picture, 'a.txt'), session.wants(picture, 'b.txt')];
    for (const answer of answers) answer({ kind: 'ok', value: undefined });
    expect(await Promise.all(asked)).toEqual([false, true]);
    const third = session.wants(picture, 'c.txt');
    session.cancel();
    answers.at(-1)?.({ kind: 'failed', message: 'this is a picture' });
    expect([await third, session.failure]).toEqual([false, undefined]);
  });

  test('without a run under way nothing is looked at before', async () => {
    const look = () => Promise.resolve({ kind: 'failed', message: 'this is a picture' } as const);
    const { session } = sessionOver({ look });
    expect(await session.wants(picture, 'picture.png')).toBe(true);
  });
});

test('cancelling shows nothing more of the import, whatever comes of it', async () => {
  let finish: (outcome: Outcome<RunHandle>) => void = () => undefined;
  let signal: AbortSignal | undefined;
  const { session } = sessionOver({
    open: (_inputs, _onProgress, _excerpt, given) => {
      signal = given;
      return new Promise((resolve) => (finish = resolve));
    },
  });
  const opened = session.open([], mine);
  await Promise.resolve();
  session.cancel();
  expect([session.opening, signal?.aborted]).toEqual([undefined, true]);
  finish({ kind: 'ok', value: fakeHandle() });
  expect(await opened).toBe(false);
  expect(session.run).toBeUndefined();
});

const shipped = SMALL_CATALOGUE.scenarios[0]?.scenario ?? '';

test('a scenario of the shelf is called as there, and its progress is shown', async () => {
  const progress = { simulated: 500, duration: 2000, events: 40, eventsPerSecond: 8e6 };
  const seen: unknown[] = [];
  const { session } = sessionOver({
    simulate: (_scenario, onProgress) => {
      seen.push(session.opening);
      onProgress(progress);
      seen.push(session.opening);
      return Promise.resolve({ kind: 'ok', value: fakeHandle({ origin: 'simulated' }) });
    },
  });
  expect(await session.simulate(shipped)).toBe(true);
  expect(seen).toEqual([
    { kind: 'simulation', name: 'One flow', progress: undefined },
    { kind: 'simulation', name: 'One flow', progress },
  ]);
  expect(session.source).toEqual({ kind: 'simulated', scenario: shipped, title: 'One flow' });
});

test('what the core refuses is told, and the catalogue is asked for once', async () => {
  let asked = 0;
  const { session } = sessionOver({
    catalogue: () => Promise.resolve(SMALL_CATALOGUE).finally(() => (asked += 1)),
    simulate: () => Promise.resolve({ kind: 'failed', message: 'seed: no number' }),
  });
  expect(await session.simulate('{}')).toBe(false);
  expect(await session.simulate('{}')).toBe(false);
  expect(session.failure).toMatchObject({ kind: 'simulation', message: 'seed: no number' });
  expect(asked).toBe(1);
});

test('a picture is that of one moment at one pace: another pace makes another, whatever the time', async () => {
  const { session, playhead } = sessionOver({});
  await session.open([], mine);
  const show = () => {
    const { time, film, told, tempo } = playhead;
    session.show({ time, film, told, tempo } as Shown);
  };
  expect(session.isUpToDate).toBe(false);
  show();
  expect(session.isUpToDate).toBe(true);
  const changes = [
    () => playhead.setPace(2),
    () => playhead.setPacing('true'),
    () => playhead.setSpeed(77),
    () => playhead.seek(playhead.time + 1),
  ];
  for (const change of changes) {
    change();
    expect(session.isUpToDate, String(change)).toBe(false);
    show();
    expect(session.isUpToDate, String(change)).toBe(true);
  }
});

/** A run that knows whether it was closed, and one question of which the test answers by hand. */
function slowRun(duration: number) {
  let answer: () => void = () => undefined;
  let isClosed = false;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const handle = fakeHandle({ duration }, { step: () => asked.then(() => undefined) });
  return {
    handle: { ...handle, close: () => (isClosed = true) },
    answer: () => answer(),
    isClosed: () => isClosed,
  };
}

test('the run on the stage changes all at once, and the one before is closed', async () => {
  const [a, b] = [slowRun(10_000), slowRun(500)];
  const runs = [a, b];
  const { session, playhead, selection, view } = sessionOver({
    open: () => Promise.resolve({ kind: 'ok', value: runs.shift()?.handle ?? fakeHandle() }),
  });
  const opened = session.open([], mine);
  a.answer();
  await opened;
  const second = session.open([], other);
  await Promise.resolve();
  // While the second is being met, all that is seen is the first's.
  view.setZoom({ from: 4000, to: 9000 });
  selection.select(3);
  expect([session.handle, session.source, playhead.duration]).toEqual([a.handle, mine, 10_000]);
  b.answer();
  await second;
  expect([session.handle, session.source, playhead.duration]).toEqual([b.handle, other, 500]);
  expect([view.zoom, selection.packet, session.shown]).toEqual([undefined, undefined, undefined]);
  expect([a.isClosed(), b.isClosed()]).toEqual([true, false]);
});

test('a run that nobody waits for any more does not come to the stage, and is closed', async () => {
  const run = slowRun(500);
  const { session } = sessionOver({
    open: () => Promise.resolve({ kind: 'ok', value: run.handle }),
  });
  const opened = session.open([], mine);
  // The core is asked, answers, and the new run is asked about itself.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  session.cancel();
  run.answer();
  expect(await opened).toBe(false);
  expect([session.handle, run.isClosed()]).toEqual([undefined, true]);
});

test('a run that breaks down is told, play pauses, and it can be opened again', async () => {
  let breakDown: (reason: string) => void = () => undefined;
  const broken = new Promise<string>((resolve) => (breakDown = resolve));
  const runs = [{ ...fakeHandle(), broken }, fakeHandle()];
  const { session, playhead } = sessionOver({
    open: () => Promise.resolve({ kind: 'ok', value: runs.shift() ?? fakeHandle() }),
  });
  await session.open([], mine);
  playhead.play();
  breakDown('out of memory');
  await broken;
  expect(session.crash).toEqual({ name: 'mine.txt', message: 'out of memory' });
  expect(playhead.isPlaying).toBe(false);
  expect(await session.reopen()).toBe(true);
  expect([session.crash, session.source]).toEqual([undefined, mine]);
});

test('a run that breaks down after it left the stage is not told', async () => {
  let breakDown: (reason: string) => void = () => undefined;
  const broken = new Promise<string>((resolve) => (breakDown = resolve));
  const runs = [{ ...fakeHandle(), broken }, fakeHandle()];
  const { session } = sessionOver({
    open: () => Promise.resolve({ kind: 'ok', value: runs.shift() ?? fakeHandle() }),
  });
  await session.open([], mine);
  await session.open([], other);
  breakDown('out of memory');
  await broken;
  expect(session.crash).toBeUndefined();
});

test('the session is asking until all is answered and what follows from it had its turn', async () => {
  let tell: (unanswered: number) => void = () => undefined;
  const handle = { ...fakeHandle(), watch: (listener: typeof tell) => (tell = listener) };
  const { session } = sessionOver({
    open: () => Promise.resolve({ kind: 'ok', value: handle }),
  });
  await session.open([], mine);
  tell(1);
  expect(session.isAsking).toBe(true);
  tell(0);
  expect(session.isAsking).toBe(true);
  tell(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(session.isAsking).toBe(true);
  tell(0);
  await new Promise((resolve) => setTimeout(resolve));
  expect(session.isAsking).toBe(false);
});

describe('where a run may take a thousand bytes', () => {
  const inputs = [{ name: 'mine.txt', data: new Blob(['x'.repeat(1000)]) }];
  const room = 1000;
  const opened: unknown[] = [];
  const open: Core['open'] = (_inputs, _onProgress, excerpt) => {
    opened.push(excerpt);
    return Promise.resolve({ kind: 'ok', value: fakeHandle() });
  };
  beforeEach(() => opened.splice(0));

  test('a file that would need more is not opened before the viewer has said what of it', async () => {
    const { session } = sessionOver({ room, open });
    expect(await session.open(inputs, mine)).toBe(false);
    expect(session.tooLarge).toEqual({
      inputs,
      title: 'mine.txt',
      survey: SMALL_SURVEY,
      room: 1000,
    });
    expect([session.opening, session.failure, opened]).toEqual([undefined, undefined, []]);
    expect(await session.open(inputs, { ...mine, excerpt: { cpu: 1 } })).toBe(true);
    expect([session.tooLarge, opened]).toEqual([undefined, [{ cpu: 1 }]]);
    expect(await session.reopen()).toBe(true);
    expect(opened).toEqual([{ cpu: 1 }, { cpu: 1 }]);
  });

  test('of one that fits it is said what it needs before that is spent', async () => {
    const survey = () =>
      Promise.resolve({ kind: 'ok', value: { ...SMALL_SURVEY, memory: 900 } } as const);
    const seen: unknown[] = [];
    const { session } = sessionOver({
      room,
      survey,
      open: (...asked) => {
        seen.push(session.opening);
        return open(...asked);
      },
    });
    expect(await session.open(inputs, mine)).toBe(true);
    expect(seen).toEqual([{ kind: 'import', name: 'mine.txt', progress: undefined, memory: 900 }]);
  });

  test('of one that did not fit after all a part can be chosen', async () => {
    const full = () => Promise.resolve({ kind: 'failed', message: TROUBLES.memory } as const);
    const { session } = sessionOver({ room, open: full });
    const tried = { ...mine, excerpt: { cpu: 1 } };
    expect(await session.open(inputs, tried)).toBe(false);
    expect(session.failure?.message).toBe(TROUBLES.memory);
    expect(session.tooLarge?.survey).toEqual(SMALL_SURVEY);
    await session.simulate('{}');
    expect(session.tooLarge).toBeUndefined();
  });

  test('one whose worker ends while its film is told has failed', async () => {
    const told = () => Promise.reject(new RunGone('broken', TROUBLES.memory));
    const handle = { ...fakeHandle(), told };
    const { session } = sessionOver({
      room,
      open: () => Promise.resolve({ kind: 'ok', value: handle }),
    });
    expect(await session.open(inputs, { ...mine, excerpt: { cpu: 1 } })).toBe(false);
    expect([session.opening, session.failure?.message]).toEqual([undefined, TROUBLES.memory]);
    expect(session.tooLarge?.survey).toEqual(SMALL_SURVEY);
  });

  test('what cannot be surveyed is opened, which says why', async () => {
    const survey = () => Promise.resolve({ kind: 'failed', message: 'no trace' } as const);
    const { session } = sessionOver({ room, open, survey });
    expect(await session.open(inputs, mine)).toBe(true);
    expect(opened).toEqual([undefined]);
  });

  test('a survey that ends when something else was asked for opens nothing', async () => {
    let finish: (outcome: Outcome<Survey>) => void = () => undefined;
    const survey = () => new Promise<Outcome<Survey>>((resolve) => (finish = resolve));
    const { session } = sessionOver({ room, open, survey });
    const first = session.open(inputs, mine);
    await Promise.resolve();
    const second = session.open([], other);
    finish({ kind: 'ok', value: { ...SMALL_SURVEY, memory: 1 } });
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect([opened.length, session.source]).toEqual([1, other]);
  });
});
