/**
 * The requirements for every lesson (L1 to L13 of the design), as far as its text shows them: length,
 * questions before answers, something to change, help for learners who do not see the stage. Whether the
 * runs support the text is checked by playing it, in `lessons.test.ts`.
 */
import type { Card } from './format/glossary.ts';
import type { Lesson, Step } from './format/lesson.ts';
import { MistakeList, type Mistake } from './format/mistakes.ts';
import { plain, plainBlocks, wordCount } from './format/prose.ts';

export const MOST_WORDS = 60;
export const STEPS = { least: 6, most: 14 } as const;
export const MOST_TARGETS = 2;
export const MOST_FILM_SECONDS = 20;

/** The requirements that a lesson does not meet, each with its line. */
export function unmet(lesson: Lesson, cards: readonly Card[]): readonly Mistake[] {
  const mistakes = new MistakeList(lesson.file);
  const { length } = lesson.steps;
  if (length < STEPS.least || length > STEPS.most) {
    mistakes.add(1, `L3: a lesson has ${STEPS.least} to ${STEPS.most} steps, this has ${length}`);
  }
  for (const step of lesson.steps) checkStep(step, mistakes);
  checkQuestions(lesson, mistakes);
  checkTerms(lesson, cards, mistakes);
  checkTeacher(lesson, mistakes);
  const { steps, levels, cards: first } = lesson;
  if (!levels.includes('responding') || !levels.includes('changing')) {
    mistakes.add(1, 'the levels of a lesson have “responding” and “changing” among them');
  }
  if (first.length === 0) mistakes.add(1, 'L7: a lesson explains its first terms (cards)');
  if (!steps.some(({ vary }) => vary)) mistakes.add(1, 'L2: a lesson has something to vary');
  if (!steps.some(({ expects, compares }) => expects.length + compares.length > 0)) {
    mistakes.add(1, 'L8: a lesson states facts (expect, compare) that its runs bear out');
  }
  return mistakes.all;
}

function checkStep({ line, prose, play, targets, alt, title }: Step, mistakes: MistakeList): void {
  const words = wordCount(prose);
  if (words === 0) mistakes.add(line, `L3: “${title}” says nothing`);
  if (words > MOST_WORDS) {
    mistakes.add(line, `L3: “${title}” has ${words} words, ${MOST_WORDS} at most`);
  }
  if (play !== undefined && (play.for ?? Infinity) > MOST_FILM_SECONDS) {
    mistakes.add(play.line, `L3: a step plays for ${MOST_FILM_SECONDS} s at most (for="… s")`);
  }
  if (targets.length > MOST_TARGETS) {
    mistakes.add(line, `L4: “${title}” has ${targets.length} targets, ${MOST_TARGETS} at most`);
  }
  if (play !== undefined && targets.length === 0) {
    mistakes.add(play.line, 'L4: a step that plays says what to look at (focus)');
  }
  const sentences = plainBlocks(alt).match(/[.!?](?=\s|$)/g)?.length ?? 0;
  if (sentences < 2) {
    mistakes.add(line, `L11: “${title}” has an alt of two sentences: how it is, what changes`);
  }
}

function checkQuestions({ steps, runs }: Lesson, mistakes: MistakeList): void {
  const asks = steps.flatMap(({ ask }, index) => (ask === undefined ? [] : [{ ...ask, index }]));
  const find = (id: string) => asks.find((ask) => ask.id === id);
  if (!asks.some(({ isLocked }) => isLocked)) {
    mistakes.add(1, 'L1: a lesson asks, and waits for the answer, before it shows (lock)');
  }
  for (const [place, { id, line }] of asks.entries()) {
    if (asks.findIndex((ask) => ask.id === id) < place) {
      mistakes.add(line, `another question has the id “${id}”`);
    }
  }
  for (const { isRight, feedback, line } of asks.flatMap(({ options }) => options)) {
    if (isRight && /\byes\b/i.test(plain(feedback)))
      mistakes.add(line, 'why an answer is right is read after a wrong one, too: without “Yes”');
  }
  for (const { reveal, compares } of steps) {
    for (const { ask: id, line } of [...(reveal ? [reveal] : []), ...compares]) {
      if (id !== undefined && find(id)?.isLocked !== true)
        mistakes.add(line, `L1: what is revealed was asked before, with lock: “${id}”`);
    }
    const [first] = compares;
    if (first !== undefined && compares.every(({ ask }) => ask === undefined))
      mistakes.add(first.line, 'L1: what is compared was predicted before (ask)');
  }
  const transfer = asks.find(({ isTransfer }) => isTransfer);
  if (transfer === undefined) {
    mistakes.add(1, 'L9: a lesson ends with a question on another run (transfer)');
    return;
  }
  const run = steps[transfer.index]?.scene.run;
  if (
    transfer.index < steps.length - 2 ||
    steps.slice(0, transfer.index).some(({ scene }) => scene.run === run)
  ) {
    mistakes.add(transfer.line, 'L9: the last question is on a run that no step before it shows');
  }
  if (!transfer.isLocked || steps[transfer.index]?.play !== undefined) {
    mistakes.add(
      transfer.line,
      'L9: the last question waits (lock), and its film is a step of its own',
    );
  }
  const shown = new Set(steps.map(({ scene }) => scene.run));
  for (const name of Object.keys(runs).filter((name) => !shown.has(name))) {
    mistakes.add(1, `the run “${name}” is never shown`);
  }
}

function checkTerms(
  { cards: first, terms, steps }: Lesson,
  cards: readonly Card[],
  mistakes: MistakeList,
): void {
  const known = new Set(cards.map(({ term }) => term));
  const used = [
    ...first.map((term) => ({ term, line: 1 })),
    ...terms,
    ...steps.flatMap((step) => step.cards),
  ];
  for (const { term, line } of used.filter(({ term }) => !known.has(term))) {
    mistakes.add(line, `L7: the glossary (lessons/glossary.md) has no “${term}”`);
  }
}

function checkTeacher({ teacher, steps }: Lesson, mistakes: MistakeList): void {
  if (teacher === undefined) {
    mistakes.add(1, 'L10: a lesson has a block for the teacher');
    return;
  }
  const asks = new Map(steps.flatMap(({ ask }) => (ask ? [[ask.id, ask] as const] : [])));
  for (const { belief, question, option } of teacher.misconceptions) {
    const chosen = asks.get(question)?.options[option - 1];
    if (chosen === undefined || chosen.isRight) {
      mistakes.add(
        1,
        `L10: “${belief}” is shown by a wrong option; ${question}, ${option} is none`,
      );
    }
  }
}
