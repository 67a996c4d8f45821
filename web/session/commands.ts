/**
 * The verbs a key or a button can ask for, joined over playhead, selection and view, each with
 * the sentence that tells what came of it. Keys and buttons so do exactly the same.
 */
import { RunGone, type StepKind } from '../core/run.ts';
import type { Piece } from '../core/told.ts';
import type { StageView } from '../core/stage-view.ts';
import { formatMoment, formatNumber, formatRoundNanos, formatScale } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import { offeredViews, VIEW_NAMES } from '../scene/views/offered.ts';
import type { Pacing } from './advance.ts';
import type { Address } from './address.svelte.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Ringside } from './context.ts';
import { nearest, SPEEDS } from './speed.ts';
import type { Theme } from './view-state.ts';
import { TEXT_SIZE } from './view.svelte.ts';
import { panned, zoomed } from './zoom.ts';

/** A fold that is opened takes about this much film. */
const SECONDS_FOR_A_FOLD = 5;

const PACINGS: readonly Pacing[] = ['told', 'true', 'event'];
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** What of the page around the state a command needs. */
export interface Page {
  readonly copy: (text: string) => Promise<void>;
  readonly link: () => string;
  readonly simulate: (scenario: string) => void;
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

  toggleLoop(): void {
    const { playhead, selection, view } = this.#ringside;
    const range = playhead.loop === undefined ? (selection.range ?? view.zoom) : undefined;
    const hasNothing = playhead.loop === undefined && range === undefined;
    playhead.loopRange(range);
    if (hasNothing) this.#announcer.say('Mark a range on the time line first, or zoom into one.');
    else if (range === undefined) this.#announcer.say('The loop is off.');
    else this.#announcer.say(`Looping ${formatRoundNanos(range.to - range.from)}.`);
  }

  /** Steps, and says in words where that led. */
  step(kind: StepKind, isForward: boolean): void {
    if (this.#ringside.view.place === 'stage') void this.#step(kind, isForward).catch(unlessGone);
  }

  toStart(): void {
    this.#seek(0);
  }

  toEnd(): void {
    this.#seek(this.#ringside.playhead.duration);
  }

  zoom(factor: number): void {
    const { view, playhead } = this.#ringside;
    view.setZoom(zoomed(view.zoom, playhead.duration, factor, playhead.time));
  }

  pan(share: number): void {
    const { view, playhead } = this.#ringside;
    view.setZoom(panned(view.zoom, playhead.duration, share));
  }

  zoomOut(): void {
    this.#ringside.view.setZoom(undefined);
  }

  /** The range begins at the playhead, and ends where it ended or at the end of the run. */
  rangeFromHere(): void {
    const { playhead, selection } = this.#ringside;
    const { time, duration } = playhead;
    const end = selection.range?.to ?? duration;
    this.#mark(time, time < end ? end : duration);
  }

  /** The range ends at the playhead, and begins where it began or at the start of the run. */
  rangeToHere(): void {
    const { playhead, selection } = this.#ringside;
    const start = selection.range?.from ?? 0;
    this.#mark(start < playhead.time ? start : 0, playhead.time);
  }

  zoomToRange(): void {
    const { selection, view } = this.#ringside;
    if (selection.range === undefined) this.#announcer.say('Mark a range on the time line first.');
    else view.setZoom(selection.range);
  }

  toggleFollow(): void {
    const { selection } = this.#ringside;
    if (selection.packet === undefined) {
      this.#announcer.say('Select a packet first.');
      return;
    }
    selection.setFollowing(!selection.isFollowing);
    this.#announcer.say(selection.isFollowing ? 'Following the packet.' : 'No longer following.');
  }

  letGo(): void {
    const { selection, view } = this.#ringside;
    if (view.isStageAlone) view.showStageAlone(false);
    else if (selection.packet !== undefined) selection.select(undefined);
    else selection.setRange(undefined);
  }

  /** The next of the views that have something to show in this run, or the one before. */
  turnStageView(by: 1 | -1): void {
    const { session, view } = this.#ringside;
    if (view.place !== 'stage' || session.run === undefined || !session.glossary) return;
    const offered = offeredViews(session.run, session.glossary, view.stageView);
    const at = offered.indexOf(view.stageView) + by + offered.length;
    this.showStageView(offered[at % offered.length] ?? 'way');
  }

  showStageView(stageView: StageView): void {
    this.#ringside.view.showStageView(stageView);
    this.#announcer.say(`The view: ${VIEW_NAMES[stageView]}.`);
  }

  toggleStageAlone(): void {
    const { view } = this.#ringside;
    if (view.place === 'stage') view.showStageAlone(!view.isStageAlone);
  }

  toggleTimeline(): void {
    const { view } = this.#ringside;
    if (view.place === 'stage') view.openTimeline(!view.isTimelineOpen);
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

  toggleLedger(): void {
    const { view, session } = this.#ringside;
    if (session.run === undefined) return;
    if (session.run.origin === 'simulated') {
      this.#announcer.say('A simulation was read from no file: it has no ledger.');
      return;
    }
    view.goTo('stage');
    view.showPanel(view.panel === 'ledger' ? 'inspect' : 'ledger');
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

  toggleHelp(): void {
    const { view } = this.#ringside;
    view.showHelp(!view.isHelpShown);
  }

  #play(change: () => void): void {
    const { playhead, view } = this.#ringside;
    if (view.place !== 'stage') return;
    change();
    const way = playhead.isReversed ? 'Playing backwards' : 'Playing';
    this.#announcer.say(
      playhead.isPlaying ? `${way}, ${formatScale(playhead.scale)}.` : `Paused at ${this.#now()}.`,
    );
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
    const packet = rows.packet[0] === step.packet ? `packet ${step.packet}, ` : '';
    this.#announcer.say(`${packet}${probe} at ${this.#now()}. ${rows.details[0] ?? ''}`.trim());
  }

  #mark(from: number, to: number): void {
    const { view, selection } = this.#ringside;
    if (view.place !== 'stage' || to <= from) return;
    selection.setRange({ from, to });
    this.#announcer.say(`A range of ${formatRoundNanos(to - from)} is marked.`);
  }

  #seek(time: number): void {
    const { playhead, view } = this.#ringside;
    if (view.place !== 'stage') return;
    playhead.seek(time);
    this.#announcer.say(this.#now());
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
