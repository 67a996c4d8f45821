/**
 * The glossary cards of lessons, read from `lessons/glossary.md`: a term under each `##`, its meaning, and
 * in code the kernel function or file where it was read.
 */
import { MistakeList } from './mistakes.ts';
import { ProseReader, wordCount, type Block } from './prose.ts';
import { sectionsOf } from './read.ts';

export interface Card {
  readonly term: string;
  readonly meaning: readonly Block[];
}

/** Reads the glossary. Throws LessonMistakes. */
export function readGlossary(file: string, source: string): readonly Card[] {
  const mistakes = new MistakeList(file);
  const prose = new ProseReader(mistakes, 0);
  const cards = sectionsOf(source, prose, mistakes).map(({ title, line, nodes }): Card => {
    const meaning = prose.blocks(
      nodes.filter((node) => node.type === 'paragraph' || node.type === 'list'),
    );
    if (wordCount(meaning) === 0) mistakes.add(line, `“${title}” has no meaning`);
    return { term: title, meaning };
  });
  mistakes.check();
  return cards;
}
