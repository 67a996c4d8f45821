/** Windows in step: who is followed, what stays a window's own, and what a message may be. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Excerpt } from '../core/core.ts';
import { fakeHandle } from '../core/fake-core.ts';
import type { ShownStep } from '../lesson/format/shown-step.ts';
import { pageWith, type DoorPage } from '../session/testing.ts';
import type { OwnFiles } from '../traces/own-files.ts';
import { readMessage, type Sent } from './window-message.ts';
import { Windows } from './windows.svelte.ts';

/** A window of the page: its state, and what it says to the others goes out when the test lets it. */
interface Pane extends DoorPage {
  readonly windows: Windows;
  /** What it tells the viewer until that is put away. */
  readonly notices: string[];
  /** The files that were handed over to it. */
  readonly taken: OwnFiles[];
  /** What is read of a lesson in it. */
  readonly read: { step: ShownStep | undefined };
  /** Lets what it has said since reach the others. */
  readonly speak: () => void;
}

let panes: (Pane & { hear: ((data: unknown) => void) | undefined; said: Sent[] })[];

async function pane(id: string): Promise<Pane> {
  const page = await pageWith(() => fakeHandle({ fingerprint }));
  const said: Sent[] = [];
  const notices: string[] = [];
  const taken: OwnFiles[] = [];
  const read: Pane['read'] = { step: undefined };
  const desk = {
    name: `ringside.00000000.${id}`,
    open: () => true,
    wire: (_: string, onmessage: (data: unknown) => void) => {
      self.hear = onmessage;
      return {
        post: (message: Sent) => said.push(structuredClone(message)),
        close: () => undefined,
      };
    },
    newId: () => id,
  };
  const windows = new Windows(page.ringside, page.commands, desk, {
    show: () => Promise.resolve(),
    openOwn: (own) => {
      taken.push(own);
      return Promise.resolve();
    },
    step: () => read.step,
    say: (sentence) => page.announcer.say(sentence),
    notice: (sentence) => notices.push(sentence),
  });
  const speak = () => {
    windows.changed();
    for (const message of said.splice(0))
      for (const other of panes) if (other !== self) other.hear?.(message);
  };
  const self = {
    ...page,
    windows,
    speak,
    said,
    notices,
    taken,
    hear: undefined as ((data: unknown) => void) | undefined,
    read,
  };
  panes.push(self);
  windows.join();
  return self;
}

/** Everything that was begun has come to its end. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Of the run that is opened next. */
let fingerprint = '';

let a: Pane;
let b: Pane;

beforeEach(async () => {
  panes = [];
  fingerprint = '0011223344556677';
  a = await pane('aaaaaaaa');
  b = await pane('bbbbbbbb');
  b.speak();
  a.speak();
});

const time = ({ ringside }: Pane) => ringside.playhead.time;

test('the one that acted last is followed, whichever it is', () => {
  a.commands.seek(3000);
  a.speak();
  expect(time(b)).toBe(3000);
  b.commands.seek(5000);
  b.speak();
  expect(time(a)).toBe(5000);
});

test('two that act at once agree', () => {
  a.commands.seek(3000);
  b.commands.seek(5000);
  a.speak();
  b.speak();
  expect([time(a), time(b)]).toEqual([5000, 5000]);
  // What was said by a second time round changes nothing.
  a.speak();
  b.speak();
  expect([time(a), time(b)]).toEqual([5000, 5000]);
});

test('how a window is laid out stays its own, and so does its place', () => {
  a.commands.do('stage.alone');
  b.ringside.view.goTo('lab');
  a.commands.put('panel', { panel: 'ledger', stageView: 'queues' });
  a.speak();
  const { view } = b.ringside;
  expect(view.isStageAlone).toBe(false);
  expect([view.place, view.panel, view.stageView]).toEqual(['lab', 'findings', 'queues']);
});

test('a filter, a packet or a loop that is taken out goes in the other window, too', () => {
  a.commands.put('packet', { packet: 3, flow: 0, loop: { from: 1000, to: 2000 } });
  a.speak();
  expect(b.ringside.selection.packet).toBe(3);
  expect(b.ringside.selection.filters.flow).toBe(0);
  a.commands.put('packet', { packet: undefined, flow: undefined, loop: undefined });
  a.speak();
  expect(b.ringside.selection.packet).toBeUndefined();
  expect(b.ringside.selection.filters.flow).toBeUndefined();
  expect(b.ringside.playhead.loop).toBeUndefined();
});

test('undo takes back what was done here, not what another window did', () => {
  b.commands.seek(2000);
  b.speak();
  a.commands.put('view', { stageView: 'queues' });
  a.speak();
  expect(b.undo.undo()).toBe(true);
  expect(b.ringside.view.stageView).toBe('queues');
  expect(time(b)).toBe(1000);
});

test('a question that holds the film holds it in both', () => {
  a.ringside.playhead.hold(4000);
  a.commands.seek(9000);
  a.speak();
  b.commands.seek(9000);
  expect(time(b)).toBe(4000);
});

