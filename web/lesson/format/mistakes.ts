/**
 * Mistakes in a lesson's text, each with its file and line. A lesson with a mistake is not played; the
 * build and the tests report all of them at once.
 */

export interface Mistake {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Thrown when a lesson cannot be read; its message has a line for each mistake. */
export class LessonMistakes extends Error {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(formatMistake).join('\n'));
    this.name = 'LessonMistakes';
    this.mistakes = mistakes;
  }
}

/** `lessons/the-fall/lesson.md:31: there is no directive “sho”`. */
export function formatMistake({ file, line, message }: Mistake): string {
  return `${file}:${line}: ${message}`;
}

/** Collects the mistakes of one file. */
export class MistakeList {
  readonly #file: string;
  readonly #mistakes: Mistake[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number, message: string): void {
    this.#mistakes.push({ file: this.#file, line, message });
  }

  /** In the order of the file. */
  get all(): readonly Mistake[] {
    return this.#mistakes.toSorted((a, b) => a.line - b.line);
  }

  /** Throws LessonMistakes if there are any. */
  check(): void {
    if (this.#mistakes.length > 0) throw new LessonMistakes(this.all);
  }
}
