/**
 * What a sweep is of: one setting over a range, so many runs at each value, and the figure that is shown.
 * Knows how it is written in a link and how much it may ask for, not what settings there are.
 */
import * as v from 'valibot';
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
}

export const MOST_POINTS = 40;
export const MOST_SEEDS = 10;

/** The values, whole and in order; fewer than were asked for where whole numbers lie no closer. */
export function valuesOf({ from, to, points, scale }: SweepPlan): readonly number[] {
  const share = (at: number) => (points === 1 ? 0 : at / (points - 1));
  const isLog = scale === 'log' && from > 0;
  const value = (at: number) =>
    isLog ? from * (to / from) ** share(at) : from + (to - from) * share(at);
  const all = Array.from({ length: points }, (_, at) => Math.round(value(at)));
  return [...new Set(all)];
}

/** The scenario (JSON text) with the setting at a value. */
export function scenarioAt(text: string, setting: string, value: number): string {
  const scenario = readScenario(text);
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

/** `message_bytes.64.65536.8.log.3.throughput`. */
export const aSweep: Form<SweepPlan> = formOf(
  v.pipe(
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
    v.transform(([setting, from, to, points, scale, seeds, figure]): SweepPlan => ({
      ...{ setting, from, to, points, scale, seeds, figure },
    })),
  ),
  m.link_why_sweep,
  ({ setting, from, to, points, scale, seeds, figure }) =>
    [setting, from, to, points, scale, seeds, figure].join('.'),
);
