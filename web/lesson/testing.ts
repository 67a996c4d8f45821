/**
 * Helpers of the lessons' tests: open the runs of a lesson in the test's own thread, each once, from the
 * same files that the page fetches.
 */
import { readFileSync } from 'node:fs';
import { engineOnDisk, inputsOnDisk, runOf, scenarioOnDisk } from '../core/on-disk.ts';
import type { RunSource } from './format/front-matter.ts';
import type { LessonRun } from './play/run.ts';
import { readGlossary, type Card } from './format/glossary.ts';
import type { Lesson } from './format/lesson.ts';
import { readLesson } from './format/read.ts';
import { scenarioOf, type Settings } from './play/source.ts';
import { playThrough, type Played } from './play-through.ts';

const root = new URL('../../', import.meta.url);
const runs = new Map<string, Promise<LessonRun>>();

/** Reads a file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** All lessons, in their order. */
export function readLessons(): readonly Lesson[] {
  const { lessons } = JSON.parse(readText('lessons/index.json')) as {
    readonly lessons: readonly string[];
  };
  return lessons.map((id) => {
    const file = `lessons/${id}/lesson.md`;
    return readLesson(file, readText(file));
  });
}

export function readCards(): readonly Card[] {
  return readGlossary('lessons/glossary.md', readText('lessons/glossary.md'));
}

/** Plays a lesson through, with the core in this thread. */
export async function played(lesson: Lesson): Promise<Played> {
  const core = engineOnDisk();
  const open = (name: string, varied?: Settings) => {
    const source = lesson.runs[name];
    if (source === undefined) throw new Error(`there is no run “${name}”`);
    return openRun(source, varied);
  };
  const [catalogue, studies] = await Promise.all([core.catalogue(), core.published()]);
  const entries = studies.flatMap((study) => study.entries);
  return playThrough(lesson, { open, vary: open, catalogue, entries });
}

/** Opens a run as the page does, each only once. Throws if it cannot be opened. */
export function openRun(source: RunSource, varied: Settings = {}): Promise<LessonRun> {
  const key = JSON.stringify([source, varied]);
  const open = runs.get(key) ?? opened(source, varied);
  runs.set(key, open);
  return open;
}

async function opened(source: RunSource, varied: Settings): Promise<LessonRun> {
  const questions = engineOnDisk();
  const glossary = await questions.glossary();
  if ('recording' in source) {
    const outcome = await questions.open(inputsOnDisk(source.recording), () => undefined);
    return { questions, glossary, opened: runOf(outcome), measuredFrom: 0 };
  }
  const { text, measuredFrom } = scenarioOf(scenarioOnDisk(source.scenario), source, varied);
  const outcome = await questions.simulate(text, () => undefined);
  return { questions, glossary, opened: runOf(outcome), measuredFrom };
}
