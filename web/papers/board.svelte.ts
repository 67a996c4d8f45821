/**
 * The scoreboard's state: the studies, what came of each entry so far, and which are waiting.
 * Entries run one after the other, and what is done is kept as long as the page is open. Knows
 * nothing of how an experiment is run.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Core } from '../core/core.ts';
import type { Reproduced, Study } from '../core/simulation.ts';

export type Result =
  | { readonly kind: 'done'; readonly rows: readonly Reproduced[] }
  | { readonly kind: 'failed'; readonly message: string };

export interface Totals {
  /** Numbers that the model was held against so far. */
  readonly numbers: number;
  readonly inside: number;
  readonly missed: number;
  readonly fitted: number;
  readonly predicted: number;
  readonly entriesDone: number;
  readonly entries: number;
}

export class Board {
  readonly studies: readonly Study[];
  readonly #core: Pick<Core, 'reproduce' | 'stopReproducing'>;
  readonly #results = new SvelteMap<string, Result>();
  #waiting = $state.raw<readonly string[]>([]);
  #running = $state.raw<string>();
  /** Of the entries asked for since the board last stood still: how many, and how many are done. */
  #asked = $state(0);
  #finished = $state(0);

  constructor(core: Pick<Core, 'reproduce' | 'stopReproducing'>, studies: readonly Study[]) {
    this.#core = core;
    this.studies = studies;
  }

  /** The entry whose experiments are run now. */
  get running(): string | undefined {
    return this.#running;
  }
  get asked(): number {
    return this.#asked;
  }
  get finished(): number {
    return this.#finished;
  }
  get entries(): readonly string[] {
    return this.studies.flatMap(({ entries }) => entries.map(({ id }) => id));
  }

  resultOf(entry: string): Result | undefined {
    return this.#results.get(entry);
  }
  isWaiting(entry: string): boolean {
    return this.#waiting.includes(entry);
  }

  readonly totals: Totals = $derived.by(() => {
    const results = [...this.#results.values()];
    const rows = results.flatMap((result) => (result.kind === 'done' ? result.rows : []));
    const count = (isMeant: (row: Reproduced) => boolean) => rows.filter(isMeant).length;
    return {
      numbers: rows.length,
      inside: count(({ within }) => within),
      missed: count(({ within }) => !within),
      fitted: count(({ kind }) => kind === 'fitted'),
      predicted: count(({ kind }) => kind === 'predicted'),
      entriesDone: results.length,
      entries: this.entries.length,
    };
  });

  /** Those that have no result yet. */
  get left(): readonly string[] {
    return this.entries.filter((entry) => !this.#results.has(entry));
  }

  /** Has entries run, after those that wait already; one that has a result is run again. */
  run(entries: readonly string[]): void {
    const more = entries.filter(
      (entry, index) =>
        entry !== this.#running && !this.isWaiting(entry) && entries.indexOf(entry) === index,
    );
    if (more.length === 0) return;
    const isStill = this.#running === undefined;
    this.#waiting = [...this.#waiting, ...more];
    this.#asked = (isStill ? 0 : this.#asked) + more.length;
    if (isStill) {
      this.#finished = 0;
      void this.#work();
    }
  }

  /** Ends the experiment under way, at once, and forgets what waits; results stay. */
  stop(): void {
    this.#waiting = [];
    this.#core.stopReproducing();
  }

  async #work(): Promise<void> {
    for (;;) {
      const [entry, ...rest] = this.#waiting;
      if (entry === undefined) break;
      this.#waiting = rest;
      this.#running = entry;
      const outcome = await this.#core.reproduce(entry).catch(failed);
      if (outcome.kind === 'ok') this.#results.set(entry, { kind: 'done', rows: outcome.value });
      if (outcome.kind === 'failed') this.#results.set(entry, outcome);
      this.#finished += 1;
    }
    this.#running = undefined;
  }
}

function failed(error: unknown): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
