/** Following links and keeping the address in step, with a bar that is only a list. */
import { expect, test } from 'vitest';
import type { Core, Outcome } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import { fakeHandle } from '../core/fake-core.ts';
import { troubleOf } from '../words/trouble.ts';
import { scene } from './address-testing.ts';
import { experimentLink, scenarioLink } from './view-state.ts';

test('a link opens its trace and puts everything back', async () => {
  const link =
    '#v=1&trace=loopback&at=stage&t=4500&speed=50&zoom=4000-5000&packet=3&sort=wait&desc=1';
  const { address, session, playhead, selection, view } = scene(link);
  await address.follow();
  expect(session.source?.title).toBe('Loopback');
  expect([playhead.time, playhead.speed, selection.packet]).toEqual([4500, 50, 3]);
  expect(view.zoom).toEqual({ from: 4000, to: 5000 });
  expect(selection.filters).toEqual({ sort: 'wait', isDescending: true });
  expect([view.place, address.notices]).toEqual(['stage', []]);
  expect(address.fragment).toBe(link);
});

test('an import goes on where one goes back to a place without a run', async () => {
  const arrived: { opened?: (outcome: Outcome<RunHandle>) => void } = {};
  const { address, session, view, back } = scene('#v=1&at=papers', {
    open: () => new Promise((resolve) => void (arrived.opened = resolve)),
  });
  await address.follow();
  address.goTo('traces');
  const { isWanted } = address.opening();
  const opened = session.open([], { kind: 'own', title: 'mine.txt' });
  await back();
  expect([view.place, session.opening?.name]).toEqual(['papers', 'mine.txt']);
  await expect.poll(() => arrived.opened).toBeDefined();
  arrived.opened?.({ kind: 'ok', value: fakeHandle() });
  expect([await opened, session.source?.title]).toEqual([true, 'mine.txt']);
  expect([isWanted(), view.place]).toEqual([false, 'papers']);
});

test('an import ends where one goes back to another run', () => {
  const { address, session, back } = scene('#v=1&trace=loopback&at=stage', {
    open: (_, onProgress) => (onProgress(undefined as never), new Promise(() => undefined)),
  });
  void address.follow();
  address.goTo('traces');
  void session.open([], { kind: 'own', title: 'mine.txt' });
  void back();
  expect(session.opening?.name).toBe('Loopback');
});

test('until the run of a link is there, it is known what comes; a failure ends that', async () => {
  const { address } = scene('#v=1&trace=loopback&at=stage');
  const followed = address.follow();
  expect(address.coming?.trace).toBe('loopback');
  await followed;
  expect(address.coming).toBeUndefined();
  const shelf = scene('#v=1&trace=no-such');
  const followedToo = shelf.address.follow();
  expect(shelf.address.coming).toBeUndefined();
  await followedToo;
  const missing = scene('#v=1&trace=no-such&at=stage');
  await missing.address.follow();
  expect(missing.address.coming).toBeUndefined();
});

test('what lies outside the run is brought inside and told', async () => {
  const { address, playhead } = scene('#v=1&trace=loopback&at=stage&t=99999999&packet=10&flow=5');
  await address.follow();
  expect(playhead.time).toBe(10_000);
  expect(address.notices).toEqual([
    'The link’s flow is not in the trace.',
    'The link’s time is after the end of the trace.',
    'The link’s packet is not in the trace.',
  ]);
});

test('where something on the way fails that is told, and the link counts as followed', async () => {
  const { address, session, view } = scene('#v=1&trace=loopback&at=stage');
  session.open = () => Promise.reject(new Error('core.fetch'));
  await address.follow();
  expect(address.notices).toEqual([troubleOf(new Error('core.fetch'))]);
  expect([address.isSettled, address.coming, view.place]).toEqual([true, undefined, 'traces']);
});

test('a trace that is not on the shelf leads to the shelf', async () => {
  const { address, view } = scene('#v=1&trace=no-such&at=stage');
  await address.follow();
  expect(view.place).toBe('traces');
  expect(address.notices).toEqual(['There is no trace “no-such” on the shelf.']);
});

