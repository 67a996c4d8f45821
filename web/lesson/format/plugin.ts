/**
 * Lets the page import lessons: vite reads each lesson and the glossary when it builds or serves, with the
 * same readers as the tests, and stops at a mistake with its file and line. So the page contains no parser.
 */
import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { readGlossary } from './glossary.ts';
import { LessonMistakes } from './mistakes.ts';
import { readLesson } from './read.ts';

/** The plugin for vite; `root` is the repository's folder. */
export function lessons(root: string): Plugin {
  return {
    name: 'ringside-lessons',
    transform: {
      filter: { id: /\/lessons\/(?:[^/]+\/lesson|glossary)\.md$/ },
      handler(code, id) {
        const file = relative(root, id);
        try {
          const read = file.endsWith('glossary.md')
            ? readGlossary(file, code)
            : readLesson(file, code);
          return { code: `export default ${JSON.stringify(read)};`, map: null };
        } catch (error) {
          if (!(error instanceof LessonMistakes)) throw error;
          const line = error.mistakes[0]?.line ?? 1;
          return this.error({ message: error.message, loc: { file: id, line, column: 0 } });
        }
      },
    },
  };
}
