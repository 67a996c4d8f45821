/**
 * How a run comes to the stage: from the shelf, from files of the viewer's own, from a scenario, from a
 * lesson or from another window. What the viewer opens by hand passes the one door and makes an entry in
 * the history; what a link or another window names is opened as it is.
 */
import type { Address } from '../session/address.svelte.ts';
import type { Announcer } from '../session/announcer.svelte.ts';
import type { Ringside } from '../session/context.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import { brokeOff } from '../ledger/ledger.ts';
import { nameIn } from '../session/own-machines.svelte.ts';
import { isScenario } from '../session/view-state-forms.ts';
import {
  compacted,
  isTooLong,
  LONGEST_SCENARIO,
  readScenario,
  titleOf,
  writeScenario,
} from '../session/scenario.ts';
import { applyView, wholeView } from '../session/snapshot.ts';
import type { Excerpt } from '../core/core.ts';
import type { TooLarge } from '../session/too-large.ts';
import type { OwnFiles } from '../traces/own-files.ts';
import { fetchInputs, findRecording, type Recording } from '../traces/recordings.ts';
import type { Item } from '../traces/shelf.ts';
import { m } from '../words/generated/messages.js';
import { sayAlone } from '../words/say.ts';
import type { Places } from './places.svelte.ts';

/** Bytes that no machine file has, as the core will say: no more are read of a file that only ends like one. */
const LONGER_THAN_MACHINES = 1 << 20;

export class Openings {
  readonly #ringside: Ringside;
  readonly #places: Places;
  readonly #announcer: Announcer;
  /** Both are made after this. */
  readonly #commands: () => Dispatcher;
  readonly #address: () => Address;

  constructor(
    ringside: Ringside,
    places: Places,
    commands: () => Dispatcher,
    address: () => Address,
  ) {
    this.#ringside = ringside;
    this.#places = places;
    this.#announcer = ringside.announcer;
    this.#commands = commands;
    this.#address = address;
  }

  /** A recording of the shelf by its name; false where there is none, or it cannot be opened. */
  async recording(slug: string): Promise<boolean> {
    const recording = findRecording(slug);
    return recording !== undefined && (await this.#recording(recording));
  }

  /** Runs a scenario (compact JSON); false where it is refused. */
  scenario(scenario: string): Promise<boolean> {
    this.#toStage();
    return this.#ringside.session.simulate(scenario);
  }

  /** What a link names beside the run on the stage; nothing: what stands there is put away. */
  beside(named: string | undefined): Promise<boolean> {
    const { beside } = this.#ringside;
    const known = beside.source;
    if (named === undefined) {
      beside.close();
      return Promise.resolve(true);
    }
    const isThere =
      known?.kind === 'simulated' ? known.scenario : known?.kind === 'bundled' && known.slug;
    if (isThere === named) return Promise.resolve(true);
    if (isScenario(named)) return this.scenarioBeside(named);
    const recording = findRecording(named);
    return recording === undefined ? Promise.resolve(false) : this.#recordingBeside(recording);
  }

  /** Runs a scenario beside the run on the stage. */
  async scenarioBeside(scenario: string): Promise<boolean> {
    const { beside, session } = this.#ringside;
    // Without the catalogue it cannot be run either, and what stands beside says why.
    const title = await session.loadCatalogue().then(
      (catalogue) => titleOf(catalogue, scenario),
      () => m.session_a_scenario(),
    );
    return beside.simulate(scenario, title);
  }

  /**
   * Two scenarios, one beside the other; they play as soon as both are there, from where the first packet that
   * is in both parts, which both follow.
   */
  both(stage: string, second: string): void {
    const [here, there] = [stage, second].map((text) => compacted(text) ?? text);
    this.#byHand(
      () => this.scenario(here ?? stage),
      () =>
        void this.scenarioBeside(there ?? second).then(async (isThere) => {
          const { beside, view } = this.#ringside;
          if (!isThere || view.place !== 'stage') return;
          const pair = beside.firstPair;
          if (pair !== undefined) await this.#commands().follow(pair.packets[0], pair.at);
          this.#commands().effect('play.first', (to) => to.play());
        }),
    );
  }

  /** A recording or a scenario of the shelf, beside the run on the stage. */
  itemBeside(item: Item): void {
    if (item.kind === 'simulated')
      void this.scenarioBeside(compacted(item.scenario.text) ?? item.scenario.text);
    else void this.#recordingBeside(item.recording);
  }

  /** Files of the viewer's own, beside the run on the stage. */
  ownBeside({ inputs, source }: OwnFiles): void {
    void this.#ringside.beside.open(inputs, source);
  }

