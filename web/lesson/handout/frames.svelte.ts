/**
 * The key frames of a lesson's steps, drawn one after the other: each run is opened independently of the
 * stage, and closed when its steps are drawn.
 */
import type { Core } from '../../core/core.ts';
import type { RunHandle } from '../../core/run.ts';
import { troubleOf } from '../../words/trouble.ts';
import { fetchInputs } from '../../traces/recordings.ts';
import type { RunSource } from '../format/front-matter.ts';
import type { Lesson } from '../format/lesson.ts';
import { madeOf } from '../play/made.ts';
import { keyFramesOf, type KeyFrame } from './key-frame.ts';
import { errorOf } from '../../core/trouble.ts';

export class Frames {
  #drawn = $state.raw<Readonly<Record<number, KeyFrame>>>({});
  #trouble = $state.raw<string>();
  #isBusy = $state(true);
  readonly #abort = new AbortController();

  /** By the index of the step in the lesson. */
  get drawn(): Readonly<Record<number, KeyFrame>> {
    return this.#drawn;
  }
  /** Why a picture could not be drawn. */
  get trouble(): string | undefined {
    return this.#trouble;
  }
  get isBusy(): boolean {
    return this.#isBusy;
  }

  async draw(core: Core, lesson: Lesson): Promise<void> {
    try {
      for (const [name, source] of Object.entries(lesson.runs)) {
        if (this.#abort.signal.aborted) return;
        await this.#drawRun(core, lesson, name, source);
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#trouble = troubleOf(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Stops drawing when the handout is closed. */
  leave(): void {
    this.#abort.abort();
  }

  async #drawRun(core: Core, lesson: Lesson, name: string, source: RunSource): Promise<void> {
    const made = await madeOf(source, () => core.catalogue());
    const nothing = () => undefined;
    const { signal } = this.#abort;
    const handle = valueOf(
      made.kind === 'recording'
        ? await core.open(await fetchInputs(made.recording), nothing, undefined, signal)
        : await core.simulate(made.text, nothing, undefined, signal),
    );
    try {
      const glossary = await core.glossary();
      const { measuredFrom } = made;
      const draw = keyFramesOf({
        opened: handle.opened,
        glossary,
        questions: handle,
        measuredFrom,
      });
      for (const [place, step] of lesson.steps.entries()) {
        if (this.#abort.signal.aborted || step.scene.run !== name) continue;
        this.#drawn = { ...this.#drawn, [place]: await draw(step) };
      }
    } finally {
      handle.close();
    }
  }
}

function valueOf(outcome: Awaited<ReturnType<Core['open']>>): RunHandle {
  if (outcome.kind === 'ok') return outcome.value;
  throw outcome.kind === 'failed' ? errorOf(outcome) : new Error('the run was not opened');
}
