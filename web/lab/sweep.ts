/** What a sweep in the Lab is offered over, and how it is said. */
import type { Setting } from '../core/simulation.ts';
import type { Drawn, SweepPoint } from '../session/sweep.svelte.ts';
import type { SweepPlan } from '../session/sweep-plan.ts';
import type { Table } from '../ui/csv.ts';
import { formatCount } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import { valueOf } from './figures.ts';

/** Of a setting with few values every one is run. */
const FEW = 8;
/** To both sides of the value that holds, as a factor. */
const WIDTH = 8;
const POINTS = 8;
const SEEDS = 3;

/** A sensible range of a setting, around the value that holds. */
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

/** A value of the setting with its unit. */
export function settingText({ unit }: Setting, value: number): string {
  return `${formatCount(value)} ${unit}`.trimEnd();
}

/** Where the curve bends, in a sentence; nothing where it does not, or too little is known. */
export function kneeText(setting: Setting, drawn: Drawn): string | undefined {
  const { curve, values, quantity, unit } = drawn;
  const at = curve.knee?.at;
  const point = at === undefined ? undefined : curve.points[at];
  const value = at === undefined ? undefined : values[at];
  if (curve.knee === undefined || point === undefined || value === undefined) return undefined;
  const said = {
    setting: setting.title,
    value: settingText(setting, value),
    figure: valueOf(quantity, unit, point.mean),
  };
  return curve.knee.bend === 'levels_off' ? m.sweep_levels_off(said) : m.sweep_takes_off(said);
}

/** The points with their intervals, for a spreadsheet. */
export function sweepTable(setting: Setting, drawn: Drawn, points: readonly SweepPoint[]): Table {
  const runsAt = new Map(points.map(({ value, runs }) => [value, runs.length]));
  return {
    columns: [setting.name, drawn.quantity, `${drawn.quantity}_99`, 'unit', 'runs'],
    rows: drawn.curve.points.map(({ mean, halfWidth }, at) => {
      const value = drawn.values[at] ?? 0;
      return [value, mean, halfWidth, drawn.unit, runsAt.get(value) ?? 0];
    }),
  };
}
