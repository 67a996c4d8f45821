/**
 * What the Lab's form shows for a scenario: the settings that apply to its workload, the parts that the
 * catalogue does not know, and values that are obviously out of bounds. The core decides; the field that
 * its refusal names is found here.
 */
import { m } from '../words/generated/messages.js';
import type {
  Catalogue,
  Choice,
  Instrumentation,
  Setting,
  SettingValue,
} from '../core/simulation.ts';
import { nameIn } from '../core/saying.ts';
import type { Trouble } from '../core/trouble.ts';
import { problemOfNumber, type Problem } from './bounds.ts';
import { faultsFor, problemsOfFaults } from './faults.ts';
import { harmless } from '../session/harmless.ts';
import { settingIn, type Scenario } from '../session/scenario.ts';
import { formatRoundNanos } from '../numbers/format.ts';
import { cpuCount, missingCpu, pinnedCpu } from './placement.ts';
import { cpusText } from './placement-words.ts';

/** A change in the form, as the changed parts of the scenario. */
export type Change = Partial<Omit<Scenario, 'strange' | 'settings' | 'oddSettings'>>;

/**
 * Settings that have an effect in the scenario’s workload, with the bounds of its machine and the CPUs that
 * it has; a setting for which the machine leaves no choice is omitted.
 */
export function settingsFor(catalogue: Catalogue, scenario: On): readonly Setting[] {
  const machine = catalogue.machines.find(({ name }) => name === scenario.machine);
  const limits = new Map(Object.entries(machine?.limits ?? {}));
  return catalogue.settings
    .filter(({ appliesTo }) => appliesTo?.includes(scenario.workload) ?? true)
    .filter(({ name }) => name !== 'irq_queue' || hasPinned(scenario))
    .map((setting) => ({ ...setting, max: least(setting.max, limits.get(setting.name)) }))
    .map((setting) =>
      setting.name === 'irq_affinity'
        ? { ...setting, choices: affinitiesOf(catalogue, scenario, setting) }
        : setting,
    )
    .filter(({ min, max }) => min === undefined || max === undefined || min < max);
}

/** The parts of a scenario that determine which settings apply. */
type On = Pick<Scenario, 'machine' | 'workload' | 'settings'>;

/** Whether interrupts go to a single CPU; only then can they be those of one queue alone. */
const hasPinned = ({ settings }: On) => pinnedCpu(settings['irq_affinity']) !== undefined;

/** The possible targets of interrupts: each existing CPU, without a choice that equals the default. */
function affinitiesOf(catalogue: Catalogue, scenario: On, setting: Setting): Setting['choices'] {
  const count = cpuCount(catalogue, scenario);
  if (count === undefined) return setting.choices;
  const held = settingIn(scenario.settings, setting.name);
  const rules = setting.choices.filter(
    ({ name }) => pinnedCpu(name) === undefined && (name !== 'fixed' || held === name),
  );
  const cpus = Array.from({ length: count }, (_, cpu) => ({
    name: `cpu${cpu}`,
    title: m.cpu({ cpu }),
  }));
  return [...rules, ...cpus];
}

function least(bound: number | undefined, limit: number | undefined): number | undefined {
  return bound !== undefined && limit !== undefined ? Math.min(bound, limit) : bound;
}

/** The instrumentation that fits the scenario’s kernel. */
export function instrumentationFor(
  catalogue: Catalogue,
  kernel: string,
): readonly Instrumentation[] {
  return catalogue.instrumentation.filter(({ kernels }) => kernels.includes(kernel));
}

/**
 * The scenario with an instrumentation added or removed. Without any instrumentation probes cost nothing,
 * so their setting is removed with the last one.
 */
export function withInstrumentation(scenario: Scenario, name: string, isIn: boolean): Scenario {
  const others = scenario.instrumentation.filter((one) => one !== name);
  const instrumentation = isIn ? [...others, name] : others;
  const next = { ...scenario, instrumentation };
  return instrumentation.length === 0 ? withSetting(next, 'probes', undefined) : next;
}