  #recordingBeside(recording: Recording): Promise<boolean> {
    const { slug, title } = recording;
    const source = { kind: 'bundled', slug, title } as const;
    return this.#ringside.beside.open(fetchInputs(recording), source);
  }

  /** A recording or a scenario of the shelf. */
  item(item: Item): void {
    const { promises } = item.kind === 'simulated' ? item.scenario : item.recording;
    const open = () =>
      item.kind === 'simulated'
        ? this.scenario(compacted(item.scenario.text) ?? item.scenario.text)
        : this.#recording(item.recording);
    this.#byHand(async () => (await open()) && this.#atPromised(promises));
  }

  /** Goes to what the card of the run on the stage promises, if the core finds it; true in any case. */
  async #atPromised(promises: readonly string[]): Promise<true> {
    const { findings, session } = this.#ringside;
    const { handle } = session;
    findings.load(handle, promises);
    await session.opensAfter(async () => {
      const [first] = await findings.known();
      if (session.handle !== handle || first === undefined || !promises.includes(first.kind))
        return;
      let begun: Promise<void> | undefined;
      this.#commands().effect('run.begin', (to) => {
        begun = to.beginAtFinding();
      });
      await begun;
    });
    return true;
  }

  /** What the start page offers first: opened, and playing; its way, whichever view was last looked at. */
  play(recording: Recording): void {
    this.#byHand(
      () => this.#recording(recording),
      () => {
        this.#commands().put('view.way', { stageView: 'way' });
        // As whoever presses play: the packet that is told of is followed.
        this.#commands().effect('play.first', (to) => to.playForward());
      },
    );
  }

  /** Files that the viewer picked, dropped or pasted. */
  own(own: OwnFiles): void {
    const [file, ...others] = own.inputs;
    const isMachine = others.length === 0 && file?.name.endsWith('.json') === true;
    if (isMachine && this.#ringside.view.place === 'lab') void this.machine(file.data);
    else void this.#wanted(own, () => this.#byHand(() => this.#own(own)));
  }

  /** A machine file: a choice of the Lab from now on, and the one in its form. */
  async machine(file: Blob): Promise<void> {
    const { session, draft } = this.#ringside;
    const text = await file
      .slice(0, LONGER_THAN_MACHINES)
      .text()
      .catch(() => undefined);
    if (text === undefined) {
      session.machines.couldNotRead();
      return;
    }
    const isTaken = await session.machines.add(text, (all) => session.loadMachines(all));
    if (!isTaken || session.catalogue === undefined) return;
    const { changed } = await import('../lab/form.ts');
    const scenario = readScenario(draft.scenario ?? '{}');
    const next = changed(session.catalogue, scenario, { machine: nameIn(text) });
    const written = writeScenario(next);
    if (isTooLong(written)) this.#announcer.refuse(m.lab_too_long({ most: LONGEST_SCENARIO }));
    else this.#address().change(() => draft.set(written));
  }

  /** Of files that would not fit, what the viewer chose. */
  part({ inputs, title }: TooLarge, excerpt: Excerpt): void {
    this.own({ inputs, source: { kind: 'own', title, excerpt } });
  }

  /** Files that another window hands over. */
  async handedOver(own: OwnFiles): Promise<void> {
    await this.#wanted(own, () => this.#arriving(() => this.#own(own)));
  }

  /** A scenario from the form or the shelf; what was refused comes into the form. */
  simulate(text: string): void {
    const scenario = compacted(text) ?? text;
    this.#byHand(
      () => this.scenario(scenario),
      undefined,
      () => this.#ringside.draft.set(scenario),
    );
  }

  /** A lesson from its first step, or from where it was left. */
  lesson(id: string): void {
    this.#commands().effect('run.lesson', () => {
      void this.#arriving((isWanted) => this.#places.beginLesson(id, isWanted));
    });
  }

  /** After its worker broke down: the same run, at the same moment. */
  async reopen(): Promise<void> {
    const wanted = wholeView(this.#ringside);
    if (await this.#ringside.session.reopen()) applyView(this.#ringside, wanted);
  }

  /** Opens files that can be opened, or of which only opening them tells. */
  async #wanted({ inputs, source }: OwnFiles, open: () => unknown): Promise<void> {
    if (await this.#ringside.session.wants(inputs, source.title)) await open();
  }

  #recording(recording: Recording): Promise<boolean> {
    this.#toStage();
    const { slug, title } = recording;
    return this.#ringside.session.open(fetchInputs(recording), { kind: 'bundled', slug, title });
  }

  #own({ inputs, source }: OwnFiles): Promise<boolean> {
    this.#toStage();
    return this.#ringside.session.open(inputs, source);
  }

  /** What is opened next is no part of a lesson, and needs the stage. */
  #toStage(): void {
    const { view } = this.#ringside;
    if (view.lesson !== undefined) {
      view.showLesson(undefined);
      view.showStageView('way');
    }
    void this.#places.need('stage');
  }

  #byHand(open: () => Promise<boolean>, then?: () => void, otherwise?: () => void): void {
    this.#commands().effect('run.open', () => {
      void this.#arriving(open).then((isOpen) => {
        if (!isOpen) return otherwise?.();
        this.#announcer.say(this.#isOpen());
        then?.();
      });
    });
  }

  /** That it is open, and why that is not all of the file where it breaks off. */
  #isOpen(): string {
    const { source, run } = this.#ringside.session;
    const broke = run && brokeOff(run.ledger);
    const open = m.app_open({ title: source?.title ?? '' });
    return broke ? `${open} ${sayAlone(broke)}` : open;
  }

  /** Opens, and goes to what was opened with an entry in the history. */
  async #arriving(open: (isWanted: () => boolean) => Promise<boolean>): Promise<boolean> {
    const { isWanted, arrive } = this.#address().opening();
    // What was said of the run before does not hold for this one.
    this.#announcer.say('');
    const isOpen = await open(isWanted);
    if (isOpen) arrive();
    return isOpen;
  }
}
