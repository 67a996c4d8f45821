/**
 * The effects of commands beyond changing the view: play, step, navigate, copy a link. Each announces its
 * result in a sentence. Only the dispatcher calls these methods.
 */
import { NONE, type Nanos, type PacketId } from '../core/core.ts';
import { unlessGone, type StepKind } from '../core/run.ts';
import type { Piece, Told } from '../core/told.ts';
import { around } from '../scene/timeline/things.ts';
import { formatMoment, formatNumber, formatShare } from '../numbers/format.ts';
import { scaleText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { say } from '../words/say.ts';
import { PACINGS } from './advance.ts';
import type { Address } from './address.svelte.ts';
import type { Announcer } from './announcer.svelte.ts';
import { NO_STEP, THEME_SAID } from './command-words.ts';
import type { Ringside } from './context.ts';
import { standBefore } from './finding-film.ts';
import { nearest, SPEEDS } from './speed.ts';
import { TEXT_SIZE, THEMES, type Choices } from './choices.ts';
import type { Place } from './view-state.ts';
import type { Asks } from './view.svelte.ts';

/** Film in seconds that an unfolded stretch takes. */
const SECONDS_FOR_A_FOLD = 5;

/** The parts of the page that commands need besides the state. */
export interface Page {
  readonly copy: (text: string) => Promise<void>;
  readonly link: () => string;
  readonly simulate: (scenario: string) => void;
  /** Undoes the last change of the view, or redoes it; false if there is none. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
  /** Opens a second window in step with this one; false if the browser refuses. */
  readonly openWindow: () => boolean;
  /** Leaves the group of windows; false if there are no others. */
  readonly leaveWindows: () => boolean;
  /** Goes on in the lesson, or back. */
  readonly turnLesson: (by: 1 | -1) => void;
}

/** The state of the film that is not part of a view. */
export interface FilmRuns {
  readonly isPlaying: boolean;
  readonly isReversed: boolean;
  readonly pace: number;
  /** The time at which a question holds the film. */
  readonly heldAt?: Nanos | undefined;
}

export class Commands {
  readonly #ringside: Ringside;
  readonly #address: Address;
  readonly #announcer: Announcer;
  readonly #page: Page;

  constructor(ringside: Ringside, address: Address, page: Page) {
    this.#ringside = ringside;
    this.#address = address;
    this.#announcer = ringside.announcer;
    this.#page = page;
  }

  toggle(): void {
    this.#play(() => this.#ringside.playhead.toggle());
  }

  playBack(): void {
    const { playhead } = this.#ringside;
    this.#play(() => {
      if (playhead.isPlaying && playhead.isReversed) playhead.pause();
      else playhead.play(true);
    });
  }

  playForward(): void {
    const { playhead } = this.#ringside;
    this.#play(() => {
      if (playhead.isPlaying && !playhead.isReversed) playhead.pause();
      else playhead.play();
    });
  }

  /** Plays on from here, whichever packet is followed. */
  play(): void {
    this.#ringside.playhead.play();
  }

  pause(): void {
    this.#ringside.playhead.pause();
  }

  /** Goes to a moment of told film, in seconds; within a dwell the run's time is ambiguous. */
  seekFilm(film: number): void {
    this.#ringside.playhead.seekFilm(film);
  }

  /** Plays told film from here at a multiple of its own speed. */
  tell(pace: number): void {
    const { playhead } = this.#ringside;
    playhead.setPacing('told');
    playhead.setPace(pace);
    playhead.play();
  }

  /** Replaces the told film by one of a packet, or of a typical one. */
  takeTold(told: Told, focus: PacketId | undefined): void {
    this.#ringside.playhead.takeTold(told, focus);
  }

  /** Runs the film as in another window. */
  runFilm({ isPlaying, isReversed, pace, heldAt }: FilmRuns): void {
    const { playhead } = this.#ringside;
    playhead.hold(heldAt);
    playhead.setPace(pace);
    if (!isPlaying) playhead.pause();
    else if (!playhead.isPlaying || playhead.isReversed !== isReversed) playhead.play(isReversed);
  }

  /** Shows what this window shows in a second one, which stays in step. */
  openWindow(): void {
    if (!this.#page.openWindow()) this.#announcer.refuse(m.said_window_blocked());
  }

  leaveWindows(): void {
    const isLeft = this.#page.leaveWindows();
    this.#announcer.say(isLeft ? m.said_window_left() : m.said_window_none());
  }

  /** Puts the lesson's step into the address; `undefined`: no lesson is in progress. */
  nameStep(step: string | undefined): void {
    this.#ringside.view.showLesson(step);
  }

  /** To what comes next in the lesson, or to the step before. */
  turnLesson(by: 1 | -1): void {
    this.#page.turnLesson(by);
  }

  /** The screen is black until a key brings it back, and nothing goes on meanwhile. */
  blank(): void {
    this.#ringside.playhead.pause();
    this.#ringside.view.blank(true);
  }

  faster(): void {
    this.#ringside.playhead.faster();
    this.#sayPace();
  }

  slower(): void {
    this.#ringside.playhead.slower();
    this.#sayPace();
  }

  togglePacing(): void {
    const { playhead } = this.#ringside;
    const next = PACINGS[(PACINGS.indexOf(playhead.pacing) + 1) % PACINGS.length] ?? 'told';
    playhead.setPacing(next);
    this.#sayPace();
  }

  /** Plays a folded stretch to scale, in a few seconds of film. */
  unfold({ time, timeEnd }: Piece): void {
    const { playhead } = this.#ringside;
    playhead.setPacing('true');
    playhead.setSpeed(nearest(SPEEDS, (timeEnd - time) / SECONDS_FOR_A_FOLD));
    playhead.seek(time);
    playhead.play();
    this.#sayPace();
  }

  /** Steps, and announces the target. */
  step(kind: StepKind, isForward: boolean): void {
    if (this.#ringside.view.place === 'stage') void this.#step(kind, isForward).catch(unlessGone);
  }

  /**
   * To the moment of a finding: follows its packet, in the view that shows it best. Told film plays it,
   * from a little before.
   */
  showFinding(place: number): void {
    const { findings, playhead, session } = this.#ringside;
    if (playhead.heldAt !== undefined) {
      this.#announcer.refuse(m.lesson_question_first());
      return;
    }
    const found = findings.choose(place);
    if (found === undefined) {
      this.#announcer.refuse(m.said_no_such_finding());
      return;
    }
    const play = (isThere: boolean) => isThere && playhead.play();
    void standBefore(found, this.#ringside).then(play).catch(unlessGone);
    const { glossary, run: opened } = session;
    if (glossary && opened) this.#announcer.tell('finding', say(found.title, { glossary, opened }));
  }

  /** Stands shortly before the first finding, paused: what is opened begins where its card says that something happens. */
  async beginAtFinding(): Promise<void> {
    const found = this.#ringside.findings.choose(0);
    if (found !== undefined) await standBefore(found, this.#ringside).catch(unlessGone);
  }

  /** Goes to the next finding in the order of the list, or to the previous one. */
  turnFinding(by: 1 | -1): void {
    this.showFinding(this.#ringside.findings.beside(by));
  }

  /** Goes to the next place where the two runs part, the previous one, or with 0 the first. */
  turnParting(by: 1 | 0 | -1): void {
    const { beside, playhead, selection } = this.#ringside;
    const parting = beside.turn(by, playhead.time);
    if (parting === undefined) {
      this.#announcer.refuse(m.said_no_parting());
      return;
    }
    const [packet] = parting.packets;
    if (packet === undefined) selection.select(undefined);
    else selection.followPacket(packet);
    playhead.pause();
    playhead.seek(Math.max(0, parting.at));
  }

  /** Closes the second run. */
  closeBeside(): void {
    this.#ringside.beside.close();
  }

  /** Lets a moment be typed; with the stage alone there is no field for it. */
  askTime(): void {
    const { view } = this.#ringside;
    view.showStageAlone(false);
    view.ask('time');
  }

  askSearch(): void {
    this.#ringside.view.ask('search');
  }

  /** Opens the field for a note at this moment, or for editing an existing one. */
  askNote(): void {
    this.#ringside.playhead.pause();
    this.#ringside.view.ask('note');
  }

  /** Announces the result of a request to the core. */
  say(sentence: string): void {
    this.#announcer.say(sentence);
  }

  /** The time line shows what was chosen: the marked range, the packet's journey, or the finding. */
  zoomToChosen(): void {
    void this.#zoomToChosen().catch(unlessGone);
  }

  /** Changes a setting of the viewer: stored in this browser, in no link. */
  choose(choices: Partial<Choices>): void {
    this.#ringside.settings.choose(choices);
  }

  resizeText(steps: number): void {
    const { settings } = this.#ringside;
    this.choose({ textSize: settings.choices.textSize + steps * TEXT_SIZE.step });
    this.#announcer.say(m.said_text_size({ size: formatShare(settings.choices.textSize, 1) }));
  }

  toggleHall(): void {
    const isHall = this.#ringside.settings.toggleHall();
    this.#announcer.say(isHall ? m.said_hall_on() : m.said_hall_off());
  }

  goTo(place: Place): void {
    this.#address.goTo(place);
  }

  togglePlace(): void {
    const { view, session } = this.#ringside;
    if (session.run !== undefined) this.#address.goTo(view.place === 'stage' ? 'traces' : 'stage');
  }

  /** Goes to the Lab; from a simulation, with its scenario in the form. */
  toLab(): void {
    const { session, view, draft } = this.#ringside;
    const source = view.place === 'stage' ? session.source : undefined;
    this.#address.goTo('lab', () => {
      if (source?.kind === 'simulated') draft.load(source.scenario);
    });
  }

  /** Runs the scenario in the Lab's form. */
  runScenario(): void {
    const { view, draft, session } = this.#ringside;
    if (view.place !== 'lab' || draft.scenario === undefined || session.opening) return;
    this.#page.simulate(draft.scenario);
  }

  share(): void {
    this.#page.copy(this.#page.link()).then(
      () => this.#announcer.say(m.said_link_copied()),
      () => this.#announcer.say(m.said_link_not_copied()),
    );
  }

  nextTheme(): void {
    const { theme } = this.#ringside.settings.choices;
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    this.choose({ theme: next });
    this.#announcer.say(THEME_SAID[next]());
  }

  undo(): void {
    if (!this.#page.undo()) this.#announcer.refuse(m.said_nothing_to_undo());
  }

  redo(): void {
    if (!this.#page.redo()) this.#announcer.refuse(m.said_nothing_to_redo());
  }

  /** Opens a dialog over the page, or closes it if it is open. */
  toggleDialog(dialog: Asks): void {
    this.#ringside.view.toggle(dialog);
  }

  #play(change: () => void): void {
    const { playhead, selection, view } = this.#ringside;
    if (view.place !== 'stage') return;
    change();
    // Told film is about a packet: pressing play follows it, until the viewer lets go.
    if (playhead.isPlaying && playhead.pacing === 'told') selection.setFollowing(true);
    this.#announcer.say(
      playhead.isPlaying ? playingText(playhead) : m.said_paused({ time: this.#now() }),
    );
  }

  async #step(kind: StepKind, isForward: boolean): Promise<void> {
    const { playhead, session } = this.#ringside;
    const { handle, glossary } = session;
    if (!handle) return;
    const step = await playhead.step(kind, isForward);
    if (step === 'moved') return;
    if (step === undefined) {
      const isAsked = isForward && playhead.heldAt !== undefined;
      const none = NO_STEP[kind][isForward ? 'after' : 'before'];
      this.#announcer.refuse(isAsked ? m.lesson_question_first() : none());
      return;
    }
    const rows = await handle.events(step.event, 1);
    if (session.handle !== handle) return;
    const probe = glossary?.probes[rows.probe[0] ?? -1]?.name ?? kind;
    const at = { probe, time: this.#now() };
    const isOfPacket = step.packet !== NONE && rows.packet[0] === step.packet;
    const sentence = isOfPacket
      ? m.said_step_packet({ ...at, packet: rows.name[0] ?? '' })
      : m.said_step(at);
    this.#announcer.say(`${sentence} ${rows.details[0] ?? ''}`.trim());
  }

  /** Plays the film of the packet that a finding is about, until its journey ends. */
  async #zoomToChosen(): Promise<void> {
    const { findings, playhead, selection, session, view } = this.#ringside;
    const { handle } = session;
    const packet = selection.packet ?? (playhead.pacing === 'told' ? playhead.actor : undefined);
    if (handle === undefined) return;
    const journey = async () => {
      if (packet === undefined) return undefined;
      const { start, end } = await handle.journey(packet);
      return { from: start, to: end };
    };
    const chosen = selection.range ?? (await journey()) ?? findings.all[findings.chosen ?? -1];
    if (session.handle !== handle) return;
    if (chosen === undefined) this.#announcer.refuse(m.said_nothing_chosen());
    else view.setZoom(around(chosen, playhead.duration));
  }

  #sayPace(): void {
    const { pacing, pace, rate, speed } = this.#ringside.playhead;
    if (pacing === 'told') this.#announcer.say(m.transport_told_at({ pace: formatNumber(pace) }));
    else if (pacing === 'true') this.#announcer.say(scaleText(speed));
    else this.#announcer.say(m.transport_events_a_second({ rate: formatNumber(rate) }));
  }

  #now(): string {
    const { time, duration } = this.#ringside.playhead;
    return formatMoment(time, duration);
  }
}

/** That film runs, which way, and at which scale; told film has no one scale, the transport shows that of the moment. */
function playingText({ pacing, isReversed, scale }: Ringside['playhead']): string {
  if (pacing === 'told') return isReversed ? m.said_playing_back() : m.said_playing();
  const at = { scale: scaleText(scale) };
  return isReversed ? m.said_playing_back_at(at) : m.said_playing_at(at);
}