/** A part of the scenario for which the form has no field. */
export interface Stranger {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

export function strangersOf(catalogue: Catalogue, scenario: Scenario): readonly Stranger[] {
  const fields = settingsFor(catalogue, scenario);
  const isKnown = (name: string) => catalogue.settings.some((setting) => setting.name === name);
  const written = [
    ...Object.entries(scenario.settings).map(([name, value]) => ({
      name,
      value: harmless(String(value)),
    })),
    ...Object.entries(scenario.oddSettings).map(([name, value]) => ({ name, value: shown(value) })),
  ];
  const settings = written
    .filter(({ name }) => !fields.some((field) => field.name === name))
    .map(({ name, value }) => ({
      name,
      value,
      why: isKnown(name) ? m.lab_stranger_idle() : m.lab_stranger_setting(),
    }));
  const others = Object.entries(scenario.strange).map(([name, value]) => ({
    name,
    value: shown(value),
    why: m.lab_stranger_other(),
  }));
  return [...settings, ...others];
}

/** A value that the form cannot show, as JSON made harmless. */
const shown = (value: unknown): string => harmless(JSON.stringify(value));

/** The scenario without one part that the form cannot show. */
export function without(scenario: Scenario, name: string): Scenario {
  const { settings, oddSettings, strange } = scenario;
  return {
    ...scenario,
    settings: lacking(settings, name),
    oddSettings: lacking(oddSettings, name),
    strange: lacking(strange, name),
  };
}

function lacking<T>(from: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
}

/** The scenario without parts that are only for other kernels. */
function fitting(catalogue: Catalogue, scenario: Scenario): Scenario {
  const { kernel, instrumentation } = scenario;
  const misfits = catalogue.instrumentation.filter(({ kernels }) => !kernels.includes(kernel));
  const out = instrumentation.filter((name) => misfits.some((one) => one.name === name));
  return out.reduce((rest, name) => withInstrumentation(rest, name, false), scenario);
}

/**
 * Machine, kernel and workload have their own settings, instrumentation and faults: those of the previous
 * one that do not apply any more are removed.
 */
export function changed(catalogue: Catalogue, scenario: Scenario, change: Change): Scenario {
  const next = fitting(catalogue, { ...scenario, ...change });
  const after = settingsFor(catalogue, next).map(({ name }) => name);
  const gone = settingsFor(catalogue, scenario).filter(({ name }) => !after.includes(name));
  const kinds = faultsFor(catalogue, next.workload).map(({ name }) => name);
  const wereThere = faultsFor(catalogue, scenario.workload).map(({ name }) => name);
  const faults = next.faults.filter(
    ({ kind }) => kinds.includes(kind) || !wereThere.includes(kind),
  );
  const kept = faults.length === next.faults.length ? next : { ...next, faults };
  const left = gone
    .filter(({ name }) => Object.hasOwn(kept.settings, name))
    .reduce((rest, { name }) => without(rest, name), kept);
  return mended(catalogue, left);
}

/** The scenario with a setting changed, and others corrected that became invalid because of it. */
export function turned(
  catalogue: Catalogue,
  scenario: Scenario,
  name: string,
  value: SettingValue | undefined,
): Scenario {
  return mended(catalogue, withSetting(scenario, name, value));
}

/**
 * Interrupts of a CPU that no longer exists go to the last existing one; the restriction to one queue is
 * kept only if a CPU is named.
 */
function mended(catalogue: Catalogue, scenario: Scenario): Scenario {
  const isQueueLeft = scenario.settings['irq_queue'] !== undefined && !hasPinned(scenario);
  if (isQueueLeft) return withSetting(scenario, 'irq_queue', undefined);
  if (missingCpu(catalogue, scenario) === undefined) return scenario;
  const last = (cpuCount(catalogue, scenario) ?? 1) - 1;
  return withSetting(scenario, 'irq_affinity', `cpu${last}`);
}

export function withSetting(
  scenario: Scenario,
  name: string,
  value: SettingValue | undefined,
): Scenario {
  const oddSettings = lacking(scenario.oddSettings, name);
  const settings =
    value === undefined
      ? lacking(scenario.settings, name)
      : { ...scenario.settings, [name]: value };
  return { ...scenario, oddSettings, settings };
}

/** Error texts by the name of their field. */
export type Problems = ReadonlyMap<string, string>;

export function problemsOf(catalogue: Catalogue, scenario: Scenario): Problems {
  const { duration } = catalogue;
  const problems = [
    problemOfChoice('machine', catalogue.machines, scenario.machine),
    problemOfChoice('kernel', catalogue.kernels, scenario.kernel),
    problemOfInstrumentation(catalogue, scenario),
    problemOfChoice('workload', catalogue.workloads, scenario.workload),
    ...settingsFor(catalogue, scenario).map((setting) =>
      problemOfSetting(setting, settingIn(scenario.settings, setting.name)),
    ),
    ...catalogue.settings
      .filter(({ name }) => Object.hasOwn(scenario.oddSettings, name))
      .map((setting) => problemOfOdd(setting, scenario.oddSettings[setting.name])),
    problemOfAffinity(catalogue, scenario),
    problemOfDuration(duration, scenario.durationUs),
    problemOfWarmup(scenario),
    problemOfNumber('seed', scenario.seed, { min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
    ...problemsOfFaults(catalogue, scenario),
  ];
  return new Map(problems.filter((problem) => problem !== undefined));
}

/**
 * The field that a refusal is about. What only writers of data files meet has English words, which begin with the
 * field's path.
 */
export function fieldNamedIn(
  catalogue: Catalogue,
  { message, refusal }: Trouble,
): string | undefined {
  if (refusal?.code === 'scenario.unknown_field') return undefined;
  const named = refusal && nameIn(refusal, refusal.code === 'data.other' ? 'why' : 'field');
  const path = refusal === undefined ? message : (named ?? '');
  const [, name, fault] = /^(?:settings\.)?((?:faults\.\d+\.)?(\w+))/.exec(path) ?? [];
  if (name !== undefined && name !== fault) return name;
  const fields = [
    ...['machine', 'kernel', 'instrumentation', 'workload', 'duration_us', 'warmup_us', 'seed'],
    ...catalogue.settings.map((setting) => setting.name),
  ];
  return fields.find((field) => field === name);
}

/** `100 µs to 10 s`, from bounds in microseconds. */
export function durationsOf({ min, max }: Catalogue['duration']): string {
  return m.from_to({ from: formatRoundNanos(min * 1000), to: formatRoundNanos(max * 1000) });
}

function problemOfChoice(
  field: string,
  choices: readonly Choice[],
  name: string,
): Problem | undefined {
  if (choices.some((choice) => choice.name === name)) return undefined;
  return [field, name === '' ? m.lab_choose_one() : m.lab_not_known({ name: harmless(name) })];
}

function problemOfInstrumentation(
  catalogue: Catalogue,
  { kernel, instrumentation }: Scenario,
): Problem | undefined {
  const known = instrumentationFor(catalogue, kernel);
  const name = instrumentation.find((one) => !known.some((fits) => fits.name === one));
  return name === undefined
    ? undefined
    : [
        'instrumentation',
        m.lab_instrumentation_misfit({ name: harmless(name), kernel: harmless(kernel) }),
      ];
}

function problemOfSetting(setting: Setting, value: SettingValue | undefined): Problem | undefined {
  const { name, kind } = setting;
  if (value === undefined) return undefined;
  switch (kind) {
    case 'number':
      return typeof value === 'number'
        ? problemOfNumber(name, value, setting)
        : [name, m.lab_no_number({ value: harmless(String(value)) })];
    case 'switch':
      return typeof value === 'boolean'
        ? undefined
        : [name, m.lab_neither({ value: harmless(String(value)) })];
    case 'choice':
      // The list has the usual values; the core knows the others.
      return undefined;
  }
}

/** The error of a setting whose value has an impossible type. */
function problemOfOdd({ name, kind }: Setting, odd: unknown): Problem {
  const value = shown(odd);
  switch (kind) {
    case 'number':
      return [name, m.lab_no_number({ value })];
    case 'switch':
      return [name, m.lab_neither({ value })];
    case 'choice':
      return [name, m.lab_not_known({ name: value })];
  }
}

function problemOfAffinity(catalogue: Catalogue, scenario: Scenario): Problem | undefined {
  const cpu = missingCpu(catalogue, scenario);
  if (cpu === undefined) return undefined;
  const count = cpuCount(catalogue, scenario) ?? 0;
  const setting = catalogue.settings.find(({ name }) => name === 'cpus')?.title ?? 'cpus';
  const cpus = cpusText(Array.from({ length: count }, (_, at) => at));
  return ['irq_affinity', m.lab_no_cpu({ cpu, cpus, setting })];
}

function problemOfDuration(
  { min, max }: Catalogue['duration'],
  value: number | undefined,
): Problem | undefined {
  if (value !== undefined && min <= value && value <= max) return undefined;
  return ['duration_us', m.lab_duration_bounds({ bounds: durationsOf({ min, max }) })];
}

function problemOfWarmup({ warmupUs, durationUs }: Scenario): Problem | undefined {
  if (warmupUs === undefined || durationUs === undefined) return undefined;
  if (0 <= warmupUs && warmupUs < durationUs) return undefined;
  return ['warmup_us', m.lab_warmup_shorter()];
}
