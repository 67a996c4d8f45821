/**
 * The lessons of the page: read when the page was built (`format/plugin.ts`), in the order of
 * `lessons/index.json`, each with the values that its bars and tables show.
 */
import order from '../../lessons/index.json';
import type { Card } from './format/glossary.ts';
import type { Lesson } from './format/lesson.ts';
import type { Value } from './play/measure.ts';

export interface ShelvedLesson {
  readonly lesson: Lesson;
  /** By `keyOf` of the run and the term; the tests compare them with the runs. */
  readonly values: Readonly<Record<string, Value>>;
}

const read = import.meta.glob<Lesson>('../../lessons/*/lesson.md', {
  eager: true,
  import: 'default',
});
const values = import.meta.glob<Readonly<Record<string, Value>>>('../../lessons/*/values.json', {
  eager: true,
  import: 'default',
});
const glossaries = import.meta.glob<readonly Card[]>('../../lessons/glossary.md', {
  eager: true,
  import: 'default',
});

/** In the order of the index. */
export const lessonShelf: readonly ShelvedLesson[] = order.lessons.flatMap((id) => {
  const lesson = read[`../../lessons/${id}/lesson.md`];
  return lesson === undefined
    ? []
    : [{ lesson, values: values[`../../lessons/${id}/values.json`] ?? {} }];
});

const cards = new Map(
  Object.values(glossaries).flatMap((glossary) => glossary.map((card) => [card.term, card])),
);

/** The card of a term; `undefined` if the glossary does not have it. */
export function cardOf(term: string): Card | undefined {
  return cards.get(term);
}

export function findLesson(id: string): ShelvedLesson | undefined {
  return lessonShelf.find(({ lesson }) => lesson.id === id);
}
