/**
 * The window channel: windows of the page on one machine that show the same run at the same moment.
 * A port on the dispatcher. Whichever window acts, the others follow; two that act at once agree by the
 * count of acts and, where that is the same, by name. What is laid out (panels, the stage alone), what
 * the viewer sets and the places without a stage stay each window's own. A lesson is read and turned in
 * one window; the others are told of its step, to show it beside the stage.
 *
 * A window's name ties it to the others: it outlives a reload, and no link has it.
 */
import { untrack } from 'svelte';
import type { ShownStep } from '../lesson/format/shown-step.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import { differences } from '../session/put-view.ts';
import { lookedAt, wholeView } from '../session/snapshot.ts';
import type { Patch } from '../session/view-changes.ts';
import { runOf, serialiseViewState, type ViewState } from '../session/view-state.ts';
import { holdSame } from '../session/same.ts';
import type { OwnFiles } from '../traces/own-files.ts';
import { m } from '../words/generated/messages.js';
import {
  HANDED_OVER,
  inputsOf,
  readMessage,
  type FilmState,
  type Message,
  type Sent,
  type State,
} from './window-message.ts';

/** What of a BroadcastChannel it needs, so that a test can stand in for one. */
export interface Wire {
  readonly post: (message: Sent) => void;
  readonly close: () => void;
}

/** What of the browser it needs. */
export interface Desk {
  /** The name of this window. */
  name: string;
  /** Opens a second window with a name; false where the browser does not let it. */
  readonly open: (link: string, name: string) => boolean;
  readonly wire: (channel: string, onmessage: (data: unknown) => void) => Wire;
  readonly newId: () => string;
}

/** What the page does at a word of another window. */
export interface Openers {
  /** Opens the run that a view names; settles when that is done, or cannot be. */
  readonly show: (view: ViewState) => Promise<void>;
  readonly openOwn: (own: OwnFiles) => Promise<void>;
  /** The step of the lesson that is read in this window. */
  readonly step: () => ShownStep | undefined;
  readonly say: (sentence: string) => void;
  /** Shows a sentence until the viewer puts it away. */
  readonly notice: (sentence: string) => void;
}

/** Layout and places: each window's own. A lesson stays where it is read. */
const OWN: ReadonlySet<keyof ViewState> = new Set([
  ...(['lesson', 'place', 'panel', 'isStageAlone', 'isTimelineOpen'] as const),
]);
/** What moves while film runs. */
const MOVING: ReadonlySet<keyof ViewState> = new Set(['time', 'dwelt']);
/** What this port does has ids that begin so. */
const OURS = 'window.';
/** While both play, by their own clocks, this much film apart is in step. */
const SECONDS_APART = 0.25;
/** While film runs it is told so many times a second. */
const TOLD_A_SECOND = 2;
const NAME = /^ringside\.([0-9a-f-]{8,40})\.([0-9a-f-]{8,40})$/;

/** What is told beside the moment. */
interface Still {
  readonly view: ViewState;
  readonly film: FilmState;
  readonly ringed: Ringside['view']['ringed'];
  readonly step: ShownStep | undefined;
}

/** What was told, and at which moment; while film runs that is how often it was told. */
interface ToldNow {
  readonly still: Still;
  readonly moment: unknown;
}

export class Windows {
  readonly #ringside: Ringside;
  readonly #commands: Dispatcher;
  readonly #desk: Desk;
  readonly #openers: Openers;
  #wire = $state.raw<Wire>();
  #group = '';
  #id = '';
  /** The last act that this window knows of. */
  #turn = 0;
  #by = $state('');
  #others = $state.raw<readonly string[]>([]);
  #told: ToldNow | undefined;
  /** The newest state of another window, and the run that is being opened for it. */
  #wanted = $state.raw<State>();
  #opening: string | undefined;
  #step = $state.raw<ShownStep>();
  /** Files of which was told that they cannot be handed over. */
  #kept: string | undefined;

