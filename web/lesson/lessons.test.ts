/**
 * Plays every lesson without a browser: its text meets the requirements, its runs open, every packet and
 * moment that it names exists, its statements hold, right answers are right, wrong ones wrong, and a goal
 * can be both met and missed. `UPDATE_EXPECT=1` rewrites what is pinned (the values that a lesson shows,
 * and the published schema).
 */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { isCut } from '../scene/text.ts';
import { overwriteGetLocale } from '../words/generated/runtime.js';
import { lessonSchema } from './format/schema.ts';
import { keyFramesOf } from './handout/key-frame.ts';
import { openRun, played, readLessons, readText, readCards } from './testing.ts';
import { unmet } from './requirements.ts';
import { formatMistake } from './format/mistakes.ts';

afterEach(() => overwriteGetLocale(() => 'en'));

const lessons = readLessons();
const cards = readCards();

function pinned(path: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env['UPDATE_EXPECT'] === '1') {
    writeFileSync(new URL(`../../${path}`, import.meta.url), text);
  }
  expect(JSON.parse(readText(path)), `UPDATE_EXPECT=1 npx vitest run web/lesson`).toEqual(
    JSON.parse(text),
  );
}

it('the schema of lessons is published as it is', () => {
  pinned('lessons/schema.json', lessonSchema());
});

describe.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s', (id, lesson) => {
  it('meets the requirements', () => {
    expect(unmet(lesson, cards).map(formatMistake)).toEqual([]);
  });

  it('is borne out by its runs', { timeout: 300_000 }, async () => {
    const { mistakes, values } = await played(lesson);
    expect(mistakes.map(formatMistake)).toEqual([]);
    pinned(`lessons/${id}/values.json`, values);
  });

  it('L12: each step has a key frame, at a moment that stays', { timeout: 300_000 }, async () => {
    const frames = [];
    const draw = new Map<string, ReturnType<typeof keyFramesOf>>();
    for (const step of lesson.steps) {
      const source = lesson.runs[step.scene.run];
      if (source === undefined) throw new Error(`there is no run “${step.scene.run}”`);
      const drawn = draw.get(step.scene.run) ?? keyFramesOf(await openRun(source));
      draw.set(step.scene.run, drawn);
      const { time, marks, caption, state } = await drawn(step);
      expect(marks.length, step.title).toBeGreaterThan(20);
      expect(state.length, step.title).toBeGreaterThan(0);
      frames.push({ step: step.title, time, caption: caption?.what ?? null });
    }
    pinned(`lessons/${id}/frames.json`, frames);
  });

  it('no word of its key frames is cut, in any language', { timeout: 300_000 }, async () => {
    for (const locale of ['en', 'de'] as const) {
      overwriteGetLocale(() => locale);
      for (const step of lesson.steps) {
        const source = lesson.runs[step.scene.run];
        if (source === undefined) throw new Error(`there is no run “${step.scene.run}”`);
        const { marks } = await keyFramesOf(await openRun(source))(step);
        const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
        expect(texts.filter(isCut), `${locale}: ${step.title}`).toEqual([]);
      }
    }
  });
});