describe('the step of a lesson', () => {
  const step: ShownStep = {
    ...{ lesson: 'two-processors', index: 2, help: 'asked' },
    ...{ answers: {}, tries: [], isOver: false },
  };

  /** The first window reads a step of a lesson, and goes to its moment. */
  function read(shown: ShownStep | undefined): void {
    a.read.step = shown;
    a.commands.seek(time(a) + 1000);
    a.speak();
  }

  test('is shown in the other windows, with the answer, until the lesson is left', () => {
    read(step);
    expect([a.windows.step, b.windows.step]).toEqual([undefined, step]);
    read({ ...step, answers: { speed: 1 } });
    expect(b.windows.step?.answers).toEqual({ speed: 1 });
    read(undefined);
    expect(b.windows.step).toBeUndefined();
  });

  test('stays where it is read while another window acts', async () => {
    read(step);
    const c = await pane('cccccccc');
    c.speak();
    a.speak();
    b.commands.seek(9000);
    b.speak();
    expect(c.windows.step).toEqual(step);
  });

  test('goes with the window in which it is read', () => {
    read(step);
    a.windows.leave();
    a.speak();
    expect(b.windows.step).toBeUndefined();
  });

  test('is no step if it names no lesson or a help that there is none of', () => {
    const said = (changes: object) => ({
      ...{ ringside: 1, from: 'aaaaaaaa', kind: 'state', turn: 1, by: 'aaaaaaaa' },
      ...{ view: '', film: { isPlaying: false, isReversed: false, pace: 1 }, ringed: [] },
      step: { ...step, ...changes },
    });
    expect(readMessage(said({}))).toBeDefined();
    for (const wrong of [
      { lesson: '<b>' },
      { help: 'all' },
      { index: -1 },
      { answers: { speed: 0.5 } },
    ])
      expect(readMessage(said(wrong))).toBeUndefined();
  });
});

test('a window that goes is noticed', () => {
  expect(a.windows.others).toBe(1);
  b.windows.leave();
  b.speak();
  expect(a.windows.others).toBe(0);
  expect(a.announcer.sentence).toBe('The other window is gone.');
});

describe('files of one’s own', () => {
  /** The first window opens so many; both say all that they have to say. */
  async function handOver(names: readonly string[], excerpt?: Excerpt): Promise<void> {
    fingerprint = '8899aabbccddeeff';
    const inputs = names.map((name) => ({ name, data: new Blob(['x']) }));
    await a.ringside.session.open(inputs, { kind: 'own', title: 'mine', excerpt });
    a.commands.seek(3000);
    for (let round = 0; round < 3; round += 1) {
      a.speak();
      await settled();
      b.speak();
    }
  }

  test('more than can be handed over are heard of in both windows, once', async () => {
    await handOver(Array.from({ length: 17 }, (_, at) => `${at}.txt`));
    a.commands.seek(4000);
    a.speak();
    await settled();
    b.speak();
    expect(a.notices).toEqual([expect.stringContaining('cannot have these files')]);
    expect(b.notices).toEqual([expect.stringContaining('cannot be handed over')]);
  });

  test('and so are names that are too long', async () => {
    await handOver(['x'.repeat(301)]);
    expect([a.notices.length, b.notices.length]).toEqual([1, 1]);
  });

  test('others are handed over, and nothing is said', async () => {
    await handOver(['trace.txt', 'wire.pcap']);
    expect([a.notices, b.notices]).toEqual([[], []]);
    const names = b.taken.flatMap(({ inputs }) => inputs.map(({ name }) => name));
    expect(names).toEqual(['trace.txt', 'wire.pcap']);
  });

  test('of what is opened in part, the other window opens the same part', async () => {
    await handOver(['trace.txt'], { cpu: 3 });
    expect(b.taken.map(({ source }) => source)).toEqual([
      { kind: 'own', title: 'mine', excerpt: { cpu: 3 } },
    ]);
  });
});

describe('a message is left unheard', () => {
  const state = {
    ringside: 1,
    kind: 'state',
    from: 'cccccccc',
    turn: 9,
    by: 'cccccccc',
    view: 'v=1&own=0011223344556677&at=stage&t=7000',
    film: { isPlaying: false, isReversed: false, pace: 1 },
    ringed: [],
  };

  test('unless it is whole', () => {
    expect(readMessage(state)).toMatchObject({ view: { time: 7000 } });
  });

  test.each([
    ['of no form', 'play'],
    ['of another version', { ...state, ringside: 2 }],
    ['with something more', { ...state, script: 'x' }],
    ['with a link that has a mistake', { ...state, view: 'v=1&own=0011223344556677&t=soon' }],
    ['with a link that is too long', { ...state, view: `v=1&${'x'.repeat(9000)}` }],
    ['with a speed that is none', { ...state, film: { ...state.film, pace: NaN } }],
    ['by nobody', { ...state, by: '<img>' }],
    ['with rings around what is nothing', { ...state, ringed: [{ kind: 'document' }] }],
    [
      'with files that are none',
      {
        ringside: 1,
        kind: 'files',
        from: 'cccccccc',
        own: '0011223344556677',
        title: 'x',
        inputs: [{ name: 'x', data: 'y' }],
      },
    ],
  ])('%s', (_, message) => {
    expect(readMessage(message)).toBeUndefined();
    for (const one of panes) one.hear?.(message);
    expect([time(a), time(b)]).toEqual([1000, 1000]);
  });
});
