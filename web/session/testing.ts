/** Helpers of tests: film whose gaps are short and long, and a page with a door to it. */
import { fakeCore } from '../core/fake-core.ts';
import type { RunHandle } from '../core/run.ts';
import type { Film } from './advance.ts';
import { Address } from './address.svelte.ts';
import type { Announcer } from './announcer.svelte.ts';
import { Commands } from './commands.ts';
import { createRingside, type Ringside } from './context.ts';
import { Dispatcher } from './dispatcher.ts';
import { Undo } from './undo.ts';

/** Ten microseconds with six moments, played at 1 µs a second; with changes. */
export const film = (changes: Partial<Film> = {}): Film => ({
  pacing: 'true',
  speed: 1000,
  rate: 2,
  isReversed: false,
  loop: undefined,
  duration: 10_000,
  moments: Float64Array.of(0, 100, 1100, 1110, 9000, 10_000),
  ...changes,
});

/** The state of a page with a door to it, and nothing of the browser. */
export interface DoorPage {
  readonly ringside: Ringside;
  readonly announcer: Announcer;
  readonly commands: Dispatcher;
  readonly undo: Undo;
}

/** Such a page with a run of the viewer's own on its stage, all of it in view; each opening gives the next. */
export async function pageWith(
  next: () => RunHandle,
  now: () => number = () => 0,
): Promise<DoorPage> {
  const ringside = createRingside(
    fakeCore({ open: () => Promise.resolve({ kind: 'ok', value: next() }) }),
  );
  const { announcer } = ringside;
  const bar = {
    fragment: () => '',
    past: () => undefined,
    replace: () => undefined,
    push: () => undefined,
    go: () => undefined,
    whenIdle: () => undefined,
  };
  const never = () => Promise.resolve(false);
  const address = new Address(ringside, bar, {
    recording: never,
    scenario: never,
    lesson: () => Promise.resolve(undefined),
    beside: never,
  });
  const verbs = new Commands(ringside, address, {
    copy: () => Promise.resolve(),
    link: () => '',
    simulate: () => undefined,
    undo: () => undo.undo(),
    redo: () => undo.redo(),
    openWindow: () => false,
    leaveWindows: () => false,
    turnLesson: () => undefined,
  });
  const commands = new Dispatcher(ringside, verbs);
  const undo: Undo = new Undo(
    commands,
    (wanted) => void address.arrive(wanted),
    ringside.playhead,
    now,
  );
  await ringside.session.open([], { kind: 'own', title: 'mine.txt' });
  ringside.view.goTo('stage');
  ringside.view.setZoom(undefined);
  return { ringside, announcer, commands, undo };
}
