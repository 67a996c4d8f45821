/**
 * Figures of simulated runs that this browser stores between visits, on this machine only. Those of another
 * build of the model are not used; above a maximum number the oldest are deleted.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import type { Figures } from '../core/figures.ts';
import type { RunStore } from './sweep.svelte.ts';

/** Maximum number of stored runs, some 3 kB each. */
const MOST = 20_000;

interface Kept extends DBSchema {
  runs: {
    /** An increasing number, so that the oldest runs come first. */
    readonly key: number;
    readonly value: { readonly of: string; readonly figures: Figures };
    readonly indexes: { readonly of: string };
  };
}

export class KeptRuns implements RunStore {
  readonly #build: string | undefined;
  readonly #most: number;
  #store: Promise<IDBPDatabase<Kept>> | undefined;

  /** @param build the build that makes the runs; `undefined`: unknown, and none are stored */
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
      // Private windows and blocked storage refuse access: all runs are repeated.
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
      // Full storage also refuses, and another window may have stored the same run.
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
