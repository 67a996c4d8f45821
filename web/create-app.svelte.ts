/**
 * The app without its markup: one of each part of the state, the places and the doors to the outside world, made in
 * the order in which each needs the others, and joined. App.svelte shows it. What is told of the whole page is
 * here, too: whether anything is under way, what it is called, and what it has to say by itself.
 */
import { MediaQuery } from 'svelte/reactivity';
import type { CoreClient } from './core/client.ts';
import { guardFrame, readFrame, type Frame } from './ports/embed-frame.ts';
import { Embedding } from './ports/embedding.svelte.ts';
import { browserDesk, Windows } from './ports/windows.svelte.ts';
import { Address, addressBar } from './session/address.svelte.ts';
import { keptChoices } from './session/choices.ts';
import { Commands } from './session/commands.ts';
import { createRingside, type Ringside } from './session/context.ts';
import { guardCrashed } from './session/crash-guard.ts';
import { Dispatcher } from './session/dispatcher.ts';
import { keepSettings } from './session/kept-settings.ts';
import { NewerPage } from './session/newer-page.svelte.ts';
import { Settings } from './session/settings.svelte.ts';
import { syncOutside } from './session/sync.svelte.ts';
import { Undo } from './session/undo.ts';
import type { ViewState } from './session/view-state.ts';
import { Forking } from './shell/forking.ts';
import { Openings } from './shell/openings.ts';
import { PLACE_NAMES } from './shell/place-names.ts';
import { Places } from './shell/places.svelte.ts';
import { stageTitleOf } from './shell/stage-title.ts';
import { whenNotKept } from './storage/kept.ts';
import { m } from './words/generated/messages.js';

export function createApp(core: CoreClient, window: Window): RunningApp {
  return new RunningApp(core, window);
}

/** The app as it runs, for the life of the page. */
export class RunningApp {
  readonly ringside: Ringside;
  readonly places: Places;
  readonly openings: Openings;
  readonly address: Address;
  readonly commands: Dispatcher;
  readonly forking: Forking;
  readonly windows: Windows;
  readonly newer: NewerPage;
  readonly frame: Frame;
  readonly #window: Window;
  readonly #embedding: Embedding | undefined;
  #ownNotices = $state.raw<readonly string[]>([]);
  #hasStarted = $state.raw(false);

