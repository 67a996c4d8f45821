/**
 * The scoreboard's state: the studies, each entry's pinned numbers or its result from this page, and the
 * queue of entries to run. Entries run one after the other; results are kept while the page is open. How an
 * experiment runs is passed in.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Core } from '../core/core.ts';
import type { Study } from '../core/simulation.ts';
import { failed, type Trouble } from '../core/trouble.ts';
import type { Row } from './pinned.ts';

export type Result =
  | { readonly kind: 'done'; readonly rows: readonly Row[] }
  | ({ readonly kind: 'failed' } & Trouble);

export interface Totals {
  /** Numbers that the model is compared with. */
  readonly numbers: number;
  /** Numbers met, by kind; those of kind given are not counted anywhere else. */
  readonly predicted: number;
  /** Predicted numbers, met or not. */
  readonly allPredicted: number;
  /** Predicted numbers that others published, and those met; the rest are of hosts that we measured. */
  readonly ofOthers: { readonly all: number; readonly met: number };
  readonly fitted: number;
  readonly fudged: number;
  readonly bound: number;
  readonly given: number;
  /** Numbers missed, without those of kind given. */
  readonly missed: number;
  /** Numbers of which chance decides whether they are met. */
  readonly chance: number;
  /**
   * The factors of the published value within which half of the predicted numbers lie, and at least nine in
   * ten; `undefined` if no number has a ratio.
   */
  readonly factors: { readonly half: number; readonly most: number } | undefined;
  /** Entries that were run here. */
  readonly entriesDone: number;
  readonly entries: number;
}

/** Prefix of the ids of our own studies. */
const OWN = 'own';

export class Board {
  readonly studies: readonly Study[];
  readonly #core: Pick<Core, 'reproduce' | 'stopReproducing'>;
  readonly #pinned: ReadonlyMap<string, readonly Row[]>;
  readonly #results = new SvelteMap<string, Result>();
  #waiting = $state.raw<readonly string[]>([]);
  #running = $state.raw<string>();
  /** Number of entries requested since the queue was last empty, and number of those done. */
  #asked = $state(0);
  #finished = $state(0);

  constructor(
    core: Pick<Core, 'reproduce' | 'stopReproducing'>,
    studies: readonly Study[],
    pinned: ReadonlyMap<string, readonly Row[]>,
  ) {
    this.#core = core;
    this.#pinned = pinned;
    this.studies = studies;
  }

  /** The entry whose experiments are running. */
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

  /** The result of an entry that was run here. */
  resultOf(entry: string): Result | undefined {
    return this.#results.get(entry);
  }
  /** An entry's rows: from its run here, else the pinned ones; counterfactuals are always the pinned ones. */
  rowsOf(entry: string): readonly Row[] {
    const result = this.#results.get(entry);
    const pinned = this.#pinned.get(entry) ?? [];
    if (result?.kind !== 'done') return pinned;
    return result.rows.map((row, at) => ({ ...row, counterfactual: pinned[at]?.counterfactual }));
  }
  isWaiting(entry: string): boolean {
    return this.#waiting.includes(entry);
  }

  readonly totals: Totals = $derived.by(() => {
    const rows = this.entries.flatMap((entry) => this.rowsOf(entry));
    const count = (isMeant: (row: Row) => boolean) => rows.filter(isMeant).length;
    const met = (kind: Row['kind']) =>
      count((row) => row.verdict === 'within' && row.kind === kind);
    const ofOthers = this.studies
      .filter(({ name }) => !name.startsWith(OWN))
      .flatMap(({ entries }) => entries.flatMap(({ id }) => this.rowsOf(id)))
      .filter(({ kind }) => kind === 'predicted');
    return {
      numbers: rows.length,
      predicted: met('predicted'),
      allPredicted: count(({ kind }) => kind === 'predicted'),
      ofOthers: {
        all: ofOthers.length,
        met: ofOthers.filter(({ verdict }) => verdict === 'within').length,
      },
      fitted: met('fitted'),
      fudged: met('fudged'),
      bound: met('bound'),
      given: met('given'),
      missed: count(({ verdict, kind }) => verdict === 'missed' && kind !== 'given'),
      chance: count(({ verdict, kind }) => verdict === 'chance' && kind !== 'given'),
      factors: factorsOf(rows.filter(({ kind }) => kind === 'predicted')),
      entriesDone: [...this.#results.values()].filter(({ kind }) => kind === 'done').length,
      entries: this.entries.length,
    };
  });

  /** The entries that were not run here yet. One that failed was, and can be run again by itself. */
  get left(): readonly string[] {
    return this.entries.filter((entry) => !this.#results.has(entry));
  }

  /** Queues entries to be run; one that has a result is run again. */
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

  /** Aborts the running experiment and empties the queue; results stay. */
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

/** The larger of modelled and published, divided by the other. */
function factorsOf(rows: readonly Row[]): Totals['factors'] {
  const factors = rows
    .flatMap(({ ratio }) =>
      ratio === undefined ? [] : [ratio > 0 ? Math.max(ratio, 1 / ratio) : Infinity],
    )
    .toSorted((one, other) => one - other);
  const least = (share: number) => factors[Math.ceil(factors.length * share) - 1];
  const [half, most] = [least(0.5), least(0.9)];
  return half === undefined || most === undefined ? undefined : { half, most };
}
