/**
 * Ringside in a frame of another page: the stage, its caption and the transport, without the shelf. A
 * port on the dispatcher, by which that page may play, step and show, and hears what is to be seen.
 *
 * Anybody can put any page into a frame. So the address says whose frame it is (`?embed=ORIGIN`): only
 * the page right above, of that origin, is heard, and only that origin is told anything. With `?embed`
 * alone nothing is heard or told. Files of the viewer's own are never taken here, so there is nothing
 * of theirs to tell; answers in lessons are not told.
 */
import type { StageView } from '../core/stage-view.ts';
import { offeredViews } from '../scene/views/offered.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import { holdSame } from '../session/same.ts';
import { takeView } from '../session/snapshot.ts';
import { patched } from '../session/view-changes.ts';
import { serialiseViewState } from '../session/view-state.ts';
import { m } from '../words/generated/messages.js';
import { patchOf, readOrder, type Order, type State, type Word } from './embed-message.ts';

/** How the page was asked to be shown. */
export interface Frame {
  /** Without the shelf, the header and the panels. */
  readonly isEmbedded: boolean;
  /** The origin of the page that may speak. */
  readonly origin: string | undefined;
  /** What of it could not be taken as it stood. */
  readonly notice: string | undefined;
}

/** What the address says before its fragment: `?embed=https://course.example`. */
export function readFrame(search: string): Frame {
  const given = new URLSearchParams(search).get('embed');
  if (given === null) return { isEmbedded: false, origin: undefined, notice: undefined };
  if (given === '') return { isEmbedded: true, origin: undefined, notice: undefined };
  return /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given
    ? { isEmbedded: true, origin: given, notice: undefined }
    : { isEmbedded: true, origin: undefined, notice: m.embed_no_origin() };
}

/** Of the whole page, not of a frame in it: these commands lead away from the stage. */
const LEADS_AWAY =
  /^(?:page\.(?:traces|lessons|papers|lab|go|palette)|lab\b|run\b|window\.|panel\b|ledger\b)/;
/** While film runs it is told so many times a second. */
const TOLD_A_SECOND = 4;

export class Embedding {
  readonly #ringside: Ringside;
  readonly #commands: Dispatcher;
  readonly #tell: (word: Word) => void;
  #told: { readonly state: State; readonly beat: number } | undefined;

  /** @param tell says something to the page above */
  constructor(ringside: Ringside, commands: Dispatcher, tell: (word: Word) => void) {
    this.#ringside = ringside;
    this.#commands = commands;
    this.#tell = tell;
  }

  /** The page above has said something. */
  hear(data: unknown): void {
    const read = readOrder(data);
    if (read === undefined) return;
    const why = 'why' in read ? read.why : this.#refusal(read.order);
    if (why !== undefined) this.#tell({ ringside: 1, is: 'refused', why });
  }

  /** Something may have changed: tells it, if it has. */
  changed(): void {
    const now = this.#now();
    if (now === undefined) return;
    const { state, beat } = now;
    const before = this.#told;
    const isMoved = state.isPlaying ? beat !== before?.beat : state.time !== before?.state.time;
    if (before !== undefined && !isMoved && holdSame(still(before.state), still(state))) return;
    this.#told = now;
    this.#tell(state);
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
    if (order.do === 'show') {
      const { packet, view: wanted } = order;
      if ((packet ?? 0) >= session.run.journeys.total) return 'packet: this run has no such packet';
      if (wanted !== undefined && !this.#isOffered(wanted))
        return 'view: this run has nothing to show there';
    }
    return this.#isDone(order) ? undefined : 'this is not to be done now';
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
      case 'step':
        return this.#commands.do(`step.${order.kind}.${order.back === true ? 'previous' : 'next'}`);
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

  #now(): { readonly state: State; readonly beat: number } | undefined {
    const { findings, playhead, selection, session, view } = this.#ringside;
    const { run, source } = session;
    if (run === undefined || source === undefined || view.place !== 'stage') return undefined;
    const { isPlaying, film, time, pacing, scale } = playhead;
    const seconds = pacing === 'told' ? film : time / scale;
    return {
      state: {
        ringside: 1,
        is: 'state',
        isPlaying,
        time: Math.floor(time),
        duration: run.duration,
        title: source.title,
        origin: run.origin,
        view: view.stageView,
        ...(selection.packet === undefined ? {} : { packet: selection.packet }),
        ...(findings.chosen === undefined ? {} : { finding: findings.chosen + 1 }),
        ...(view.lesson === undefined ? {} : { lesson: view.lesson }),
        link: this.#link(),
      },
      beat: isPlaying ? Math.floor(seconds * TOLD_A_SECOND) : 0,
    };
  }
}

/** In a frame nothing leads to where the frame has nothing to show. */
export function guardFrame(commands: Dispatcher): () => void {
  return commands.guard((id) => (LEADS_AWAY.test(id) ? m.embed_leads_away() : undefined));
}

/** A state without what moves while film runs. */
function still(state: State): unknown {
  return { ...state, time: undefined, link: undefined };
}
