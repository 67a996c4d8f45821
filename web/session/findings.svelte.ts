/**
 * The core's findings in the run on the stage, and the one visited last, for the list beside the stage, the
 * marks on the time line and the keys.
 */
import type { Finding } from '../core/findings.ts';
import type { RunHandle } from '../core/run.ts';
import { Asker } from './asker.svelte.ts';
import type { Ringside } from './context.ts';

export class Findings {
  readonly #asker = new Asker<RunHandle, readonly Finding[]>(
    (handle, signal) => handle.until(signal).findings(),
    (one, other) => one === other,
  );
  #handle: RunHandle | undefined;
  #promised = $state.raw<readonly string[]>([]);
  readonly #ordered = $derived(chaptersOf(this.#asker.answer ?? [], this.#promised));
  #chosen = $state<number>();

  /**
   * First the findings that the run's card announces, then the others by rank; empty until the core has
   * answered.
   */
  get all(): readonly Finding[] {
    return this.#ordered;
  }
  /** False while the core still searches. */
  get isKnown(): boolean {
    return this.#asker.answer !== undefined;
  }
  get failure(): string | undefined {
    return this.#asker.failure;
  }
  /** Index in the list of the finding visited last. */
  get chosen(): number | undefined {
    return this.#chosen;
  }

  /**
   * Resets the findings for another run on the stage. `promised` are the kinds of findings that its card
   * announces.
   */
  load(handle: RunHandle | undefined, promised: readonly string[] = []): void {
    if (handle === this.#handle) return;
    this.#handle = handle;
    this.#promised = promised;
    this.#chosen = undefined;
    this.#asker.want(undefined);
    this.#asker.want(handle);
  }

  /** The findings, as soon as the core has searched. */
  async known(): Promise<readonly Finding[]> {
    await this.#asker.settled;
    return this.all;
  }

  /** Marks the finding at an index as visited and returns it; `undefined` if there is none. */
  choose(place: number): Finding | undefined {
    const found = this.all[place];
    if (found !== undefined) this.#chosen = place;
    return found;
  }

  /** The index after the finding visited last, or before it; initially the first or the last. */
  beside(by: 1 | -1): number {
    if (this.#chosen === undefined) return by === 1 ? 0 : this.all.length - 1;
    return (this.#chosen + by + this.all.length) % Math.max(this.all.length, 1);
  }
}

/**
 * The findings that may be told: none while an open question holds the film, whichever window asks it. What the key
 * of a finding, the search, the palette and the time line show is this.
 */
export function tellable({ findings, playhead }: Pick<Ringside, 'findings' | 'playhead'>) {
  return playhead.heldAt === undefined ? findings.all : [];
}

/** The first finding of each promised kind, in that order, then the others by rank. */
function chaptersOf(found: readonly Finding[], promised: readonly string[]): readonly Finding[] {
  const first = promised.flatMap((kind) => found.find((one) => one.kind === kind) ?? []);
  return [...first, ...found.filter((one) => !first.includes(one))];
}
