/**
 * What the Lab's form shows for a scenario: which settings apply to its workload, what of it the
 * catalogue does not know, what is plainly out of bounds. The core has the last word; its refusal
 * names a field, which is found here.
 */
import { m } from '../words/generated/messages.js';
import type {
  Catalogue,
  Choice,
  Instrumentation,
  Setting,
  SettingValue,
} from '../core/simulation.ts';
import { problemOfNumber, type Problem } from './bounds.ts';
import { faultsFor, problemsOfFaults } from './faults.ts';
import { harmless } from '../session/harmless.ts';
import { settingIn, type Scenario } from '../session/scenario.ts';
import { formatRoundNanos } from '../ui/format.ts';
import { cpuCount, missingCpu, pinnedCpu } from './placement.ts';
import { cpusText } from './placement-words.ts';

/** What a change of the form gives the scenario. */
export type Change = Partial<Omit<Scenario, 'strange' | 'settings' | 'oddSettings'>>;

/**
 * Settings that do something in the scenario’s workload, with the bounds of its machine and the CPUs that it
 * has; none where the machine leaves no choice.
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

/** What decides which settings there are. */
type On = Pick<Scenario, 'machine' | 'workload' | 'settings'>;

/** Interrupts go to one CPU: that they may be those of one queue alone says something only then. */
const hasPinned = ({ settings }: On) => pinnedCpu(settings['irq_affinity']) !== undefined;

/** Where interrupts can go: to each CPU that there is; not what is the same as leaving it out. */
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

/** What can be put into the scenario’s kernel. */
export function instrumentationFor(
  catalogue: Catalogue,
  kernel: string,
): readonly Instrumentation[] {
  return catalogue.instrumentation.filter(({ kernels }) => kernels.includes(kernel));
}

/**
 * The scenario with something put into its kernel, or taken out again. Probes cost nothing where
 * nothing is put in: that setting goes with the last.
 */
export function withInstrumentation(scenario: Scenario, name: string, isIn: boolean): Scenario {
  const others = scenario.instrumentation.filter((one) => one !== name);
  const instrumentation = isIn ? [...others, name] : others;
  const next = { ...scenario, instrumentation };
  return instrumentation.length === 0 ? withSetting(next, 'probes', undefined) : next;
}

/** Something in the scenario that the form has no field for. */
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

/** A value that has no place in the form, as it stands in the text. */
const shown = (value: unknown): string => harmless(JSON.stringify(value));

/** The scenario without one of its strangers. */
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

/** The scenario without what is for other kernels than its own. */
function fitting(catalogue: Catalogue, scenario: Scenario): Scenario {
  const { kernel, instrumentation } = scenario;
  const misfits = catalogue.instrumentation.filter(({ kernels }) => !kernels.includes(kernel));
  const out = instrumentation.filter((name) => misfits.some((one) => one.name === name));
  return out.reduce((rest, name) => withInstrumentation(rest, name, false), scenario);
}

/**
 * Machine, kernel and workload have their own settings, instrumentation and faults: those of the one
 * before that mean nothing here are let go.
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

/** The scenario with a setting of its own; what cannot be any more because of it is mended along. */
export function turned(
  catalogue: Catalogue,
  scenario: Scenario,
  name: string,
  value: SettingValue | undefined,
): Scenario {
  return mended(catalogue, withSetting(scenario, name, value));
}

/**
 * Interrupts that went to a CPU that is not there any more go to the last one that is, and one queue’s alone are
 * meant only where a CPU is named.
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

/** Problems by the name of their field. */
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

/** The field that the core’s refusal is about: it begins with its path. */
export function fieldNamedIn(catalogue: Catalogue, message: string): string | undefined {
  const [, name, fault] = /^(?:settings\.)?((?:faults\.\d+\.)?(\w+))/.exec(message) ?? [];
  if (name !== undefined && name !== fault) return name;
  const fields = [
    ...['machine', 'kernel', 'instrumentation', 'workload', 'duration_us', 'warmup_us', 'seed'],
    ...catalogue.settings.map((setting) => setting.name),
  ];
  return fields.find((field) => field === name);
}

/** `100 µs to 10 s`, of bounds in microseconds. */
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
      // The list names what is usual; what else there is, the core knows.
      return undefined;
  }
}

/** Of a setting whose value none can have. */
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