test('a link to one’s own file waits for it, and is followed when it comes', async () => {
  const { address, session, playhead, view } = scene('#v=1&own=0011223344556677&at=stage&t=4200');
  await address.follow();
  expect([address.awaited, view.place]).toEqual(['0011223344556677', 'traces']);
  const { arrive } = address.opening();
  await session.open([], { kind: 'own', title: 'mine.txt' });
  arrive();
  expect([address.awaited, playhead.time, view.place]).toEqual([undefined, 4200, 'stage']);
});

test('a link to one’s own file waits no more once another run was opened, or one has gone elsewhere', async () => {
  const own = '#v=1&own=ffffffffffffffff&at=stage&t=4200';
  const other = scene(own);
  await other.address.follow();
  const { arrive } = other.address.opening();
  await other.session.open([], { kind: 'bundled', slug: 'loopback', title: 'Loopback' });
  arrive();
  other.playhead.seek(30);
  other.address.changed();
  other.settle();
  expect(other.address.awaited).toBeUndefined();
  expect(other.history).toEqual([own, expect.stringContaining('trace=loopback&at=stage&t=30')]);
  const lab = scene(own);
  await lab.address.follow();
  lab.address.goTo('lab');
  lab.draft.set('{"machine":"slow"}');
  lab.address.changed();
  lab.settle();
  expect(lab.history).toEqual([own, scenarioLink('{"machine":"slow"}', 'lab')]);
});

test('the address follows when there is time for it, once for many changes', async () => {
  const { address, playhead, history, settle } = scene('#v=1&trace=loopback&at=stage&t=10');
  await address.follow();
  playhead.seek(20);
  address.changed();
  playhead.seek(30);
  address.changed();
  expect([history.length, address.isSettled]).toEqual([1, false]);
  settle();
  expect(history).toEqual(['#v=1&trace=loopback&at=stage&t=30&speed=1000']);
  expect(address.isSettled).toBe(true);
});

test('opening makes an entry in the history; nothing is written before the first link is followed', async () => {
  const { address, session, history, settle } = scene('#v=1&panel=ledger');
  address.changed();
  settle();
  expect(history).toEqual(['#v=1&panel=ledger']);
  await address.follow();
  const { arrive } = address.opening();
  await session.open([], { kind: 'own', title: 'mine.txt' });
  arrive();
  expect(history).toHaveLength(2);
  expect(history[1]).toContain('own=0011223344556677&at=stage');
});

const scenario =
  '{"machine":"quick","kernel":"6.1","workload":"stream","duration_us":2000,"seed":7}';

test('a link with a scenario runs it, and is kept as it was', async () => {
  const link = `${scenarioLink(scenario, 'stage')}&t=4500&speed=50`;
  const { address, session, playhead, view } = scene(link);
  await address.follow();
  expect(session.source).toEqual({
    kind: 'simulated',
    scenario,
    title: 'Linux 6.1 · A quick machine · Bulk transfer',
  });
  expect([playhead.time, view.place, address.fragment]).toEqual([4500, 'stage', link]);
});

test('a scenario that is refused comes into the form, with the reason', async () => {
  const message = 'kernel: there is no “6.1”; allowed are 2.4.17';
  const { address, session, draft, view } = scene(scenarioLink(scenario, 'stage'), {
    simulate: () => Promise.resolve({ kind: 'failed', message }),
  });
  await address.follow();
  expect([view.place, draft.scenario]).toEqual(['lab', scenario]);
  expect(session.failure).toMatchObject({ kind: 'simulation', message });
});

test('a scenario that is no JSON leads to the form and is told', async () => {
  const { address, view } = scene('#v=1&scenario=%7B%22machine%22:&at=stage');
  await address.follow();
  expect(view.place).toBe('lab');
  expect(address.notices).toEqual([
    'The link\'s scenario was left out: “{"machine":” is not a scenario as JSON.',
  ]);
});

