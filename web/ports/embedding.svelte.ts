/**
 * Ringside in a frame of another page: the stage, its caption and the transport, without the shelf. A
 * port on the dispatcher, by which that page may play, step and show, and hears what is to be seen.
 *
 * Anybody can put any page into a frame. So the address says whose frame it is (`?embed=ORIGIN`): only
 * the page right above, of that origin, is heard, and only that origin is told anything. With `?embed`
 * alone nothing is heard or told. Files of the viewer's own are never taken here, so there is nothing
 * of theirs to tell; answers in lessons are not told.
 */
import { untrack } from 'svelte';
import type { Opened } from '../core/core.ts';
import { unlessGone } from '../core/run.ts';
import type { StageView } from '../core/stage-view.ts';
import { offeredViews } from '../scene/views/offered.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import { holdSame } from '../session/same.ts';
import { takeView } from '../session/snapshot.ts';
import { patched } from '../session/view-changes.ts';
import { serialiseViewState } from '../session/view-state.ts';
import { patchOf, readOrder, type Order, type State, type Word } from './embed-message.ts';

/** While film runs it is told so many times a second. */
const TOLD_A_SECOND = 4;

/** A state without what moves while film runs. The link says more than the state does: what differs in it alone is no news. */
type Still = Omit<State, 'time' | 'link'>;

const NO_STEP = 'kind: from here there is none of it that way';

export class Embedding {
  readonly #ringside: Ringside;
  readonly #commands: Dispatcher;
  readonly #tell: (word: Word) => void;
  readonly #atNextFrame: (task: () => void) => void;
  /** A seek was done since the last frame, and perhaps another came. */
  #sought: { latest?: Order | undefined } | undefined;
  #told: { readonly still: Still; readonly moment: number } | undefined;
  /** What is told beside the moment; nothing where there is nothing to tell. */
  readonly #still: Still | undefined = $derived.by(() => {
    const { findings, playhead, selection, session, view } = this.#ringside;
    const { run, source } = session;
    if (run === undefined || source === undefined || view.place !== 'stage') return undefined;
    return {
      ringside: 1,
      is: 'state',
      isPlaying: playhead.isPlaying,
      duration: run.duration,
      title: source.title,
      origin: run.origin,
      view: view.stageView,
      ...(selection.packet === undefined ? {} : { packet: selection.packet }),
      ...(findings.chosen === undefined ? {} : { finding: findings.chosen + 1 }),
      ...(view.lesson === undefined ? {} : { lesson: view.lesson }),
    };
  });
  /** The moment; while film runs only so many times a second. */
  readonly #moment: number = $derived.by(() => {
    const { playhead } = this.#ringside;
    return playhead.beat(TOLD_A_SECOND) ?? Math.floor(playhead.time);
  });

  /**
   * @param tell says something to the page above
   * @param atNextFrame does something when the next frame is drawn
   */
  constructor(
    ringside: Ringside,
    commands: Dispatcher,
    tell: (word: Word) => void,
    atNextFrame = (task: () => void) => ringside.clock.atNextFrame(task),
  ) {
    this.#ringside = ringside;
    this.#commands = commands;
    this.#tell = tell;
    this.#atNextFrame = atNextFrame;
  }

  /** The page above has said something. */
  hear(data: unknown): void {
    const read = readOrder(data);
    if (read === undefined) return;
    if ('why' in read) this.#refuse(read.why);
    else if (read.order.do === 'seek') this.#seek(read.order);
    else {
      // It may be about where the last seek leads.
      this.#seekLatest();
      this.#carryOut(read.order);
    }
  }

  /** The first seek since the last frame is done at once. Of those that come before the next only the last can be seen. */
  #seek(order: Order): void {
    if (this.#sought !== undefined) {
      this.#sought.latest = order;
      return;
    }
    this.#sought = {};
    this.#atNextFrame(() => {
      this.#seekLatest();
      this.#sought = undefined;
    });
    this.#carryOut(order);
  }

  #seekLatest(): void {
    const latest = this.#sought?.latest;
    if (latest === undefined) return;
    this.#sought = {};
    this.#carryOut(latest);
  }

  #carryOut(order: Order): void {
    const why = this.#refusal(order);
    if (why !== undefined) this.#refuse(why);
  }

  #refuse(why: string): void {
    this.#tell({ ringside: 1, is: 'refused', why });
  }

  /** Something may have changed: tells it, if it has. */
  changed(): void {
    const [still, moment] = [this.#still, this.#moment];
    if (still === undefined || holdSame(this.#told, { still, moment })) return;
    this.#told = { still, moment };
    untrack(() => {
      const time = Math.floor(this.#ringside.playhead.time);
      this.#tell({ ...still, time, link: this.#link() });
    });
  }

  /** Carries an order out; answers with why not, where it is not. */
  #refusal(order: Order): string | undefined {
    const { session, view } = this.#ringside;
    if (session.run === undefined || view.place !== 'stage') return 'there is no run on the stage';
    if (order.do === 'tell') {
      this.#told = undefined;
      this.changed();
      return undefined;
    }
    const why = order.do === 'show' ? this.#missing(order, session.run) : undefined;
    if (why !== undefined) return why;
    return this.#isDone(order) ? undefined : 'this is not to be done now';
  }

  /** What of an order to show the run does not have. */
  #missing(
    { packet, range, loop, view: wanted }: Extract<Order, { do: 'show' }>,
    { duration, journeys }: Opened,
  ): string | undefined {
    if ((packet ?? 0) >= journeys.total) return 'packet: this run has no such packet';
    if (wanted !== undefined && !this.#isOffered(wanted))
      return 'view: this run has nothing to show there';
    for (const [name, stretch] of Object.entries({ range, loop })) {
      if (stretch === undefined || stretch === null) continue;
      if (stretch.from >= stretch.to) return `${name}: from has to be before to`;
      if (stretch.from >= duration) return `${name}: it begins after the end of this run`;
    }
    return undefined;
  }

  #isOffered(wanted: StageView): boolean {
    const { session, view } = this.#ringside;
    const { run, glossary } = session;
    return run !== undefined && glossary !== undefined
      ? offeredViews(run, glossary, view.stageView).includes(wanted)
      : false;
  }

  #isDone(order: Exclude<Order, { do: 'tell' }>): boolean {
    const { findings, playhead } = this.#ringside;
    switch (order.do) {
      case 'play':
        return playhead.isPlaying || this.#commands.do('play.forward');
      case 'pause':
        return this.#commands.effect('play.pause', (to) => to.pause());
      case 'seek':
        return this.#commands.seek(order.time);
      case 'step': {
        // Whether there is one, the core has to be asked.
        const found = playhead.stepFrom(order.kind, order.back !== true);
        void found.then((step) => step ?? this.#refuse(NO_STEP), unlessGone);
        return this.#commands.do(`step.${order.kind}.${order.back === true ? 'previous' : 'next'}`);
      }
      case 'finding': {
        const { number } = order;
        if (findings.all[number - 1] === undefined) return false;
        return this.#commands.effect('finding.show', (to) => to.showFinding(number - 1));
      }
      case 'show':
        return this.#commands.put('embed.show', patchOf(order));
    }
  }

  /** What shows this moment again; what the viewer has written is not told. */
  #link(): string {
    return `#${serialiseViewState(patched(takeView(this.#ringside), { notes: undefined }))}`;
  }
}
