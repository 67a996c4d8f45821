/**
 * A scenario as the page handles it: read from the JSON text of a link, written back compactly
 * in one canonical order, and named. What its words mean, and whether they go together, the
 * core alone judges; here everything of the right form is kept as it stands.
 */
import type { Catalogue, SettingValue } from '../core/simulation.ts';
import { harmless } from './harmless.ts';

/** Empty or undefined where the text leaves something out. */
export interface Scenario {
  readonly machine: string;
  readonly kernel: string;
  /** What is put into the kernel, in order. */
  readonly instrumentation: readonly string[];
  readonly workload: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** Settings whose value none can have, as `null`, for the form to tell and the core to refuse. */
  readonly oddSettings: Readonly<Record<string, unknown>>;
  /** Simulated microseconds. */
  readonly durationUs: number | undefined;
  /** Of these the first are not measured. */
  readonly warmupUs: number | undefined;
  readonly seed: number | undefined;
  /** What goes wrong by hand, in order. */
  readonly faults: readonly Fault[];
  /** What else stands in the text, for the core to refuse by name. */
  readonly strange: Readonly<Record<string, unknown>>;
}

export interface Fault {
  /** Simulated microseconds from the start. */
  readonly atUs: number;
  /** And so many nanoseconds: which one of several frames in a microsecond is meant. */
  readonly atNs: number;
  /** Of a frame: the host sends it, not receives it. */
  readonly isSent: boolean;
  readonly kind: string;
  readonly arguments: Readonly<Record<string, number>>;
}

/** A setting by its name, which a scenario may give as it likes: `constructor` is none until it is set. */
export function settingIn(settings: Scenario['settings'], name: string): SettingValue | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** When it happens, in nanoseconds from the start of the simulation. */
export const momentOf = ({ atUs, atNs }: Fault): number => atUs * 1000 + atNs;

/** What kinds of faults were called once: links still say so. */
const FORMER_KINDS: ReadonlyMap<string, string> = new Map([['shrink_ring', 'set_ring']]);

/** Longer texts than this are none of ours, and no link. */
export const LONGEST_SCENARIO = 2000;

/** The text in its compact form; nothing where it is no JSON object. */
export function compacted(text: string): string | undefined {
  const value = parsed(text);
  const compact = value && JSON.stringify(value);
  return compact !== undefined && compact.length <= LONGEST_SCENARIO ? compact : undefined;
}

/** Reads any JSON object; of anything else nothing comes but an empty scenario. */
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

/** The shelf's title if the scenario is on it, else what runs on what. */
export function titleOf(catalogue: Catalogue, text: string): string {
  const { machine, kernel, instrumentation, workload } = readScenario(text);
  const canonical = canonicalOf(text);
  const shipped = catalogue.scenarios.find(({ scenario }) => canonicalOf(scenario) === canonical);
  if (shipped !== undefined) return shipped.title;
  const named = (choices: Catalogue['kernels'], name: string) =>
    choices.find((choice) => choice.name === name)?.title ?? harmless(name);
  const parts = [
    // What tells runs apart first: a header may cut the end.
    [
      named(catalogue.kernels, kernel),
      ...instrumentation.map((name) => named(catalogue.instrumentation, name)),
    ].join(' + '),
    named(catalogue.machines, machine),
    named(catalogue.workloads, workload),
  ];
  return parts.filter((part) => part !== '').join(' · ') || 'A scenario';
}

/** Two texts of one scenario, whatever the order of their fields, have the same canonical form. */
export function canonicalOf(text: string): string {
  const scenario = readScenario(text);
  const settings = Object.fromEntries(
    Object.entries(scenario.settings).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return writeScenario({ ...scenario, settings });
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (text.length > LONGEST_SCENARIO) return undefined;
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

/** JSON has no word for what is infinite: `1e999` would be written as null. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** What a setting can be set to, as far as the form is concerned. */
export function isSettingValue(value: unknown): value is SettingValue {
  return isNumber(value) || isText(value) || typeof value === 'boolean';
}

/** `at_us`, `do`, perhaps `sent`, and all else a number. */
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
