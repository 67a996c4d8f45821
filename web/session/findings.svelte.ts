/**
 * What the core found in the run on the stage, and which of it was looked at last: the list beside
 * the stage, the marks on the time line and the keys all go by it.
 */
import type { Finding } from '../core/findings.ts';
import type { RunHandle } from '../core/run.ts';
import { Asker } from './asker.svelte.ts';

export class Findings {
  readonly #asker = new Asker<RunHandle, readonly Finding[]>(
    (handle, signal) => handle.until(signal).findings(),
    (one, other) => one === other,
  );
  #handle: RunHandle | undefined;
  #promised = $state.raw<readonly string[]>([]);
  readonly #ordered = $derived(chaptersOf(this.#asker.answer ?? [], this.#promised));
  #chosen = $state<number>();

  /** What the run's card promises, then the most telling first; empty until the core has answered. */
  get all(): readonly Finding[] {
    return this.#ordered;
  }
  /** Nothing while the core still looks. */
  get isKnown(): boolean {
    return this.#asker.answer !== undefined;
  }
  get failure(): string | undefined {
    return this.#asker.failure;
  }
  /** The place in the list of the one that was looked at last. */
  get chosen(): number | undefined {
    return this.#chosen;
  }

  /**
   * Another run is on the stage: nothing of the last one's findings holds for it. What its card
   * promises are kinds of findings.
   */
  load(handle: RunHandle | undefined, promised: readonly string[] = []): void {
    if (handle === this.#handle) return;
    this.#handle = handle;
    this.#promised = promised;
    this.#chosen = undefined;
    this.#asker.want(undefined);
    this.#asker.want(handle);
  }

  /** The finding at a place in the list, which is looked at from now on; nothing where there is none. */
  choose(place: number): Finding | undefined {
    const found = this.all[place];
    if (found !== undefined) this.#chosen = place;
    return found;
  }

  /** The place after the one looked at last, or before it; the first or the last to begin with. */
  beside(by: 1 | -1): number {
    if (this.#chosen === undefined) return by === 1 ? 0 : this.all.length - 1;
    return (this.#chosen + by + this.all.length) % Math.max(this.all.length, 1);
  }
}

/** The first finding of each kind that is promised, in that order, then the others as they are ranked. */
function chaptersOf(found: readonly Finding[], promised: readonly string[]): readonly Finding[] {
  const first = promised.flatMap((kind) => found.find((one) => one.kind === kind) ?? []);
  return [...first, ...found.filter((one) => !first.includes(one))];
}