  constructor(core: CoreClient, window: Window) {
    const { location, navigator } = window;
    const stored = keptChoices();
    const ringside = createRingside(core, new Settings(stored.choices));
    const { announcer, session, settings, view } = ringside;
    const notice = (sentence: string) => (this.#ownNotices = [...this.#ownNotices, sentence]);
    this.#window = window;
    this.ringside = ringside;
    this.places = new Places(ringside, () => this.commands);
    this.openings = new Openings(
      ...([ringside, this.places] as const),
      ...([() => this.commands, () => this.address] as const),
    );
    this.address = new Address(ringside, addressBar(window), {
      recording: (slug) => this.openings.recording(slug),
      scenario: (scenario) => this.openings.scenario(scenario),
      beside: (named) => this.openings.beside(named),
      lesson: (name, isWanted) => this.places.openLesson(name, isWanted),
    });
    const verbs = new Commands(ringside, this.address, {
      // Async, as a frame may have no clipboard at all.
      copy: async (text) => navigator.clipboard.writeText(text),
      link: () => `${location.href.replace(/[?#].*$/, '')}${this.address.fragment}`,
      simulate: (scenario) => this.openings.simulate(scenario),
      undo: () => (view.place === 'lab' ? this.address.undo() : undo.undo()),
      redo: () => (view.place === 'lab' ? this.address.redo() : undo.redo()),
      openWindow: () => this.windows.open(),
      leaveWindows: () => this.windows.leave(),
      turnLesson: (by) => this.#turnLesson(by),
    });
    this.commands = new Dispatcher(ringside, verbs);
    const arrive = (wanted: ViewState) => void this.address.arrive(wanted);
    const undo: Undo = new Undo(this.commands, arrive, ringside.playhead);
    this.forking = new Forking(ringside, this.commands, this.address, undo);
    keepSettings(this.commands, settings);
    guardCrashed(this.commands, session);
    this.windows = new Windows(ringside, this.commands, browserDesk(window), {
      show: (wanted) => this.address.visit(wanted),
      openOwn: (own) => this.openings.handedOver(own),
      step: () => this.lesson?.session.shown,
      say: (sentence) => announcer.say(sentence),
      notice,
    });
    this.frame = readFrame(location.search);
    const { isEmbedded, origin } = this.frame;
    if (isEmbedded) guardFrame(this.commands);
    this.#embedding =
      origin === undefined
        ? undefined
        : new Embedding(ringside, this.commands, (word) => window.parent.postMessage(word, origin));
    this.newer = new NewerPage(window);
    this.#ownNotices = [...stored.notices, ...this.frame.notices];
    whenNotKept(() => notice(m.settings_not_kept()));
  }

  /**
   * Connects it to the world outside of Svelte. Called once, while the app's component starts; each effect names
   * what it keeps in step.
   */
  sync(): void {
    const { session, settings, view } = this.ringside;
    syncOutside(this.ringside, this.address);

    // The server, which may have a newer page where a part of this one failed.
    $effect(() => {
      if (session.failure ?? session.crash) void this.newer.look();
    });

    // The other windows. One of them may show a lesson's step.
    $effect(() => this.windows.changed());
    $effect(() => {
      if (this.windows.step !== undefined) void this.places.need('lessons');
    });

    // The size of texts: a lesson that is presented is read from afar. On a phone there is no room for it.
    const hasRoom = new MediaQuery('width >= 48rem');
    $effect.pre(() => {
      const isRead = this.lesson !== undefined || this.windows.step !== undefined;
      settings.present(view.isStageAlone && isRead && hasRoom.current);
    });

    // The page around this one's frame.
    $effect(() => {
      if (this.#hasStarted) this.#embedding?.changed();
    });

    // The parts of the page: the shelf needs neither the core nor any other view, they come when they are asked for.
    $effect(() => void this.places.need(view.place));
  }

  /** Shows what the address says, then joins the other windows. */
  async start(): Promise<void> {
    await this.address.follow();
    this.#hasStarted = true;
    this.windows.join();
  }

  #turnLesson(by: 1 | -1): void {
    const lesson = this.lesson?.session;
    void (by > 0 ? lesson?.advance() : lesson?.back());
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The link to what is on the page. */
  get link(): string {
    return this.#window.location.pathname + this.address.fragment;
  }

  /** What the page has to say by itself and of its link, until it is put away. */
  readonly notices = $derived.by(() => [...this.#ownNotices, ...this.address.notices]);

  dismissNotices(): void {
    this.#ownNotices = [];
    this.address.dismissNotices();
  }

  /** The page right above a frame is heard if it is of the origin that the address names. */
  hear({ data, origin, source }: MessageEvent<unknown>): void {
    const { parent } = this.#window;
    if (source === parent && source !== this.#window && origin === this.frame.origin)
      this.#embedding?.hear(data);
  }

  /** The lesson that is shown beside the stage. */
  readonly lesson = $derived.by(() =>
    this.ringside.view.lesson === undefined ? undefined : this.places.lessons,
  );

  readonly isStage = $derived.by(() => {
    const { session, view } = this.ringside;
    return view.place === 'stage' && session.run !== undefined;
  });

  /** What the run on the stage, or on its way there, is called. */
  readonly stageTitle = $derived.by(() =>
    stageTitleOf(this.ringside.session, this.lesson?.session.lesson, this.address.coming),
  );

  /** What is shown is called. */
  readonly title = $derived.by(() =>
    this.isStage ? this.stageTitle : PLACE_NAMES[this.ringside.view.place]?.(),
  );

  /** The picture is the playhead's moment. A run that answers no more shows its last picture. */
  readonly isShown = $derived.by(() => {
    const { session } = this.ringside;
    return session.run === undefined || session.crash !== undefined || session.isUpToDate;
  });

  /** Nothing is under way: no import, no film, no frame still to come. */
  readonly isIdle = $derived.by(() => {
    const { beside, playhead, session, view } = this.ringside;
    return (
      this.#hasStarted &&
      (this.places.isStill(view.place) || (view.place === 'stage' && !this.isStage)) &&
      (session.opening ?? beside.opening) === undefined &&
      !session.isAsking &&
      this.address.isSettled &&
      !playhead.isRunning &&
      view.turn === undefined &&
      this.isShown &&
      (!this.isStage || session.isDrawn || session.crash !== undefined) &&
      this.lesson?.session.isBusy !== true
    );
  });
}