test('the Lab’s link holds the form, and nothing is run for it', async () => {
  const { address, session, draft, history, settle } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  expect([session.run, draft.scenario]).toEqual([undefined, scenario]);
  draft.set('{"machine":"slow"}');
  address.changed();
  settle();
  expect(history).toEqual([experimentLink('{"machine":"slow"}', scenario)]);
});

test('each change in the Lab is an entry of the history, and going back takes it back', async () => {
  const { address, draft, pasts, history, back } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  expect(address.canUndo).toBe(false);
  const [second, third] = ['{"machine":"slow"}', '{"machine":"slower"}'];
  address.change(() => draft.set(second));
  address.change(() => draft.set(third));
  expect(history.slice(1)).toEqual([second, third].map((one) => experimentLink(one, scenario)));
  expect([pasts.map((past) => past?.changes), address.canUndo]).toEqual([[0, 1, 2], true]);
  await back();
  expect([draft.scenario, draft.before, address.canUndo]).toEqual([second, scenario, true]);
  await back();
  expect([draft.scenario, address.canUndo]).toEqual([scenario, false]);
});

test('what is changed before the address was written is an entry of its own all the same', async () => {
  const { address, draft, view, history } = scene('');
  await address.follow();
  address.goTo('lab');
  draft.begin(scenario);
  address.change(() => draft.set('{"machine":"slow"}'));
  expect(view.place).toBe('lab');
  expect(history.slice(1)).toEqual([
    scenarioLink(scenario, 'lab'),
    experimentLink('{"machine":"slow"}', scenario),
  ]);
});

test('a change that changes nothing is none', async () => {
  const { address, draft, history } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  address.change(() => draft.set(scenario));
  expect([history.length, address.canUndo]).toEqual([1, false]);
});

test('a change that goes on with the one before it is taken back with it', async () => {
  const { address, draft, history, back } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  address.change(() => draft.set('{"machine":"s"}'));
  address.change(() => draft.set('{"machine":"slow"}'), true);
  expect(history.slice(1)).toEqual([experimentLink('{"machine":"slow"}', scenario)]);
  await back();
  expect([draft.scenario, address.canUndo]).toEqual([scenario, false]);
});

test('undo and redo go through the history as far as there are changes in it', async () => {
  const { address, draft, gone, back } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  expect([address.undo(), address.redo(), gone]).toEqual([false, false, []]);
  address.change(() => draft.set('{"machine":"slow"}'));
  expect([address.redo(), address.undo(), gone]).toEqual([false, true, [-1]]);
  await back();
  expect([address.undo(), address.redo(), gone]).toEqual([false, true, [-1, 1]]);
});

test('a change in the Lab is taken back after one has been elsewhere, too', async () => {
  const { address, draft, gone, press } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  const second = '{"machine":"slow"}';
  address.change(() => draft.set(second));
  address.goTo('papers');
  address.goTo('lab');
  expect([address.canUndo, draft.scenario]).toEqual([true, second]);
  address.undo();
  // As from the window that says what differs.
  address.goTo('traces');
  await press(experimentLink(second, scenario));
  address.undo();
  expect(gone).toEqual([-3, -5]);
});

test('what a link or the run on the stage puts into the form is a change as well', async () => {
  const { address, draft, gone, back, press } = scene(scenarioLink(scenario, 'lab'));
  await address.follow();
  address.goTo('papers');
  await press(experimentLink('{"machine":"slower"}', '{"machine":"slow"}'));
  expect([address.canUndo, address.undo()]).toEqual([true, true]);
  await back();
  await back();
  expect([draft.scenario, draft.before, address.canUndo]).toEqual([scenario, scenario, false]);
  address.redo();
  address.goTo('papers');
  address.goTo('lab', () => draft.load('{"machine":"slow"}'));
  expect([address.canUndo, address.undo()]).toEqual([true, true]);
  expect(gone).toEqual([-2, 2, -2]);
});

