/** The ranges that the Lab proposes for a sweep, and the texts about one. */
import type { Catalogue, Setting, SettingValue } from '../core/simulation.ts';
import { mapOf, type HeatMap } from '../scene/sweep/map.ts';
import type { Scenario } from '../session/scenario.ts';
import type { Drawn, DrawnCurve, PublishedPoint, SweepPoint } from '../session/sweep.svelte.ts';
import { isMap, MOST_ROWS, type SweepPlan, type SweptCurves } from '../session/sweep-plan.ts';
import type { Table } from '../ui/csv.ts';
import { formatCount } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { faultText } from './fault-words.ts';
import { valueOf } from './figures.ts';
import { settingsFor } from './form.ts';

/** A setting with at most this many values is swept over all of them. */
const FEW = 8;
/** Factor from the current value to each end of the range. */
const WIDTH = 8;
const POINTS = 8;
const SEEDS = 3;
/** Number of curves proposed, and the factor between their values. */
const CURVES = 3;
const APART = 4;

/** Settings that can have a curve for each value: the scenario's kernel and all of its settings. */
export function curveSettings(catalogue: Catalogue, scenario: Scenario): readonly Setting[] {
  const kernel: Setting = {
    ...{ name: 'kernel', title: m.lab_kernel(), unit: '', about: '', kind: 'choice', place: '' },
    choices: catalogue.kernels,
    ...{ min: undefined, max: undefined, default: undefined, appliesTo: undefined },
  };
  return [kernel, ...settingsFor(catalogue, scenario)];
}

/** A sensible range of a setting, around the current value. */
export function proposed(setting: Setting, value: number | undefined, figure: string): SweepPlan {
  const { name, min = 0, max = 1_000_000 } = setting;
  const base = { setting: name, seeds: SEEDS, figure };
  if (max - min < FEW * 2)
    return { ...base, from: min, to: Math.min(max, min + FEW - 1), points: FEW, scale: 'even' };
  const known = typeof setting.default === 'number' ? setting.default : undefined;
  const middle = Math.max(value ?? known ?? Math.min(max, Math.max(min, 100)), 1);
  const from = Math.max(min, Math.round(middle / WIDTH), 1);
  const to = Math.min(max, Math.max(Math.round(middle * WIDTH), from + 1));
  return { ...base, from, to, points: POINTS, scale: 'log' };
}

/** The runs of two settings as a grid. */
export function gridOf({ curves }: Drawn): HeatMap<SettingValue> {
  return mapOf(curves.flatMap(({ on, ...row }) => (on === undefined ? [] : [{ ...row, on }])));
}

/** Initial values of a second setting, including the current one. */
export function proposedCurves(setting: Setting, held: SettingValue | undefined): SweptCurves {
  const { name, kind, choices, min = 0, max = 1_000_000 } = setting;
  if (kind === 'switch') return { setting: name, values: [false, true] };
  if (kind === 'choice') {
    const names = choices.map((choice) => choice.name);
    const first = held === undefined ? names : [String(held), ...names];
    return { setting: name, values: [...new Set(first)].slice(0, 2) };
  }
  const known = typeof setting.default === 'number' ? setting.default : undefined;
  const middle = typeof held === 'number' ? held : (known ?? Math.min(max, Math.max(min, 100)));
  const isFew = max - min < FEW * 2;
  const values = Array.from({ length: CURVES }, (_, at) =>
    isFew ? min + at : Math.round(Math.max(middle, 1) * APART ** (at - 1)),
  ).map((value) => Math.min(max, Math.max(min, value)));
  return { setting: name, values: [...new Set(values)] };
}

/** The plan with these curves, or with a single one. */
export function withCurves(plan: SweepPlan, curves: SweptCurves | undefined): SweepPlan {
  const { setting, from, to, points, scale, seeds, figure, isMap } = plan;
  const one = { setting, from, to, points, scale, seeds, figure };
  if (curves === undefined) return one;
  return isMap === undefined ? { ...one, curves } : { ...one, curves, isMap };
}

/** The plan with both settings as a heat map, or as curves. */
export function drawnAs(plan: SweepPlan, isMap: boolean): SweepPlan {
  const { curves } = plan;
  if (curves === undefined) return plan;
  const both = { ...withCurves(plan, undefined), curves };
  return isMap ? { ...both, isMap } : both;
}

