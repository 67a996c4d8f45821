/** The door: what is done, refused and watched, and what undo takes back. */
import { beforeEach, expect, test } from 'vitest';
import { fakeCore, fakeHandle } from '../core/fake-core.ts';
import type { Journey } from '../core/journeys.ts';
import type { RunHandle } from '../core/run.ts';
import { Address } from './address.svelte.ts';
import { Announcer } from './announcer.svelte.ts';
import { Commands } from './commands.ts';
import { createRingside, type Ringside } from './context.ts';
import { Dispatcher } from './dispatcher.ts';
import { Undo } from './undo.ts';
import { patched } from './view-changes.ts';

let ringside: Ringside;
let announcer: Announcer;
let commands: Dispatcher;
let undo: Undo;
let handle: RunHandle;

beforeEach(async () => {
  handle = fakeHandle();
  ringside = createRingside(
    fakeCore({ open: () => Promise.resolve({ kind: 'ok', value: handle }) }),
  );
  announcer = new Announcer();
  const bar = {
    fragment: () => '',
    replace: () => undefined,
    push: () => undefined,
    whenIdle: () => undefined,
  };
  const never = () => Promise.resolve(false);
  const address = new Address(ringside, bar, {
    recording: never,
    scenario: never,
    lesson: never,
  });
  const verbs = new Commands(ringside, address, announcer, {
    copy: () => Promise.resolve(),
    link: () => '',
    simulate: () => undefined,
    undo: () => undo.undo(),
    redo: () => undo.redo(),
  });
  commands = new Dispatcher(ringside, verbs, announcer);
  undo = new Undo(commands);
  await ringside.session.open([], { kind: 'own', title: 'mine.txt' });
  ringside.view.goTo('stage');
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

test('a port can refuse a command, with a sentence, until it leaves', () => {
  const leave = commands.guard((id) =>
    id === 'step.end' ? 'Not before you have answered.' : undefined,
  );
  expect(commands.do('step.end')).toBe(false);
  expect([ringside.playhead.time, announcer.sentence]).toEqual([
    1000,
    'Not before you have answered.',
  ]);
  leave();
  expect(commands.do('step.end')).toBe(true);
  expect(ringside.playhead.time).toBe(10_000);
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

test('what was done to the view of one run is not taken back in another', async () => {
  commands.do('timeline.zoom.in');
  await ringside.session.simulate('{}');
  commands.do('page.undo');
  expect(ringside.view.zoom).toBeUndefined();
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
