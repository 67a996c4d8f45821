/**
 * A sweep of the Lab: the scenario in its form at each value of one setting or two, with several seeds, on
 * all cores. What has run is kept, also beyond the page, so that a wider range, another figure or the same link
 * at another time runs only what is missing.
 */
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Core } from '../core/core.ts';
import type { Curve, Figures, PublishedBeside, Quantity, Unit } from '../core/figures.ts';
import type { SettingValue } from '../core/simulation.ts';
import { withSeed } from './tried-out.ts';
import { holdSame } from './same.ts';
import { canonicalOf } from './scenario.ts';
import {
  MOST_ROWS,
  MOST_POINTS,
  MOST_SEEDS,
  scenarioAt,
  valuesOf,
  type SweepPlan,
} from './sweep-plan.ts';
import type { Trouble } from '../core/trouble.ts';

/** Figures of so many runs are kept: those of the largest sweep. */
const MOST_KEPT = MOST_POINTS * MOST_ROWS * MOST_SEEDS;

/** Figures of runs that outlive the page, by names; where it refuses, none do. */
export interface RunStore {
  readonly read: (names: readonly string[]) => Promise<ReadonlyMap<string, Figures>>;
  readonly keep: (name: string, figures: Figures) => Promise<void>;
}

/** One value of the setting, and of the second one if there is one, and what the runs at it gave. */
export interface SweepPoint {
  readonly value: number;
  /** The second setting's value: on which curve it lies. */
  readonly on: SettingValue | undefined;
  /** The scenario at it (JSON text). */
  readonly scenario: string;
  readonly runs: readonly Figures[];
  readonly refused: Trouble | undefined;
}

/** One figure through the points that have run. */
export interface Drawn {
  readonly quantity: Quantity;
  readonly unit: Unit;
  readonly curves: readonly DrawnCurve[];
  /** Published numbers of the same conditions. */
  readonly published: readonly PublishedPoint[];
}

/** A published number of the figure at a point of the sweep. */
export interface PublishedPoint extends Omit<PublishedBeside, 'at'> {
  readonly value: number;
  readonly on: SettingValue | undefined;
}

/** A curve: the one of a value of the second setting, or the only one. */
export interface DrawnCurve extends Curve {
  readonly on: SettingValue | undefined;
  /** The first setting's at its points. */
  readonly values: readonly number[];
}

/** What a plan means for a scenario. */
interface Planned {
  /** The scenario, the plan and the machines. */
  readonly of: string;
  readonly points: readonly (Pick<SweepPoint, 'value' | 'on' | 'scenario'> & {
    /** Under which name it is kept that the value was refused. */
    readonly key: string;
    /** The same of the run with each seed. */
    readonly seeds: readonly string[];
  })[];
}

export class Sweep {
  readonly #core: Core;
  readonly #machines: () => readonly string[];
  readonly #store: RunStore;
  #plan = $state.raw<SweepPlan>();
  readonly #kept = new SvelteMap<string, Figures>();
  readonly #refused = new SvelteMap<string, Trouble>();
  #isRunning = $state(false);
  #drawn = $state.raw<Drawn>();
  #abort = new AbortController();
  #planned: Planned | undefined;
  #beside: { readonly of: string; readonly all: Promise<readonly PublishedBeside[]> } | undefined;
  #toDraw: readonly SweepPoint[] | undefined;
  #drawing: Promise<void> | undefined;

  constructor(core: Core, machines: () => readonly string[], store: RunStore) {
    this.#core = core;
    this.#machines = machines;
    this.#store = store;
  }

  get plan(): SweepPlan | undefined {
    return this.#plan;
  }
  get isRunning(): boolean {
    return this.#isRunning;
  }
  /** The curves of the plan's figure, as far as they have come. */
  get drawn(): Drawn | undefined {
    return this.#drawn;
  }