  readonly #still: Still = $derived.by(() => {
    const { playhead, view } = this.#ringside;
    const { isRunning, isReversed, pace, focus, heldAt } = playhead;
    return {
      view: lookedAt(this.#ringside),
      film: {
        ...{ isPlaying: isRunning, isReversed, pace },
        ...(focus === undefined ? {} : { focus }),
        ...(heldAt === undefined ? {} : { heldAt }),
      },
      ringed: view.ringed,
      step: this.#openers.step() ?? this.#step,
    };
  });
  /** The moment; while film runs only so many times a second. */
  readonly #moment: unknown = $derived.by(() => {
    const { playhead } = this.#ringside;
    return playhead.beat(TOLD_A_SECOND) ?? [playhead.time, playhead.film];
  });

  constructor(ringside: Ringside, commands: Dispatcher, desk: Desk, openers: Openers) {
    this.#ringside = ringside;
    this.#commands = commands;
    this.#desk = desk;
    this.#openers = openers;
    commands.watch(({ id }) => {
      if (this.#wire !== undefined && !id.startsWith(OURS)) this.#lead();
    });
  }

  /** How many other windows show the same. */
  get others(): number {
    return this.#others.length;
  }

  /** The step of a lesson that another window shows. */
  get step(): ShownStep | undefined {
    return this.#step;
  }

  /** Joins the windows that this one's name ties it to, if it does. */
  join(): void {
    const [, group, id] = NAME.exec(this.#desk.name) ?? [];
    if (group !== undefined && id !== undefined && this.#wire === undefined) this.#join(group, id);
  }

  /** Opens one more window that shows what this one does; false where the browser does not let it. */
  open(): boolean {
    const { newId } = this.#desk;
    if (this.#wire === undefined) {
      const [group, id] = [newId(), newId()];
      this.#desk.name = nameOf(group, id);
      this.#join(group, id);
    }
    this.#lead();
    const view = wholeView(this.#ringside);
    const link = `#${serialiseViewState({ ...view, place: 'stage', isStageAlone: true })}`;
    return this.#desk.open(link, nameOf(this.#group, newId()));
  }

  /** Goes on alone; false where it does already. */
  leave(): boolean {
    if (this.#wire === undefined) return false;
    this.pause();
    this.#desk.name = '';
    return true;
  }

  /** The page goes, perhaps to come back: a reload, or back in the history. */
  pause(): void {
    this.#post({ kind: 'bye' });
    this.#wire?.close();
    this.#wire = undefined;
    this.#others = [];
    this.#step = undefined;
  }

  /** Something may have changed: tells it, if this window is the one that acted last. */
  changed(): void {
    if (this.#wire === undefined || this.#wanted !== undefined || this.#by !== this.#id) return;
    if (this.#ringside.view.place !== 'stage' || this.#ringside.session.run === undefined) return;
    const now = { still: this.#still, moment: this.#moment };
    if (this.#told === undefined || !holdSame(this.#told, now)) untrack(() => this.#tell());
  }

  #join(group: string, id: string): void {
    this.#group = group;
    this.#id = id;
    this.#turn = 0;
    this.#by = '';
    this.#wire = this.#desk.wire(`ringside.${group}`, (data) => {
      const message = readMessage(data);
      if (message !== undefined && message.from !== this.#id) this.#hear(message);
    });
    this.#post({ kind: 'hello' });
  }

  #lead(): void {
    this.#turn += 1;
    this.#by = this.#id;
    this.#wanted = undefined;
  }

  #hear(message: Message): void {
    if (message.kind !== 'bye') this.#meet(message.from);
    switch (message.kind) {
      case 'hello':
        if (this.#turn > 0 && this.#ringside.session.run !== undefined) this.#tell();
        return;
      case 'bye':
        this.#others = this.#others.filter((other) => other !== message.from);
        if (this.#others.length === 0) {
          this.#step = undefined;
          this.#openers.say(m.said_window_alone());
        }
        return;
      case 'state':
        if (this.#isNews(message)) void this.#follow(message);
        return;
      case 'wants':
        this.#give(message.own);
        return;
      case 'keeps':
        this.#tellKept(message.own, () => m.window_not_handed_over(HANDED_OVER));
        return;
      case 'files':
        if (this.#wanted?.view.own === message.own) void this.#take(message);
    }
  }

  #meet(other: string): void {
    if (this.#others.includes(other)) return;
    this.#others = [...this.#others, other];
    // It may have come without a word that was heard here: after a reload of this window.
    this.#openers.say(m.said_window_joined());
  }

  #isNews({ turn, by }: State): boolean {
    if (turn !== this.#turn) return turn > this.#turn;
    return by !== this.#id && by >= this.#by;
  }

  async #follow(state: State): Promise<void> {
    this.#turn = state.turn;
    this.#by = state.by;
    this.#wanted = state;
    this.#step = state.step;
    const wanted = runOf(state.view);
    if (wanted !== runOf(wholeView(this.#ringside))) {
      if (this.#opening === wanted) return;
      this.#opening = wanted;
      const { panel, isStageAlone, isTimelineOpen } = this.#ringside.view;
      await this.#openers.show({ ...state.view, panel, isStageAlone, isTimelineOpen });
      if (this.#opening !== wanted) return;
      this.#opening = undefined;
      const { own } = state.view;
      const isMissing = own !== undefined && this.#ringside.session.run?.fingerprint !== own;
      if (isMissing && own !== this.#kept) {
        this.#post({ kind: 'wants', own });
      }
    }
    await this.#show();
  }

  /** Shows the newest state, if its run is on the stage. */
  async #show(): Promise<void> {
    const { playhead, view } = this.#ringside;
    const state = this.#wanted;
    if (state === undefined || !this.#isOnStage(state)) return;
    if (playhead.focus !== state.film.focus) {
      await playhead.tellOf(state.film.focus);
      if (this.#wanted !== state || !this.#isOnStage(state)) return;
    }
    const patch = this.#patchOf(state);
    // The film first: a question that holds it decides how far one may go.
    this.#commands.effect('window.film', (to) => to.runFilm(state.film));
    this.#commands.put('window.view', patch);
    view.ring(state.ringed);
  }

  /** What differs here, but for what is each window's own. */
  #patchOf({ view, film }: State): Patch {
    const here = wholeView(this.#ringside);
    const isNear = this.#isNear(view, film);
    const wanted = differences(here, view).filter(
      (key) => !OWN.has(key) && !(isNear && MOVING.has(key)),
    );
    return Object.fromEntries(wanted.map((key) => [key, view[key]]));
  }

  /** Both play, and so little apart that a jump would be seen and the difference is not. */
  #isNear(view: ViewState, film: FilmState): boolean {
    const { playhead } = this.#ringside;
    if (!film.isPlaying || !playhead.isPlaying || view.time === undefined) return false;
    return Math.abs(playhead.filmMap.filmTo(view.time)) < SECONDS_APART;
  }

  #isOnStage({ view }: State): boolean {
    return runOf(view) === runOf(wholeView(this.#ringside));
  }

  #give(own: string): void {
    const { session } = this.#ringside;
    const { source, run, inputs } = session;
    if (source?.kind !== 'own' || run?.fingerprint !== own) return;
    const { title, excerpt } = source;
    const files: Unsigned = { kind: 'files', own, title, excerpt, inputs: [...inputs] };
    if (readMessage(this.#signed(files)) === undefined) {
      this.#post({ kind: 'keeps', own });
      this.#tellKept(own, () => m.window_keeps_files(HANDED_OVER));
    } else this.#post(files);
  }

  /** Says of files once that the other windows cannot have them. */
  #tellKept(own: string, sentence: () => string): void {
    if (this.#kept === own) return;
    this.#kept = own;
    this.#openers.notice(sentence());
  }

  async #take(message: Extract<Message, { kind: 'files' }>): Promise<void> {
    if (this.#opening === message.own) return;
    this.#opening = message.own;
    const { title, excerpt } = message;
    const source = { kind: 'own', title, excerpt } as const;
    await this.#openers.openOwn({ inputs: inputsOf(message), source });
    this.#opening = undefined;
    await this.#show();
  }

  #tell(): void {
    const { film, ringed, step } = this.#still;
    this.#told = { still: this.#still, moment: this.#moment };
    this.#post({
      kind: 'state',
      ...{ turn: this.#turn, by: this.#by },
      view: serialiseViewState({ ...wholeView(this.#ringside), place: 'stage' }),
      ...{ film, ringed },
      ...(step === undefined ? {} : { step }),
    });
  }

  #post(message: Unsigned): void {
    this.#wire?.post(this.#signed(message));
  }

  #signed(message: Unsigned): Sent {
    return { ringside: 1, from: this.#id, ...message };
  }
}

/** A message before it says who sends it. */
type Unsigned = Sent extends infer One
  ? One extends Sent
    ? Omit<One, 'ringside' | 'from'>
    : never
  : never;

function nameOf(group: string, id: string): string {
  return `ringside.${group}.${id}`;
}

/** The browser's own: a window with a name, a channel, and names that nothing else has. */
export function browserDesk(window: Window): Desk {
  return {
    get name() {
      return window.name;
    },
    set name(name) {
      window.name = name;
    },
    open: (link, name) =>
      window.open(window.location.pathname + link, name, 'popup,width=1280,height=720') !== null,
    wire: (name, onmessage) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => onmessage(data);
      return { post: (message) => channel.postMessage(message), close: () => channel.close() };
    },
    // Also where the page is not served by a secure origin, which randomUUID wants.
    newId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
  };
}
