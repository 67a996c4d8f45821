/**
 * What a sweep is of: one setting over a range, a second one with a curve or a row for each of its values, so many
 * runs at each point, and the figure that is shown. Knows how it is written in a link and how much it may
 * ask for, not what settings there are.
 */
import * as v from 'valibot';
import type { SettingValue } from '../core/simulation.ts';
import { m } from '../words/generated/messages.js';
import { readScenario, writeScenario } from './scenario.ts';
import { formOf, type Form } from './view-state-forms.ts';

export const SCALES = ['even', 'log'] as const;
export type Scale = (typeof SCALES)[number];

export interface SweepPlan {
  /** A setting that is a number, by its name. */
  readonly setting: string;
  readonly from: number;
  readonly to: number;
  /** How many values, both ends among them. */
  readonly points: number;
  /** Steps that are as wide, or as many times the value before. */
  readonly scale: Scale;
  /** Runs at each value. */
  readonly seeds: number;
  /** The quantity that is shown. */
  readonly figure: string;
  readonly curves?: SweptCurves;
  /** Both settings as a heat map. */
  readonly isMap?: true;
}

/** A second setting: each of its values has a curve, or a row of the heat map. */
export interface SweptCurves {
  /** By its name, or a field of the scenario itself: `kernel`. */
  readonly setting: string;
  readonly values: readonly SettingValue[];
}

export const MOST_POINTS = 40;
export const MOST_SEEDS = 10;
/** As many as a chart has colours and shapes for; more are a heat map. */
export const MOST_CURVES = 6;
export const MOST_ROWS = 12;

/** Whether it is drawn as a heat map. */
export function isMap({ curves, isMap: isWanted }: SweepPlan): boolean {
  return curves !== undefined && (isWanted === true || curves.values.length > MOST_CURVES);
}

/** Fields of a scenario beside its settings that can be swept, as on the command line. */
const FIELDS: readonly string[] = ['machine', 'kernel', 'workload'];

/** The values, whole and in order; fewer than were asked for where whole numbers lie no closer. */
export function valuesOf({ from, to, points, scale }: SweepPlan): readonly number[] {
  const share = (at: number) => (points === 1 ? 0 : at / (points - 1));
  const isLog = scale === 'log' && from > 0;
  const value = (at: number) =>
    isLog ? from * (to / from) ** share(at) : from + (to - from) * share(at);
  const all = Array.from({ length: points }, (_, at) => Math.round(value(at)));
  return [...new Set(all)];
}

/** The scenario (JSON text) with a setting, or a field such as `kernel`, at a value. */
export function scenarioAt(text: string, setting: string, value: SettingValue): string {
  const scenario = readScenario(text);
  if (FIELDS.includes(setting)) return writeScenario({ ...scenario, [setting]: String(value) });
  return writeScenario({ ...scenario, settings: { ...scenario.settings, [setting]: value } });
}

const whole = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,12}$/),
    v.transform(Number),
    v.minValue(least),
    v.maxValue(most),
  );
const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/));

const aRange = v.pipe(
  v.string(),
  v.transform((text) => text.split('.')),
  v.strictTuple([
    name,
    whole(0, 1e12),
    whole(0, 1e12),
    whole(2, MOST_POINTS),
    v.picklist(SCALES),
    whole(1, MOST_SEEDS),
    name,
  ]),
  v.check(([, from, to]) => from < to),
);

/** Behind a range that is drawn as a heat map. */
const MAP = /\.map$/;

const aValue = v.pipe(v.string(), v.regex(/^[a-z0-9][\w.-]{0,39}$/), v.transform(valueFrom));

const theCurves = v.pipe(
  v.array(v.string()),
  v.tupleWithRest([name, aValue], aValue),
  v.maxLength(MOST_ROWS + 1),
  v.check(([, ...values]) => new Set(values).size === values.length),
);

/**
 * `message_bytes.64.65536.8.log.3.throughput`, and with curves `~kernel~2.4.20~2.6.3` behind it; as a heat map
 * `.map` before that.
 */
export const aSweep: Form<SweepPlan> = formOf(
  v.pipe(
    v.string(),
    v.transform((text) => text.split('~')),
    v.transform(([range = '', ...curves]) => ({
      range: range.replace(MAP, ''),
      curves: curves.length === 0 ? undefined : curves,
      isMap: MAP.test(range),
    })),
    v.object({ range: aRange, curves: v.undefinedable(theCurves), isMap: v.boolean() }),
    v.check(({ range: [setting], curves }) => setting !== curves?.[0]),
    v.check(({ curves, isMap }) => !isMap || curves !== undefined),
    v.transform(({ range, curves, isMap }): SweepPlan => {
      const [setting, from, to, points, scale, seeds, figure] = range;
      const plan = { setting, from, to, points, scale, seeds, figure };
      if (curves === undefined) return plan;
      const [beside, ...values] = curves;
      const both = { ...plan, curves: { setting: beside, values } };
      return isMap ? { ...both, isMap } : both;
    }),
  ),
  m.link_why_sweep,
  ({ setting, from, to, points, scale, seeds, figure, curves, isMap: isWanted }) => {
    const map = isWanted && curves !== undefined ? ['map'] : [];
    const range = [setting, from, to, points, scale, seeds, figure, ...map].join('.');
    return curves === undefined ? range : [range, curves.setting, ...curves.values].join('~');
  },
);

/** A value as it stands in a link: a number, a switch, or a word. */
function valueFrom(text: string): SettingValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,12}$/.test(text) ? Number(text) : text;
}
