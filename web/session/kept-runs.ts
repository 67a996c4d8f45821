/**
 * Figures of runs of the model that this browser keeps from one visit to the next, on this machine and nowhere
 * else. Those of another build of the model are not taken for this one's; where there are too many, the oldest go.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import type { Figures } from '../core/figures.ts';
import type { RunStore } from './sweep.svelte.ts';

/** Some 3 kB each. */
const MOST = 20_000;

interface Kept extends DBSchema {
  runs: {
    /** Counts up, so that the oldest come first. */
    readonly key: number;
    readonly value: { readonly of: string; readonly figures: Figures };
    readonly indexes: { readonly of: string };
  };
}

export class KeptRuns implements RunStore {
  readonly #build: string | undefined;
  readonly #most: number;
  #store: Promise<IDBPDatabase<Kept>> | undefined;

  /** @param build which build makes the runs; nothing: it is not known, and none are kept */
  constructor(build: string | undefined, most = MOST) {
    this.#build = build;
    this.#most = most;
  }

  async read(names: readonly string[]): Promise<ReadonlyMap<string, Figures>> {
    const found = new Map<string, Figures>();
    if (this.#build === undefined) return found;
    try {
      const { store } = (await this.#open()).transaction('runs');
      const all = await Promise.all(names.map((name) => store.index('of').get(this.#of(name))));
      names.forEach((name, at) => all[at] && found.set(name, all[at].figures));
    } catch {
      // Private windows and blocked stores refuse: all is run anew.
    }
    return found;
  }

  async keep(name: string, figures: Figures): Promise<void> {
    if (this.#build === undefined) return;
    try {
      const { store, done } = (await this.#open()).transaction('runs', 'readwrite');
      const oldest = (await store.count()) < this.#most ? null : await store.openKeyCursor();
      if (oldest !== null) await store.delete(oldest.key);
      await Promise.all([store.add({ of: this.#of(name), figures }), done]);
    } catch {
      // A full store refuses, too, and another window may have kept the same.
    }
  }

  #of(name: string): string {
    return `${this.#build ?? ''}\n${name}`;
  }

  #open(): Promise<IDBPDatabase<Kept>> {
    return (this.#store ??= import('idb').then(({ openDB }) =>
      openDB<Kept>('ringside', 1, {
        upgrade(store) {
          const runs = store.createObjectStore('runs', { autoIncrement: true });
          runs.createIndex('of', 'of', { unique: true });
        },
      }),
    ));
  }
}
