/**
 * What the Lab's form shows for a scenario: which settings apply to its workload, what of it the
 * catalogue does not know, what is plainly out of bounds. The core has the last word; its refusal
 * names a field, which is found here.
 */
import type { Catalogue, Choice, Setting, SettingValue } from '../core/simulation.ts';
import type { Scenario } from '../session/scenario.ts';
import { formatCount, formatRoundNanos } from '../ui/format.ts';

/** What a change of the form gives the scenario. */
export type Change = Partial<Omit<Scenario, 'strange' | 'settings'>>;

export function settingsFor({ settings }: Catalogue, workload: string): readonly Setting[] {
  return settings.filter(({ appliesTo }) => appliesTo?.includes(workload) ?? true);
}

/** Something in the scenario that the form has no field for. */
export interface Stranger {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

export function strangersOf(catalogue: Catalogue, scenario: Scenario): readonly Stranger[] {
  const fields = settingsFor(catalogue, scenario.workload);
  const isKnown = (name: string) => catalogue.settings.some((setting) => setting.name === name);
  const settings = Object.entries(scenario.settings)
    .filter(([name]) => !fields.some((field) => field.name === name))
    .map(([name, value]) => ({
      name,
      value: String(value),
      why: isKnown(name) ? 'does nothing in this workload' : 'is not a setting',
    }));
  const others = Object.entries(scenario.strange).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
    why: 'is not part of a scenario in this form',
  }));
  return [...settings, ...others];
}

/** The scenario without one of its strangers. */
export function without(scenario: Scenario, name: string): Scenario {
  const rest = <T>(from: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
  return { ...scenario, settings: rest(scenario.settings), strange: rest(scenario.strange) };
}

/** A workload brings its own settings: those of the one before that mean nothing here are let go. */
export function changed(catalogue: Catalogue, scenario: Scenario, change: Change): Scenario {
  const next = { ...scenario, ...change };
  if (next.workload === scenario.workload) return next;
  const before = settingsFor(catalogue, scenario.workload);
  const after = settingsFor(catalogue, next.workload);
  const gone = before.filter((setting) => !after.includes(setting));
  return gone.reduce((rest, { name }) => without(rest, name), next);
}

export function withSetting(
  scenario: Scenario,
  name: string,
  value: SettingValue | undefined,
): Scenario {
  if (value === undefined) {
    const settings = Object.entries(scenario.settings).filter(([key]) => key !== name);
    return { ...scenario, settings: Object.fromEntries(settings) };
  }
  return { ...scenario, settings: { ...scenario.settings, [name]: value } };
}

/** Problems by the name of their field. */
export type Problems = ReadonlyMap<string, string>;

export function problemsOf(catalogue: Catalogue, scenario: Scenario): Problems {
  const { duration } = catalogue;
  const problems = [
    problemOfChoice('machine', catalogue.machines, scenario.machine),
    problemOfChoice('kernel', catalogue.kernels, scenario.kernel),
    problemOfChoice('workload', catalogue.workloads, scenario.workload),
    ...settingsFor(catalogue, scenario.workload).map((setting) =>
      problemOfSetting(setting, scenario.settings[setting.name]),
    ),
    problemOfDuration(duration, scenario.durationUs),
    problemOfWarmup(scenario),
    problemOfNumber('seed', scenario.seed, { min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
  ];
  return new Map(problems.filter((problem) => problem !== undefined));
}

/** The field that the core’s refusal is about: it begins with its path. */
export function fieldNamedIn(catalogue: Catalogue, message: string): string | undefined {
  const [, name] = /^(?:settings\.)?(\w+)/.exec(message) ?? [];
  const fields = [
    ...['machine', 'kernel', 'workload', 'duration_us', 'warmup_us', 'seed'],
    ...catalogue.settings.map((setting) => setting.name),
  ];
  return fields.find((field) => field === name);
}

/** `576 to 9,000 bytes`; nothing where there are no bounds. */
export function boundsOf({ min, max, unit }: Bounds): string | undefined {
  const named = unit === '' ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined) {
    return `${formatCount(min)} to ${formatCount(max)}${named}`;
  }
  if (min !== undefined) return `${formatCount(min)}${named} or more`;
  if (max !== undefined) return `${formatCount(max)}${named} at most`;
  return undefined;
}

/** `100 µs to 10 s`, of bounds in microseconds. */
export function durationsOf({ min, max }: Catalogue['duration']): string {
  return `${formatRoundNanos(min * 1000)} to ${formatRoundNanos(max * 1000)}`;
}

/** What holds where a setting is left out, in words. */
export function defaultOf(setting: Setting): string {
  const value = setting.default;
  if (value === undefined) return 'by machine and kernel';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return formatCount(value);
  return setting.choices.find(({ name }) => name === value)?.title ?? value;
}

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly unit: string;
}

type Problem = readonly [field: string, sentence: string];

function problemOfChoice(
  field: string,
  choices: readonly Choice[],
  name: string,
): Problem | undefined {
  if (choices.some((choice) => choice.name === name)) return undefined;
  return [field, name === '' ? 'Choose one.' : `“${name}” is not known; choose one of the list.`];
}

function problemOfSetting(setting: Setting, value: SettingValue | undefined): Problem | undefined {
  const { name, kind } = setting;
  if (value === undefined) return undefined;
  switch (kind) {
    case 'number':
      return typeof value === 'number'
        ? problemOfNumber(name, value, setting)
        : [name, `“${value}” is not a number.`];
    case 'switch':
      return typeof value === 'boolean' ? undefined : [name, `“${value}” is neither on nor off.`];
    case 'choice':
      // The list names what is usual; what else there is, the core knows.
      return undefined;
  }
}

function problemOfDuration(
  { min, max }: Catalogue['duration'],
  value: number | undefined,
): Problem | undefined {
  if (value === undefined || (min <= value && value <= max)) return undefined;
  return ['duration_us', `From ${durationsOf({ min, max })}.`];
}

function problemOfWarmup({ warmupUs, durationUs }: Scenario): Problem | undefined {
  if (warmupUs === undefined || durationUs === undefined) return undefined;
  if (0 <= warmupUs && warmupUs < durationUs) return undefined;
  return ['warmup_us', 'Shorter than the run.'];
}

function problemOfNumber(
  field: string,
  value: number | undefined,
  bounds: Bounds,
): Problem | undefined {
  if (value === undefined) return undefined;
  const { min = -Infinity, max = Infinity } = bounds;
  if (min <= value && value <= max && Number.isInteger(value)) return undefined;
  return [field, `A whole number, ${boundsOf(bounds) ?? 'of any size'}.`];
}
