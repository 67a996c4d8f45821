/**
 * All that a lesson may do to the page: open a run on the stage, show a moment of it, play to another. The
 * rest of the page stays under the learner's control.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import type { PaperEntry } from '../core/simulation.ts';
import type { Told } from '../core/told.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Ringed } from '../scene/rings.ts';
import type { Dispatcher } from '../session/dispatcher.ts';
import type { Ringside } from '../session/context.ts';
import { filmAt } from '../session/told.ts';
import { fetchInputs } from '../traces/recordings.ts';
import type { RunSource } from './format/front-matter.ts';
import type { LessonRun } from './play/run.ts';
import { madeOf, type Made } from './play/made.ts';
import type { Settings } from './play/source.ts';

export interface Door {
  /**
   * Opens a run on the stage. Throws an Error that says why it cannot be opened; returns `undefined` if
   * another one was requested meanwhile.
   */
  open(source: RunSource, varied?: Settings): Promise<LessonRun | undefined>;
  /** Begins to make a run that is likely to be opened next; `undefined`: none is. */
  prepare(source: RunSource | undefined): void;
  /** Whether a run is still the one on the stage: it may have been reopened or replaced. */
  isOnStage(run: LessonRun): boolean;
  show(moment: {
    readonly time: Nanos;
    readonly view: StageView;
    readonly follow: PacketId | undefined;
    /** The told film about the followed packet, or about a typical one. */
    readonly told: Told;
    /** The things to look at. */
    readonly ringed: readonly Ringed[];
  }): void;
  /** Plays from the current time to another, in at most and at least this many seconds of film. */
  play(until: Nanos, most: number, least: number): void;
  /** Sets the step in the address; `undefined` if no lesson is active. */
  name(step: string | undefined): void;
  pause(): void;
  seek(time: Nanos): void;
  /** Hides what comes after this time; `undefined` hides nothing. */
  hold(time: Nanos | undefined): void;
  /** The published numbers. */
  entries(): Promise<readonly PaperEntry[]>;
}

/** The door of the live page. */
export function doorTo({ session, playhead, view }: Ringside, commands: Dispatcher): Door {
  let likely: RunSource | undefined;
  return {
    prepare(source) {
      likely = source;
      if (source === undefined || 'recording' in source) session.ahead.prepare(undefined);
      else
        void madeOf(source, () => session.loadCatalogue()).then(
          (made) => {
            if (likely === source && made.kind === 'scenario') session.ahead.prepare(made.text);
          },
          // What is wrong with it is told when it is opened.
          () => undefined,
        );
    },
    async open(source, varied) {
      view.ring([]);
      const made = await madeOf(source, () => session.loadCatalogue(), varied);
      const isOpen = await opened(made);
      const { handle, glossary, failure } = session;
      if (!isOpen) {
        if (failure !== undefined) throw new Error(failure.message);
        return undefined;
      }
      if (handle === undefined || glossary === undefined) return undefined;
      return {
        opened: handle.opened,
        glossary,
        questions: handle,
        measuredFrom: made.measuredFrom,
      };
    },
    isOnStage: (run) => run.questions === session.handle,
    show({ time, view: stageView, follow, told, ringed }) {
      commands.effect('lesson.pause', (to) => to.pause());
      commands.effect('lesson.told', (to) => to.takeTold(told, follow));
      commands.put('lesson.show', {
        ...{ place: 'stage', stageView, time, dwelt: undefined, packet: follow },
        ...(follow === undefined ? {} : { isFollowing: true }),
      });
      view.ring(ringed);
    },
    play(until, most, least) {
      // A told film longer than the step allows is played faster by that factor, a shorter one slower.
      const { told, film } = playhead;
      const seconds = filmAt(told.pieces, until) - film;
      const pace = seconds / Math.min(Math.max(seconds, least), most);
      commands.effect('lesson.play', (to) => to.tell(pace));
    },
    name(step) {
      commands.effect('lesson.step', (to) => to.nameStep(step));
    },
    pause: () => commands.effect('lesson.pause', (to) => to.pause()),
    seek: (time) => commands.seek(time),
    hold(time) {
      commands.effect('lesson.hold', () => playhead.hold(time));
    },
    async entries() {
      return (await session.core.published()).flatMap((study) => study.entries);
    },
  };

  function opened(made: Made): Promise<boolean> {
    if (made.kind === 'scenario') return session.simulate(made.text);
    const { slug, title } = made.recording;
    return session.open(fetchInputs(made.recording), { kind: 'bundled', slug, title });
  }
}
