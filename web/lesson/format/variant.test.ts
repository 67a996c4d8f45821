/**
 * Each lesson with more or less help is still a valid lesson.
 */
import { describe, expect, it } from 'vitest';
import { readLessons } from '../testing.ts';
import { withHelp } from './variant.ts';

describe.each(readLessons().map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  const asks = (help: Parameters<typeof withHelp>[1]) =>
    withHelp(lesson, help).steps.flatMap(({ ask }) => ask ?? []);

  it('worked through asks nothing', () => {
    expect(asks('worked').every(({ isGiven, isLocked }) => isGiven && !isLocked)).toBe(true);
  });

  it('with the last question left open asks that one', () => {
    const open = asks('last').filter(({ isGiven }) => !isGiven);
    expect(open.map(({ id, isLocked }) => [id, isLocked])).toEqual([
      [asks('asked').at(-1)?.id, true],
    ]);
  });

  it('on one’s own asks all of them and keeps its text as the last hint', () => {
    const { steps } = withHelp(lesson, 'blank');
    expect(asks('blank').every(({ isGiven, isLocked }) => !isGiven && isLocked)).toBe(true);
    expect(steps.every(({ prose }) => prose.length === 0)).toBe(true);
    expect(steps.map(({ hints }) => hints.at(-1))).toEqual(lesson.steps.map(({ prose }) => prose));
  });
});
