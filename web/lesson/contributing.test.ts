/**
 * The ten lines in CONTRIBUTING.md are a valid lesson: they are read and played as printed there.
 */
import { expect, it } from 'vitest';
import { formatMistake } from './format/mistakes.ts';
import { readLesson } from './format/read.ts';
import { played, readCards, readText } from './testing.ts';
import { unmet } from './requirements.ts';

const [, lines = ''] = /```markdown\n([\s\S]*?)```/.exec(readText('CONTRIBUTING.md')) ?? [];
const lesson = () => readLesson('lessons/first-packet/lesson.md', lines);

it('a new lesson is ten lines of Markdown, and can be played', async () => {
  const written = lines.split('\n').filter((line) => line.trim() !== '');
  expect(written.length).toBe(10);
  const { mistakes } = await played(lesson());
  expect(mistakes.map(formatMistake)).toEqual([]);
  expect(lesson().steps[0].expects.length).toBe(1);
});

it('and what it still lacks for the shelf is listed', () => {
  const told = unmet(lesson(), readCards()).map(({ message }) => message.slice(0, 3));
  expect(told).toEqual(expect.arrayContaining(['L1:', 'L2:', 'L3:', 'L4:', 'L9:', 'L10', 'L11']));
});
