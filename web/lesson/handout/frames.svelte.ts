/**
 * The key frames of a lesson's steps, drawn one after the other: each run is opened by itself, whatever
 * is on the stage, and closed when its steps are drawn.
 */
import type { Core } from '../../core/core.ts';
import type { RunHandle } from '../../core/run.ts';
import { troubleOf } from '../../words/trouble.ts';
import { fetchInputs, findRecording } from '../../traces/recordings.ts';
import type { RunSource } from '../format/front-matter.ts';
import type { Lesson } from '../format/lesson.ts';
import { scenarioOf } from '../play/source.ts';
import { keyFrameOf, type KeyFrame } from './key-frame.ts';

export class Frames {
  #drawn = $state.raw<Readonly<Record<number, KeyFrame>>>({});
  #trouble = $state.raw<string>();
  #isBusy = $state(true);
  #isLeft = false;

  /** By the step's place in the lesson. */
  get drawn(): Readonly<Record<number, KeyFrame>> {
    return this.#drawn;
  }
  /** Why a picture could not be made. */
  get trouble(): string | undefined {
    return this.#trouble;
  }
  get isBusy(): boolean {
    return this.#isBusy;
  }

  async draw(core: Core, lesson: Lesson): Promise<void> {
    try {
      for (const [name, source] of Object.entries(lesson.runs)) {
        if (this.#isLeft) return;
        await this.#drawRun(core, lesson, name, source);
      }
    } catch (error) {
      this.#trouble = troubleOf(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** The handout is put away: nothing more is drawn. */
  leave(): void {
    this.#isLeft = true;
  }

  async #drawRun(core: Core, lesson: Lesson, name: string, source: RunSource): Promise<void> {
    const { handle, measuredFrom } = await opened(core, source);
    try {
      const glossary = await core.glossary();
      const run = { opened: handle.opened, glossary, questions: handle, measuredFrom };
      for (const [place, step] of lesson.steps.entries()) {
        if (this.#isLeft || step.scene.run !== name) continue;
        this.#drawn = { ...this.#drawn, [place]: await keyFrameOf(run, step) };
      }
    } finally {
      handle.close();
    }
  }
}

async function opened(
  core: Core,
  source: RunSource,
): Promise<{ readonly handle: RunHandle; readonly measuredFrom: number }> {
  const nothing = () => undefined;
  if ('recording' in source) {
    const recording = findRecording(source.recording);
    if (recording === undefined) throw new Error(`There is no recording “${source.recording}”.`);
    const outcome = await core.open(await fetchInputs(recording), nothing);
    return { handle: valueOf(outcome), measuredFrom: 0 };
  }
  const { scenarios } = await core.catalogue();
  const shipped = scenarios.find(({ slug }) => slug === source.scenario);
  if (shipped === undefined) throw new Error(`There is no scenario “${source.scenario}”.`);
  const { text, measuredFrom } = scenarioOf(shipped.scenario, source);
  return { handle: valueOf(await core.simulate(text, nothing)), measuredFrom };
}

function valueOf(outcome: Awaited<ReturnType<Core['open']>>): RunHandle {
  if (outcome.kind === 'ok') return outcome.value;
  throw new Error(outcome.kind === 'failed' ? outcome.message : 'the run was not opened');
}