test('a link that fills an empty form has nothing behind it', async () => {
  const { address, press } = scene('');
  await address.follow();
  await press(scenarioLink(scenario, 'lab'));
  expect(address.canUndo).toBe(false);
});

test('a page that is loaded again at such an entry still can go back', async () => {
  const link = experimentLink('{"machine":"slow"}', scenario);
  const { address, pasts } = scene(link);
  pasts.splice(0, 1, { changes: 3, back: 1, lab: 1 });
  await address.follow();
  expect(address.canUndo).toBe(true);
});

test('the scoreboard has a link of its own', async () => {
  const { address, view } = scene('#v=1&at=papers');
  await address.follow();
  expect([view.place, address.fragment]).toEqual(['papers', '#v=1&at=papers']);
});

/** A link that is followed while its run is still being opened; the test ends that by hand. */
function slowScene(link: string) {
  const waiting: ((outcome: Outcome<RunHandle>) => void)[] = [];
  const open: Core['open'] = (_inputs, _onProgress, _excerpt, signal) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      signal?.addEventListener('abort', () => waiting.shift()?.({ kind: 'cancelled' }));
    });
  const all = scene(link, { open });
  return { ...all, finish: () => waiting.shift()?.({ kind: 'ok', value: fakeHandle() }) };
}

test('going back to the shelf while a link is followed stays on the shelf', async () => {
  const { address, view, session, history, finish } = slowScene('#v=1&trace=loopback&at=stage');
  const first = address.follow();
  await Promise.resolve();
  history.push('');
  const second = address.follow();
  finish();
  await Promise.all([first, second]);
  expect([view.place, session.run, session.opening]).toEqual(['traces', undefined, undefined]);
  expect([address.isSettled, address.notices]).toEqual([true, []]);
});

test('of two links that are followed at once the second holds, whatever the first comes to', async () => {
  const { address, playhead, view, history, finish } = slowScene(
    '#v=1&trace=loopback&at=stage&t=4000',
  );
  const first = address.follow();
  await Promise.resolve();
  history.push('#v=1&trace=loopback&at=stage&t=7000&zoom=6000-8000');
  const second = address.follow();
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  finish();
  await Promise.all([first, second]);
  expect([playhead.time, view.zoom]).toEqual([7000, { from: 6000, to: 8000 }]);
});

test('going to another place while a link is followed ends the following', async () => {
  const { address, view, session, finish } = slowScene('#v=1&trace=loopback&at=stage');
  const followed = address.follow();
  await Promise.resolve();
  address.goTo('lab');
  finish();
  await followed;
  expect([view.place, session.opening]).toEqual(['lab', undefined]);
});

test('a run that is opened by hand does not call back whoever has gone elsewhere meanwhile', async () => {
  const { address, view, session, history, finish } = slowScene('');
  await address.follow();
  const { arrive } = address.opening();
  const opened = session.open([], { kind: 'own', title: 'mine.txt' });
  await Promise.resolve();
  address.goTo('papers');
  finish();
  await opened;
  arrive();
  expect([view.place, session.source?.title]).toEqual(['papers', 'mine.txt']);
  expect(history).toHaveLength(2);
});

test('what failed of one link goes as soon as another is followed; what fails of that one stays', async () => {
  const simulate = (text: string) =>
    Promise.resolve<Outcome<RunHandle>>(
      text.includes('bad')
        ? { kind: 'failed', message: `${text} is no good` }
        : { kind: 'ok', value: fakeHandle() },
    );
  const bad = (seed: number) => scenarioLink(`{"machine":"bad","seed":${seed}}`, 'stage');
  const good = [scenarioLink('{"machine":"quick"}', 'lab'), '#v=1&at=papers', '#v=1'];
  for (const link of good) {
    const { address, session, press } = scene(bad(1), { simulate });
    await address.follow();
    expect(session.failure?.message).toContain('"seed":1');
    await press(bad(2));
    expect(session.failure?.message).toContain('"seed":2');
    await press(link);
    expect(session.failure, link).toBeUndefined();
  }
});
