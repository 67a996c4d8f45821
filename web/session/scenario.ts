/**
 * A scenario as the page handles it: parsed from the JSON text of a link, written in one compact canonical
 * form, and titled. Only the core checks what its words mean and whether they fit together; here every
 * well-formed field is kept unchanged.
 */
import type { CodedCatalogue, SettingValue } from '../core/simulation.ts';
import { harmless } from './harmless.ts';

/** A field is empty or undefined if the text omits it. */
export interface Scenario {
  readonly machine: string;
  readonly kernel: string;
  /** The instrumentation of the kernel, in order. */
  readonly instrumentation: readonly string[];
  readonly workload: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  /**
   * Settings with a value of a type that none accepts, such as `null`, for the form to report and the core
   * to refuse.
   */
  readonly oddSettings: Readonly<Record<string, unknown>>;
  /** Simulated microseconds. */
  readonly durationUs: number | undefined;
  /** Length of the warm-up at the start, which is not measured, in simulated microseconds. */
  readonly warmupUs: number | undefined;
  readonly seed: number | undefined;
  /** Injected faults, in order. */
  readonly faults: readonly Fault[];
  /** Unknown fields of the text, for the core to refuse by name. */
  readonly strange: Readonly<Record<string, unknown>>;
}

export interface Fault {
  /** Simulated microseconds from the start. */
  readonly atUs: number;
  /** Additional nanoseconds, which identify one of several frames in a microsecond. */
  readonly atNs: number;
  /** For a frame: whether the host sends it, rather than receives it. */
  readonly isSent: boolean;
  readonly kind: string;
  readonly arguments: Readonly<Record<string, number>>;
}

/** The value of a setting. A name may be any string: `constructor` is not set unless the scenario sets it. */
export function settingIn(settings: Scenario['settings'], name: string): SettingValue | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** The time of a fault, in nanoseconds from the start of the simulation. */
export const momentOf = ({ atUs, atNs }: Fault): number => atUs * 1000 + atNs;

/** Former names of kinds of faults, which old links still use. */
const FORMER_KINDS: ReadonlyMap<string, string> = new Map([['shrink_ring', 'set_ring']]);

/** Maximum length of a scenario's compact text in characters, so that it fits into a link. */
export const LONGEST_SCENARIO = 2000;

/** The text in compact form; `undefined` if it is not a JSON object, or too long for a link. */
export function compacted(text: string): string | undefined {
  const value = parsed(text);
  const compact = value && JSON.stringify(value);
  return compact === undefined || isTooLong(compact) ? undefined : compact;
}

/** Whether a scenario is longer than a link holds, so that it must not be made. */
export function isTooLong(scenario: string): boolean {
  return scenario.length > LONGEST_SCENARIO;
}

/** Reads any JSON object; other text gives an empty scenario. */
export function readScenario(text: string): Scenario {
  const { machine, kernel, instrumentation, workload, settings, ...more } = parsed(text) ?? {};
  const { duration_us, warmup_us, seed, faults, ...rest } = more;
  const strange: Record<string, unknown> = { ...rest };
  const take = <T>(key: string, value: unknown, isRight: (value: unknown) => value is T) => {
    if (value === undefined || isRight(value)) return value;
    strange[key] = value;
    return undefined;
  };
  const all = Object.entries(take('settings', settings, isObject) ?? {});
  const odd = all.filter(([, value]) => !isSettingValue(value));
  const sound = all.filter((pair): pair is [string, SettingValue] => isSettingValue(pair[1]));
  return {
    machine: take('machine', machine, isText) ?? '',
    kernel: take('kernel', kernel, isText) ?? '',
    instrumentation: take('instrumentation', instrumentation, areTexts) ?? [],
    workload: take('workload', workload, isText) ?? '',
    settings: Object.fromEntries(sound),
    oddSettings: Object.fromEntries(odd),
    durationUs: take('duration_us', duration_us, isNumber),
    warmupUs: take('warmup_us', warmup_us, isNumber),
    seed: take('seed', seed, isNumber),
    faults: (take('faults', faults, areFaults) ?? []).map(readFault),
    strange,
  };
}

