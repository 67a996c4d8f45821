/** How captions speak: in a few words, in a plain sentence, or in the kernel's own words. Kept in the browser. */
export const LEVELS = ['short', 'plain', 'kernel'] as const;
export type Level = (typeof LEVELS)[number];

const KEY = 'ringside.captions';

export class CaptionLevel {
  #level = $state<Level>(stored());

  get level(): Level {
    return this.#level;
  }

  choose(level: Level): void {
    this.#level = level;
    try {
      localStorage.setItem(KEY, level);
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
  }
}

/** What was chosen before; what is not one of the levels counts as nothing. */
function stored(): Level {
  try {
    const kept = localStorage.getItem(KEY);
    return LEVELS.find((level) => level === kept) ?? 'plain';
  } catch {
    return 'plain';
  }
}
