/**
 * Reads a lesson: front matter, then steps under `##` headings. The build, the page and the tests all use
 * this function. It checks the form only; whether the runs support a lesson's statements is checked by the
 * tests (`lessons.test.ts`).
 */
import type { RootContent } from 'mdast';
import { directiveFromMarkdown } from 'mdast-util-directive';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { directive } from 'micromark-extension-directive';
import { checkAsked } from './asked.ts';
import { readHead } from './front-matter.ts';
import type { Lesson, Scene, Step } from './lesson.ts';
import { MistakeList } from './mistakes.ts';
import { plain, ProseReader } from './prose.ts';
import { readStep } from './step.ts';

/** Reads the text of `lessons/<id>/lesson.md`. Throws LessonMistakes, which names every mistake with its line. */
export function readLesson(file: string, source: string): Lesson {
  const mistakes = new MistakeList(file);
  const head = readHead(source, mistakes);
  const prose = new ProseReader(mistakes, head.lines);
  const steps: Step[] = [];
  for (const section of sectionsOf(head.body, prose, mistakes)) {
    const before = steps.at(-1)?.scene ?? beginning(head.values?.runs ?? {}, section.line);
    steps.push(readStep(section, before, prose, mistakes));
  }
  checkAsked(steps, mistakes);
  const [first, ...rest] = steps;
  if (first === undefined) mistakes.add(head.lines + 1, 'a lesson has a step under each “##”');
  mistakes.check();
  if (head.values === undefined || first === undefined) throw new Error(`${file} was not read`);
  const id = file.split('/').at(-2) ?? file;
  return { ...head.values, id, file, steps: [first, ...rest], terms: firstUses(prose.terms) };
}

/** A heading and the content under it. */
export interface Section {
  readonly line: number;
  readonly title: string;
  readonly nodes: readonly RootContent[];
}

/** Markdown split at its `##` headings; anything before the first one is a mistake. */
export function sectionsOf(
  body: string,
  prose: ProseReader,
  mistakes: MistakeList,
): readonly Section[] {
  const { children } = fromMarkdown(body, {
    extensions: [directive()],
    mdastExtensions: [directiveFromMarkdown()],
  });
  const sections: { line: number; title: string; nodes: RootContent[] }[] = [];
  for (const node of children) {
    const section = sections.at(-1);
    if (node.type === 'heading') {
      const line = prose.lineOf(node);
      if (node.depth !== 2) mistakes.add(line, 'a heading begins a step and has “##”');
      sections.push({ line, title: plain(prose.inlines(node.children)), nodes: [] });
    } else if (section === undefined) {
      mistakes.add(prose.lineOf(node), 'there is text before the first “##”');
    } else {
      section.nodes.push(node);
    }
  }
  return sections;
}

/** The scene before the first step: the start of the first run in the front matter. */
function beginning(runs: Readonly<Record<string, unknown>>, line: number): Scene {
  const [run = ''] = Object.keys(runs);
  return { line, run, view: 'way', at: { kind: 'start' }, follow: undefined };
}

function firstUses(terms: readonly { readonly term: string; readonly line: number }[]) {
  return terms.filter(({ term }, index) => terms.findIndex((use) => use.term === term) === index);
}
