/** The door: what is done, refused and watched, and what undo takes back. */
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeHandle } from '../core/fake-core.ts';
import type { Journey } from '../core/journeys.ts';
import type { RunHandle } from '../core/run.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Ringside } from './context.ts';
import { guardCrashed } from './crash-guard.ts';
import type { Dispatcher } from './dispatcher.ts';
import { fieldsOf, takeView } from './snapshot.ts';
import { pageWith } from './testing.ts';
import { patched } from './view-changes.ts';

let ringside: Ringside;
let announcer: Announcer;
let commands: Dispatcher;
let handle: RunHandle;
/** By the clock on the wall, in ms. */
let now = 0;

beforeEach(async () => {
  handle = fakeHandle();
  ({ ringside, announcer, commands } = await pageWith(
    () => handle,
    () => now,
  ));
});

test('a command changes the view, and says what came of it', () => {
  const { playhead, selection } = ringside;
  playhead.seek(4000);
  expect(commands.do('range.from')).toBe(true);
  expect(selection.range).toEqual({ from: 4000, to: 10_000 });
  expect(announcer.sentence).toMatch(/^A range of 6\sµs is marked\.$/);
});

test('what means nothing here is not done, and says why', () => {
  ringside.playhead.setPacing('true');
  expect(commands.do('follow.toggle')).toBe(false);
  expect(announcer.sentence).toBe('Select a packet first.');
  ringside.view.goTo('papers');
  expect(commands.do('step.end')).toBe(false);
  expect(ringside.playhead.time).toBe(1000);
});

test('of a run that answers no more nothing is played, and that is said; the rest still works', async () => {
  const { session, playhead, view } = ringside;
  guardCrashed(commands, session);
  const broken = Promise.resolve('out of memory');
  handle = { ...fakeHandle(), broken };
  await session.open([], { kind: 'own', title: 'mine.txt' });
  await broken;
  expect(commands.do('step.end')).toBe(false);
  expect(commands.do('play.toggle')).toBe(false);
  expect([playhead.time, playhead.isPlaying]).toEqual([1000, false]);
  expect(announcer.sentence).toBe('mine.txt answers no more. Open it again to go on.');
  expect(commands.do('window.leave'), 'it needs nothing of the run').toBe(true);
  expect(commands.do('timeline.lanes')).toBe(true);
  expect(view.isTimelineOpen).toBe(true);
  handle = fakeHandle();
  await session.open([], { kind: 'own', title: 'other.txt' });
  expect(commands.do('step.end')).toBe(true);
});

test('a refusal stands until the next thing is done, what else was said stays', () => {
  const leave = commands.guard((id) => (id === 'step.end' ? 'Not now.' : undefined));
  commands.do('step.end');
  expect(announcer.sentence).toBe('Not now.');
  commands.put('lesson.show', { time: 4000 });
  expect(announcer.sentence).toBe('');
  leave();
  announcer.say('The trace is open.');
  commands.do('timeline.lanes');
  expect(announcer.sentence).toBe('The trace is open.');
});

test('that there is no further step is gone once there is something else', async () => {
  commands.do('step.end');
  commands.do('step.hop.next');
  await vi.waitFor(() => expect(announcer.sentence).toBe('No hop after this.'));
  commands.seek(2000);
  expect(announcer.sentence).toBe('');
});

test('a port that has left refuses nothing any more', () => {
  const leave = commands.guard(() => 'Not now.');
  expect(commands.do('step.end')).toBe(false);
  leave();
  expect(commands.do('step.end')).toBe(true);
});

test('a port is told what was done, with the view before and after', () => {
  const seen: unknown[] = [];
  commands.watch(({ id, before, after }) => seen.push([id, before.zoom, after?.zoom]));
  commands.do('timeline.zoom.in');
  commands.do('play.faster');
  const { zoom } = ringside.view;
  expect(seen).toEqual([
    ['timeline.zoom.in', undefined, zoom],
    ['play.faster', zoom, undefined],
  ]);
  expect(zoom).toBeDefined();
});

test('a lesson puts parts of a view, and all of it lies in the run', () => {
  commands.change('lesson', (view) =>
    patched(view, { time: 99_999, packet: 4, stageView: 'caches', zoom: { from: 10.5, to: 1e9 } }),
  );
  const { playhead, selection, view } = ringside;
  expect([playhead.time, selection.packet, view.stageView]).toEqual([10_000, 4, 'caches']);
  expect(view.zoom).toEqual({ from: 10, to: 10_000 });
});

test('in a lesson a key works on what is on screen, though a link names the step alone', () => {
  const { playhead, selection, view } = ringside;
  view.showLesson('two-processors.3');
  commands.do('stage.alone');
  commands.do('stage.alone');
  expect(view.isStageAlone).toBe(false);
  commands.do('timeline.lanes');
  commands.do('timeline.lanes');
  expect(view.isTimelineOpen).toBe(false);
  selection.select(3);
  commands.do('follow.toggle');
  commands.do('look.letgo');
  commands.do('look.letgo');
  expect([selection.isFollowing, selection.packet]).toEqual([false, undefined]);
  playhead.seek(4000);
  commands.do('range.from');
  commands.do('play.loop');
  expect(playhead.loop).toEqual({ from: 4000, to: 10_000 });
  const link = takeView(ringside);
  expect([link.lesson, link.own, link.loop]).toEqual(['two-processors.3', undefined, undefined]);
});