export function writeScenario(scenario: Scenario): string {
  const { machine, kernel, instrumentation, workload, settings, durationUs } = scenario;
  const { warmupUs, seed, faults, strange, oddSettings } = scenario;
  const all = { ...oddSettings, ...settings };
  const hasSettings = Object.keys(all).length > 0;
  return JSON.stringify({
    ...(machine === '' ? {} : { machine }),
    ...(kernel === '' ? {} : { kernel }),
    ...(instrumentation.length === 0 ? {} : { instrumentation }),
    ...(workload === '' ? {} : { workload }),
    ...(hasSettings ? { settings: all } : {}),
    ...(durationUs === undefined ? {} : { duration_us: durationUs }),
    ...(warmupUs === undefined ? {} : { warmup_us: warmupUs }),
    ...(seed === undefined ? {} : { seed }),
    ...(faults.length === 0 ? {} : { faults: faults.map(writeFault) }),
    ...strange,
  });
}

/** The title on the shelf if the scenario is there, else its workload, kernel and machine. */
export function titleOf(catalogue: CodedCatalogue, text: string): string {
  const { machine, kernel, instrumentation, workload } = readScenario(text);
  const canonical = canonicalOf(text);
  const shipped = catalogue.scenarios.find(({ scenario }) => canonicalOf(scenario) === canonical);
  if (shipped !== undefined) return shipped.title;
  const named = (choices: CodedCatalogue['kernels'], name: string) =>
    choices.find((choice) => choice.name === name)?.title ?? harmless(name);
  const parts = [
    // The parts that distinguish runs come first: a header may truncate the title.
    [
      named(catalogue.kernels, kernel),
      ...instrumentation.map((name) => named(catalogue.instrumentation, name)),
    ].join(' + '),
    named(catalogue.machines, machine),
    named(catalogue.workloads, workload),
  ];
  return parts.filter((part) => part !== '').join(' · ') || 'A scenario';
}

/** The canonical form, which is equal for two texts of one scenario, in whatever order their fields are. */
export function canonicalOf(text: string): string {
  const scenario = readScenario(text);
  const settings = Object.fromEntries(
    Object.entries(scenario.settings).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return writeScenario({ ...scenario, settings });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** JSON cannot represent infinity: `1e999` would be written as null. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Whether a value has a type that the form accepts for a setting. */
export function isSettingValue(value: unknown): value is SettingValue {
  return isNumber(value) || isText(value) || typeof value === 'boolean';
}

/** `at_us`, `do`, optionally `sent`, and numeric fields. */
type WrittenFault = Readonly<Record<string, unknown>> & {
  readonly at_us: number;
  readonly do: string;
};

function areFaults(value: unknown): value is readonly WrittenFault[] {
  return Array.isArray(value) && value.every(isFault);
}

export function isFault(value: unknown): value is WrittenFault {
  if (!isObject(value)) return false;
  const { do: kind, sent = false, ...numbers } = value;
  return (
    isText(kind) &&
    typeof sent === 'boolean' &&
    isNumber(numbers['at_us']) &&
    Object.values(numbers).every(isNumber)
  );
}

export function readFault({ at_us: atUs, do: kind, sent, ...rest }: WrittenFault): Fault {
  const { at_ns: atNs = 0, ...others } = rest as Readonly<Record<string, number>>;
  const numbers = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    atUs,
    atNs,
    isSent: sent === true,
    kind: FORMER_KINDS.get(kind) ?? kind,
    arguments: Object.fromEntries(numbers),
  };
}

export function writeFault({ atUs, atNs, isSent, kind, arguments: numbers }: Fault): WrittenFault {
  return {
    at_us: atUs,
    ...(atNs === 0 ? {} : { at_ns: atNs }),
    do: kind,
    ...numbers,
    ...(isSent ? { sent: true } : {}),
  };
}