/** The numbers in a typed list such as `1, 2, 4`; empty if it is invalid or too long. */
export function valuesFrom(text: string, { min = 0, max = 1e12 }: Setting): readonly number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const values = [...new Set(words.map((word) => (/^\d{1,12}$/.test(word) ? Number(word) : NaN)))];
  const isRight = values.length <= MOST_ROWS && values.every((one) => min <= one && one <= max);
  return isRight ? values : [];
}

/** A value of the setting with its unit. */
export function settingText({ unit }: Setting, value: number): string {
  return `${formatCount(value)} ${unit}`.trimEnd();
}

/** A value of any setting, as the name of its curve. */
export function curveText(setting: Setting, value: SettingValue): string {
  const named = (said: string) => m.sweep_curve_named({ setting: setting.title, value: said });
  if (typeof value === 'boolean') return named(value ? m.lab_on() : m.lab_off());
  if (typeof value === 'number')
    return setting.unit === '' ? named(formatCount(value)) : settingText(setting, value);
  return setting.choices.find(({ name }) => name === value)?.title ?? value;
}

/** A sentence for each knee of the curves; empty if there are none, or too little is known. */
export function kneeTexts(
  setting: Setting,
  beside: Setting | undefined,
  drawn: Drawn,
): readonly string[] {
  return drawn.curves.flatMap((curve) => {
    const said = kneeText(setting, drawn, curve);
    if (said === undefined) return [];
    if (beside === undefined || curve.on === undefined) return [said];
    return [m.sweep_knee_on({ curve: curveText(beside, curve.on), said })];
  });
}

function kneeText(
  setting: Setting,
  { quantity, unit }: Drawn,
  { knee, points, values }: DrawnCurve,
): string | undefined {
  const point = knee && points[knee.at];
  const value = knee && values[knee.at];
  if (point === undefined || value === undefined) return undefined;
  const said = {
    setting: setting.title,
    value: settingText(setting, value),
    figure: valueOf(quantity, unit, point.mean),
  };
  return knee?.bend === 'levels_off' ? m.sweep_levels_off(said) : m.sweep_takes_off(said);
}

/**
 * The small print of a sweep's picture, which is saved on its own, in pieces: scenario, settings, faults,
 * number of seeds, and the published entries compared with.
 */
export function sourceOf(
  catalogue: Catalogue,
  { machine, kernel, instrumentation, workload, settings, faults }: Scenario,
  plan: SweepPlan,
  published: readonly Pick<PublishedPoint, 'by' | 'entry'>[],
): readonly string[] {
  const swept = [plan.setting, plan.curves?.setting];
  // If kernels are swept, each curve names its own.
  const kernelOf = swept.includes('kernel') ? '' : kernel;
  const runs = isMap(plan) ? m.sweep_runs_at : m.sweep_runs_each;
  return [
    'Ringside',
    ...[machine, kernelOf, ...instrumentation, workload].filter((name) => name !== ''),
    ...Object.entries(settings)
      .filter(([name]) => !swept.includes(name))
      .map(([name, value]) => `${name} ${String(value)}`),
    ...faults.map((fault) => faultText(catalogue, fault)),
    runs({ count: formatCount(plan.seeds) }),
    ...published.map(({ by, entry }) => m.sweep_star({ by, entry })),
  ];
}

/** The points with their intervals, for a spreadsheet. */
export function sweepTable(
  plan: SweepPlan,
  { quantity, unit, curves, published }: Drawn,
  points: readonly SweepPoint[],
): Table {
  const named = plan.curves === undefined ? [] : [plan.curves.setting];
  const rows = curves.flatMap(({ on, values, points: means }) =>
    means.map(({ mean, halfWidth }, at) => {
      const value = values[at] ?? 0;
      const runs = points.find((point) => point.value === value && point.on === on)?.runs.length;
      const curve = on === undefined ? [] : [String(on)];
      return [...curve, value, mean, halfWidth, unit, runs ?? 0, 'modelled'];
    }),
  );
  const others = published.map(({ on, value, low, high, by, entry, item }) => {
    const curve = on === undefined ? [] : [String(on)];
    const source = `${by}, ${entry}, ${item}`;
    return [...curve, value, (low + high) / 2, (high - low) / 2, unit, undefined, source];
  });
  return {
    columns: [...named, plan.setting, quantity, `${quantity}_99`, 'unit', 'runs', 'source'],
    rows: [...rows, ...others],
  };
}
