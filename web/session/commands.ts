/**
 * What commands do beyond changing the view: play, step, go to another place, copy a link. Each says
 * in a sentence what came of it. Only the dispatcher calls these verbs.
 */
import { RunGone, type StepKind } from '../core/run.ts';
import type { Piece } from '../core/told.ts';
import { formatMoment, formatNumber, formatScale } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import type { Pacing } from './advance.ts';
import type { Address } from './address.svelte.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Ringside } from './context.ts';
import { nearest, SPEEDS } from './speed.ts';
import type { Theme } from './view-state.ts';
import { TEXT_SIZE } from './view.svelte.ts';

/** A fold that is opened takes about this much film. */
const SECONDS_FOR_A_FOLD = 5;

/** Told film comes to a finding, so that one sees it happen. */
const SECONDS_BEFORE_A_FINDING = 1;

const PACINGS: readonly Pacing[] = ['told', 'true', 'event'];
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** What of the page around the state a command needs. */
export interface Page {
  readonly copy: (text: string) => Promise<void>;
  readonly link: () => string;
  readonly simulate: (scenario: string) => void;
  /** Takes back the last change of the view, or does it again; false where there is none. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
}

export class Commands {
  readonly #ringside: Ringside;
  readonly #address: Address;
  readonly #announcer: Announcer;
  readonly #page: Page;

  constructor(ringside: Ringside, address: Address, announcer: Announcer, page: Page) {
    this.#ringside = ringside;
    this.#address = address;
    this.#announcer = announcer;
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

  /** Plays a fold true to scale, in a few seconds of film. */
  unfold({ time, timeEnd }: Piece): void {
    const { playhead } = this.#ringside;
    playhead.setPacing('true');
    playhead.setSpeed(nearest(SPEEDS, (timeEnd - time) / SECONDS_FOR_A_FOLD));
    playhead.seek(time);
    playhead.play();
    this.#sayPace();
  }

  /** Steps, and says in words where that led. */
  step(kind: StepKind, isForward: boolean): void {
    if (this.#ringside.view.place === 'stage') void this.#step(kind, isForward).catch(unlessGone);
  }

  /**
   * To the moment of a finding: follows its packet, in the view that shows it best. Told film plays it,
   * from a little before.
   */
  showFinding(place: number): void {
    const { findings, playhead, selection, view } = this.#ringside;
    const found = findings.choose(place);
    if (found === undefined) {
      this.#announcer.say(m.said_no_such_finding());
      return;
    }
    if (found.packet === undefined) selection.select(undefined);
    else selection.followPacket(found.packet);
    view.showStageView(found.view);
    playhead.pause();
    playhead.seek(found.moment);
    if (playhead.pacing !== 'told') return;
    playhead.seekFilm(playhead.film - SECONDS_BEFORE_A_FINDING);
    playhead.play();
  }

  /** To the next finding in the order of the list, or the one before. */
  turnFinding(by: 1 | -1): void {
    this.showFinding(this.#ringside.findings.beside(by));
  }

  resizeText(steps: number): void {
    const { view } = this.#ringside;
    view.setTextSize(view.textSize + steps * TEXT_SIZE.step);
    this.#announcer.say(`Text at ${Math.round(view.textSize * 100)} %.`);
  }

  toggleHall(): void {
    const { view } = this.#ringside;
    view.setHall(!view.isHall);
    this.#announcer.say(view.isHall ? 'For the hall: larger and stronger.' : 'For the desk again.');
  }

  togglePlace(): void {
    const { view, session } = this.#ringside;
    if (session.run !== undefined) this.#address.goTo(view.place === 'stage' ? 'traces' : 'stage');
  }

  /** To the Lab; from a simulation with its scenario in the form. */
  toLab(): void {
    const { session, view, draft } = this.#ringside;
    if (view.place === 'stage' && session.source?.kind === 'simulated') {
      draft.set(session.source.scenario);
    }
    this.#address.goTo('lab');
  }

  /** Runs what is in the Lab's form. */
  runScenario(): void {
    const { view, draft, session } = this.#ringside;
    if (view.place !== 'lab' || draft.scenario === undefined || session.opening) return;
    this.#page.simulate(draft.scenario);
  }

  share(): void {
    this.#page.copy(this.#page.link()).then(
      () => this.#announcer.say('The link to this view is copied.'),
      () =>
        this.#announcer.say(
          'The browser did not let the link be copied; it is in the address bar.',
        ),
    );
  }

  nextTheme(): void {
    const { view } = this.#ringside;
    const next = THEMES[(THEMES.indexOf(view.theme) + 1) % THEMES.length] ?? 'system';
    view.setTheme(next);
    this.#announcer.say(next === 'system' ? 'Theme as the system says.' : `The ${next} theme.`);
  }

  undo(): void {
    if (!this.#page.undo()) this.#announcer.say(m.said_nothing_to_undo());
  }

  redo(): void {
    if (!this.#page.redo()) this.#announcer.say(m.said_nothing_to_redo());
  }

  toggleHelp(): void {
    const { view } = this.#ringside;
    view.showHelp(!view.isHelpShown);
  }

  #play(change: () => void): void {
    const { playhead, selection, view } = this.#ringside;
    if (view.place !== 'stage') return;
    change();
    // Told film is about somebody: whoever presses play follows them, until they let go.
    if (playhead.isPlaying && playhead.pacing === 'told') selection.setFollowing(true);
    const way = playhead.isReversed ? 'Playing backwards' : 'Playing';
    // Told film has no one scale; the transport shows that of the moment.
    const scale = playhead.pacing === 'told' ? '' : `, ${formatScale(playhead.scale)}`;
    this.#announcer.say(playhead.isPlaying ? `${way}${scale}.` : `Paused at ${this.#now()}.`);
  }

  async #step(kind: StepKind, isForward: boolean): Promise<void> {
    const { playhead, session } = this.#ringside;
    const { handle, glossary } = session;
    if (handle === undefined) return;
    const step = await playhead.step(kind, isForward);
    if (step === undefined) {
      this.#announcer.say(`No ${kind} ${isForward ? 'after' : 'before'} this.`);
      return;
    }
    const rows = await handle.events(step.event, 1);
    if (session.handle !== handle) return;
    const probe = glossary?.probes[rows.probe[0] ?? -1]?.name ?? kind;
    const packet = rows.packet[0] === step.packet ? `packet ${rows.name[0] ?? ''}, ` : '';
    this.#announcer.say(`${packet}${probe} at ${this.#now()}. ${rows.details[0] ?? ''}`.trim());
  }

  #sayPace(): void {
    const { playhead } = this.#ringside;
    const { pacing, pace, rate, speed } = playhead;
    if (pacing === 'told') this.#announcer.say(m.transport_told_at({ pace: formatNumber(pace) }));
    else if (pacing === 'true') this.#announcer.say(formatScale(speed));
    else this.#announcer.say(m.transport_events_a_second({ rate: formatNumber(rate) }));
  }

  #now(): string {
    const { time, duration } = this.#ringside.playhead;
    return formatMoment(time, duration);
  }
}

/** A question about a run that has left the stage needs no answer. */
function unlessGone(error: unknown): void {
  if (!(error instanceof RunGone)) throw error;
}