test('undo takes back the last change of the view and nothing that moved on since; redo does it again', () => {
  const { view, playhead } = ringside;
  commands.do('timeline.zoom.in');
  const near = view.zoom;
  commands.do('timeline.zoom.in');
  playhead.seek(7000);
  commands.do('page.undo');
  expect([view.zoom, playhead.time]).toEqual([near, 7000]);
  commands.do('page.undo');
  expect(view.zoom).toBeUndefined();
  commands.do('page.redo');
  expect(view.zoom).toEqual(near);
  commands.do('page.undo');
  commands.do('page.undo');
  expect(announcer.sentence).toBe('There is nothing to take back.');
});

test('what was done to the view of one run is not taken back in another, and stays to be', async () => {
  const { view, session } = ringside;
  commands.do('timeline.lanes');
  await session.simulate('{}');
  commands.do('page.undo');
  expect(announcer.sentence).toBe('There is nothing to take back.');
  expect(view.isTimelineOpen).toBe(true);
  await session.open([], { kind: 'own', title: 'mine.txt' });
  commands.do('page.undo');
  expect(view.isTimelineOpen).toBe(false);
});

test('what was taken back in one run is not done again in another, whatever was done there', async () => {
  const { view, session } = ringside;
  commands.do('timeline.zoom.in');
  commands.do('page.undo');
  await session.simulate('{}');
  const opened = view.zoom;
  commands.do('look.letgo');
  commands.do('page.redo');
  expect(announcer.sentence).toBe('There is nothing to do again.');
  expect(view.zoom).toEqual(opened);
});

test('what a pointer draws on the page is taken back as one step', () => {
  const { playhead, view } = ringside;
  commands.seek(2000);
  for (const time of [3000, 4000, 5000]) commands.seek(time);
  commands.put('zoom', { zoom: { from: 100, to: 900 } });
  commands.put('zoom', { zoom: { from: 200, to: 800 } });
  commands.do('page.undo');
  expect([view.zoom, playhead.time]).toEqual([undefined, 5000]);
  commands.do('page.undo');
  expect(playhead.time).toBe(1000);
  commands.do('page.redo');
  expect(playhead.time).toBe(5000);
});

test('what was drawn with a pause between is a step each; a place on the strip of film is one, too', () => {
  const { playhead } = ringside;
  playhead.setPacing('told');
  const film = (to: number) => commands.effect('seek.film', (verbs) => verbs.seekFilm(to));
  commands.seek(2000);
  now += 5000;
  commands.seek(3000);
  now += 5000;
  for (const to of [1.1, 1.2, 1.3]) film(to);
  expect([playhead.time, playhead.film]).toEqual([1000, 1.3]);
  commands.do('page.undo');
  expect(playhead.time).toBe(3000);
  commands.do('page.redo');
  expect([playhead.time, playhead.film]).toEqual([1000, 1.3]);
  for (const time of [3000, 2000, 1000]) {
    commands.do('page.undo');
    expect(playhead.time).toBe(time);
  }
});

test('a packet that was pointed at is one step, and taking it back takes its film back, too', async () => {
  const journey = () => Promise.resolve({ start: 6000, end: 7000 } as unknown as Journey);
  const { session, selection, playhead, view } = ringside;
  handle = fakeHandle({}, { journey });
  await session.open([], { kind: 'own', title: 'mine.txt' });
  view.showPanel('findings');
  await commands.follow(3, undefined, { panel: 'inspect' });
  expect([playhead.focus, playhead.time, view.panel]).toEqual([3, 6000, 'inspect']);
  commands.do('page.undo');
  expect([selection.packet, playhead.time, view.panel]).toEqual([undefined, 1000, 'findings']);
  await vi.waitFor(() => expect(playhead.focus).toBeUndefined());
  commands.do('page.redo');
  await vi.waitFor(() => expect(playhead.focus).toBe(3));
  expect([selection.followed, playhead.time, view.panel]).toEqual([3, 6000, 'inspect']);
});

test('filters of the table are a change of the view', () => {
  const filters = { sort: 'wait', isDescending: true, minDuration: 500, cpu: 1 } as const;
  expect(commands.put('filter', fieldsOf(filters))).toBe(true);
  expect(ringside.selection.filters).toEqual(filters);
  expect(takeView(ringside)).toMatchObject({ sort: 'wait', cpu: 1, duration: { from: 500 } });
  commands.do('page.undo');
  expect(ringside.selection.filters).toEqual({ sort: 'start', isDescending: false });
});

test('a packet that is followed is chosen at once, and the play head comes to the moment', async () => {
  const journey = () => Promise.resolve({ start: 6000, end: 7000 } as unknown as Journey);
  const { session, selection, playhead } = ringside;
  handle = fakeHandle({}, { journey });
  await session.open([], { kind: 'own', title: 'mine.txt' });
  const followed = commands.follow(3, 6100);
  expect(selection.packet).toBe(3);
  expect(await followed).toBe(true);
  expect([selection.followed, playhead.time]).toEqual([3, 6100]);
});

test('of two packets that are chosen one after the other the second is followed', async () => {
  const journey = (packet: number) =>
    Promise.resolve({
      start: packet * 1000,
      end: packet * 1000 + 1,
    } as unknown as Journey);
  handle = fakeHandle({}, { journey });
  await ringside.session.open([], { kind: 'own', title: 'other.txt' });
  const both = await Promise.all([commands.follow(3), commands.follow(5)]);
  expect(both).toEqual([false, true]);
  expect([ringside.selection.followed, ringside.playhead.time]).toEqual([5, 5000]);
});
