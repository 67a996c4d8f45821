/** The effects of a lesson on the page, through a door that records its calls. */
import { beforeEach, expect, test } from 'vitest';
import type { PacketId } from '../core/core.ts';
import { fakeHandle, FAKE_TOLD, NO_GLOSSARY } from '../core/fake-core.ts';
import type { Told } from '../core/told.ts';
import type { Door } from './door.ts';
import { readLesson } from './format/read.ts';
import { FRONT_MATTER } from './format/testing.ts';
import { LessonSession } from './lesson-session.svelte.ts';
import type { LessonRun } from './play/run.ts';

const lesson = readLesson(
  'lessons/x/lesson.md',
  `${FRONT_MATTER.replace('runs:\n', 'runs:\n  other: { scenario: go-fragments }\n')}
## It begins

Text.

::show{run=small view=way at=start}
::play{until=end for="5 s"}

:::alt
A stage.
:::

## It ends

Text.

::show{run=small view=way at=end follow="first journey"}

:::alt
A stage.
:::

:::ask{id=where lock}
Where does it wait?
- [ ] In *IP* \`longest-stay(typical journey) = "IP"\`
  It does not.
- [x] In the socket \`longest-stay(typical journey) = "receive queue"\`
  Right.
:::

## Elsewhere

Text.

::show{run=other at=start}

:::alt
A stage.
:::
`,
);

let opened: LessonRun[];
let onStage: LessonRun | undefined;
let session: LessonSession;
let heldAt: number | undefined;
/** The packet that the stage follows, and the film that it shows. */
let film: readonly [PacketId | undefined, Told];
/** The door's calls, each with the step whose text was shown at that time. */
let acts: string[];
/** The names of what was to be made ahead. */
let prepared: unknown[];
/** Runs open only after this has resolved. */
let gate: Promise<unknown>;

beforeEach(async () => {
  opened = [];
  acts = [];
  prepared = [];
  gate = Promise.resolve();
  const nothing = () => undefined;
  const door: Door = {
    open: async () => {
      await gate;
      const told = (focus?: PacketId) => Promise.resolve({ ...FAKE_TOLD, opensWith: focus });
      const questions = fakeHandle({}, { told });
      const { opened: run } = questions;
      onStage = { opened: run, glossary: NO_GLOSSARY, questions, measuredFrom: 0 };
      opened.push(onStage);
      return onStage;
    },
    isOnStage: (run) => run === onStage,
    show: ({ follow, told }) => {
      acts.push(`show at ${session.index}`);
      film = [follow, told];
    },
    play: () => acts.push(`play at ${session.index}`),
    prepare: (source) => prepared.push(source && Object.values(source)[0]),
    name: nothing,
    pause: nothing,
    seek: nothing,
    hold: (time) => (heldAt = time),
    entries: () => Promise.resolve([]),
  };
  session = new LessonSession(door, { kept: nothing, keep: nothing });
  await session.begin({ lesson, values: {} }, 0, 'asked');
});

test('a run is opened once for the steps that show it', async () => {
  await session.next();
  expect([session.index, opened.length]).toEqual([1, 1]);
});

test('a simulation of the steps to come is begun while one is read, and ended with the lesson', async () => {
  expect(prepared).toEqual(['go-fragments']);
  await session.next();
  session.leave();
  expect(prepared).toEqual(['go-fragments', 'go-fragments', undefined]);
});

test('the last step is left for the end of the lesson, once, and any other begins it anew', async () => {
  await session.goTo(2);
  expect([session.isLast, session.isOver, session.shown?.isOver]).toEqual([true, false, false]);
  await session.advance();
  expect([session.isOver, session.shown?.isOver]).toEqual([true, true]);
  await session.advance();
  expect([session.index, session.isOver]).toEqual([2, true]);
  await session.back();
  expect([session.index, session.isOver]).toEqual([1, false]);
});

test('a run that has left the stage is opened again', async () => {
  onStage = undefined;
  await session.next();
  expect(opened).toHaveLength(2);
  expect(session.run).toBe(onStage);
  onStage = undefined;
  await session.replay();
  expect(opened).toHaveLength(3);
});

test('nothing after the moment of a locked question is shown until it is answered', async () => {
  expect(heldAt).toBeUndefined();
  await session.next();
  const ask = session.step?.ask;
  expect([session.isLocked, heldAt]).toEqual([true, opened[0]?.opened.duration]);
  await session.next();
  expect(session.index).toBe(1);
  if (ask !== undefined) session.answer(ask, 0);
  expect([session.isLocked, heldAt]).toEqual([false, undefined]);
  await session.back();
  await session.next();
  expect(heldAt).toBeUndefined();
});

test('a step that follows a packet is told as film of that packet', async () => {
  expect([film[0], film[1].opensWith]).toEqual([undefined, undefined]);
  await session.next();
  expect([film[0], film[1].opensWith]).toEqual([0, 0]);
});

test('whoever leaves the lesson at a question may see all of the run', async () => {
  await session.next();
  session.leave();
  expect(heldAt).toBeUndefined();
});

test('L5: a step’s text, stage and film come together, and until then those before stay', async () => {
  expect(acts).toEqual(['show at 0', 'play at 0']);
  await session.next();
  acts = [];
  onStage = undefined;
  let open: () => void = () => undefined;
  gate = new Promise<void>((resolve) => (open = resolve));
  const back = session.back();
  expect([session.index, session.isComing]).toEqual([1, true]);
  // Pressing twice quickly goes a single step.
  await session.back();
  expect([session.index, acts]).toEqual([1, []]);
  open();
  await back;
  expect([session.index, session.isComing]).toEqual([0, false]);
  expect(acts).toEqual(['show at 0', 'play at 0']);
});

test('a step is not played again while another run is on its way, which would never count as come', async () => {
  await session.next();
  onStage = undefined;
  let open: () => void = () => undefined;
  gate = new Promise<void>((resolve) => (open = resolve));
  const back = session.back();
  await session.replay();
  open();
  await back;
  expect([session.index, session.isBusy, opened.length]).toEqual([0, false, 2]);
});

test('L5: nothing is waited for between the stage of a step and its film', async () => {
  await session.next();
  acts = [];
  const going = session.back();
  // In each task either both are visible or none.
  while (acts.length === 0) await Promise.resolve();
  expect(acts).toEqual(['show at 0', 'play at 0']);
  await going;
});