  /** Another range, figure or kind of picture; what is under way for another range ends. */
  set(plan: SweepPlan | undefined): void {
    const ran = (of: SweepPlan | undefined) => of && { ...of, figure: '', isMap: false };
    if (!holdSame(ran(plan), ran(this.#plan))) this.stop();
    this.#plan = plan;
  }

  /** The points of the plan for a scenario (JSON text), with what has run of them. */
  points(scenario: string): readonly SweepPoint[] {
    const plan = this.#plan;
    if (plan === undefined) return [];
    return this.#keys(scenario, plan).map(({ key, seeds, ...point }) => {
      const runs = seeds.map((key) => this.#kept.get(key)).filter((run) => run !== undefined);
      return { ...point, runs, refused: this.#refused.get(key) };
    });
  }

  /** Under which names the runs of a plan are kept. Every run that comes asks for all of them anew. */
  #keys(scenario: string, plan: SweepPlan): Planned['points'] {
    const of = JSON.stringify([scenario, plan, this.#machines()]);
    if (this.#planned?.of === of) return this.#planned.points;
    const { curves, setting } = plan;
    const bases = curves?.values.map((on) => ({
      ...{ on, base: scenarioAt(scenario, curves.setting, on) },
    })) ?? [{ on: undefined, base: scenario }];
    const points = bases.flatMap(({ on, base }) =>
      valuesOf(plan).map((value) => {
        const at = scenarioAt(canonicalOf(base), setting, value);
        const all = Array.from({ length: plan.seeds }, (_, seed) => withSeed(at, seed));
        return {
          ...{ value, on, scenario: at, key: this.#key(at) },
          seeds: all.map((text) => this.#key(text)),
        };
      }),
    );
    this.#planned = { of, points };
    return points;
  }

  /** Takes in what an earlier visit ran of the plan. */
  async recall(scenario: string): Promise<void> {
    const plan = this.#plan;
    if (plan === undefined) return;
    const names = this.#keys(scenario, plan).flatMap(({ seeds }) => seeds);
    // What is taken in here must not ask for it again.
    const missing = untrack(() => names.filter((name) => !this.#kept.has(name)));
    if (missing.length === 0) return;
    for (const [name, figures] of await this.#store.read(missing)) this.#hold(name, figures);
  }

  /** Runs what is missing of it, value after value, as many at once as there are CPUs. */
  async run(scenario: string): Promise<void> {
    this.stop();
    const plan = this.#plan;
    if (plan === undefined) return;
    const { signal } = (this.#abort = new AbortController());
    this.#isRunning = true;
    // What was refused, or failed, is tried once more.
    this.#refused.clear();
    await this.recall(scenario);
    const seeds = Array.from({ length: plan.seeds }, (_, seed) => seed);
    // All values once, then all with the next seed: the whole curves are there early.
    const points = this.points(scenario);
    const runs = seeds.flatMap((seed) =>
      points.map((point) => this.#run(point.scenario, seed, signal)),
    );
    await Promise.all(runs);
    if (!signal.aborted) this.#isRunning = false;
  }

  /** Nothing more is wanted. What has come stays. */
  stop(): void {
    this.#abort.abort();
    this.#isRunning = false;
  }

  /**
   * Draws the plan's figure through the points; those that do not tell it are left out. While the core draws, the
   * newest points wait and those between are never drawn: runs may come faster than curves.
   */
  draw(points: readonly SweepPoint[]): Promise<void> {
    this.#toDraw = points;
    this.#drawing ??= this.#drawAll().finally(() => (this.#drawing = undefined));
    return this.#drawing;
  }

  async #drawAll(): Promise<void> {
    while (this.#toDraw !== undefined) {
      const points = this.#toDraw;
      this.#toDraw = undefined;
      await this.#draw(points);
    }
  }

  async #draw(points: readonly SweepPoint[]): Promise<void> {
    const plan = this.#plan;
    const told = points.flatMap(({ value, on, runs }) => {
      const figures = runs.flatMap((run) => ofWhole(run, plan?.figure) ?? []);
      return figures.length === 0 ? [] : [{ value, on, figures }];
    });
    const [first] = told.flatMap(({ figures }) => figures);
    if (first === undefined) {
      this.#drawn = undefined;
      return;
    }
    const curves = (plan?.curves?.values ?? [undefined])
      .map((on) => told.filter((point) => point.on === on))
      .filter((of) => of.length > 0)
      .map(async (of) => {
        const values = of.map(({ value }) => value);
        const runs = of.map(({ figures }) => figures.map((one) => one.value));
        const curve = await this.#core.curve(values, plan?.scale === 'log', runs);
        return { on: of[0]?.on, values, ...curve };
      });
    const { quantity, unit } = first;
    const drawn = {
      ...{ quantity, unit, curves: await Promise.all(curves) },
      published: await this.#published(points, plan, quantity),
    };
    if (plan === this.#plan) this.#drawn = drawn;
  }

  /** The published numbers of the figure within the range and on a curve; asked for once for a scenario. */
  async #published(
    points: readonly SweepPoint[],
    plan: SweepPlan | undefined,
    figure: string,
  ): Promise<readonly PublishedPoint[]> {
    const [first] = points;
    if (plan === undefined || first === undefined) return [];
    const { setting, from, to, curves } = plan;
    const swept = curves === undefined ? [setting] : [setting, curves.setting];
    const of = JSON.stringify([first.scenario, swept]);
    if (this.#beside?.of !== of) {
      // The curves are drawn without them where they do not come; the next curve asks again.
      const all = this.#core.publishedBeside(first.scenario, swept).catch(() => {
        if (this.#beside?.of === of) this.#beside = undefined;
        return [];
      });
      this.#beside = { of, all };
    }
    return (await this.#beside.all).flatMap(({ at: [value, on], ...published }) => {
      const isWithin = typeof value === 'number' && from <= value && value <= to;
      const isOn = curves === undefined || (on !== undefined && curves.values.includes(on));
      return isWithin && isOn && published.figure === figure ? [{ ...published, value, on }] : [];
    });
  }

  async #run(scenario: string, seed: number, signal: AbortSignal): Promise<void> {
    const text = withSeed(scenario, seed);
    if (this.#kept.has(this.#key(text)) || this.#refused.has(this.#key(scenario))) return;
    const outcome = await this.#core.tryOut(text, signal, this.#machines());
    if (outcome.kind === 'ok') this.#keep(text, outcome.value);
    if (outcome.kind === 'failed' && !signal.aborted)
      this.#refused.set(this.#key(scenario), outcome);
  }

  /** A sweep shows what runs tell of their whole, and of that there may be thousands. */
  #keep(text: string, run: Figures): void {
    const figures = { ...run, all: run.all.filter(({ kind }) => kind === 'run') };
    const name = this.#key(text);
    this.#hold(name, figures);
    void this.#store.keep(name, figures);
  }

  #hold(name: string, figures: Figures): void {
    this.#kept.set(name, figures);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** A machine of one's own may be another one by now. */
  #key(text: string): string {
    return [text, ...this.#machines()].join('\n');
  }
}

/** The points of a scenario's sweep, as long as a component shows them. Must be called while the component is set up. */
export function sweptBy(
  sweep: () => Sweep,
  scenario: () => string,
): { readonly points: readonly SweepPoint[] } {
  const points = $derived(sweep().points(scenario()));
  // The core draws the curves in its worker.
  $effect(() => void sweep().draw(points));
  // A link or a reloaded page names a plan of which the browser may keep some runs.
  $effect(() => void sweep().recall(scenario()));
  // If the scenario changes, the workers run the previous one's for nobody.
  $effect(() => (scenario() === '' ? undefined : () => sweep().stop()));
  return {
    get points() {
      return points;
    },
  };
}

function ofWhole(run: Figures, figure: string | undefined) {
  return run.all.find(({ quantity, kind }) => quantity === figure && kind === 'run');
}
