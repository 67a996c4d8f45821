/**
 * The differences between two scenarios as text: machine, kernel with instrumentation, workload, settings,
 * the rest.
 */
import type { Catalogue, Choice } from '../core/simulation.ts';
import { harmless } from '../session/harmless.ts';
import { readScenario, settingIn, type Scenario } from '../session/scenario.ts';
import { formatRoundNanos } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { faultText } from './fault-words.ts';
import { cpuCount, pinnedCpu } from './placement.ts';
import type { Change } from './result.ts';
import { valueText } from './setting-choices.ts';

/** The title of an entry of a list; if the list lacks it, its name, made harmless. */
export const titleIn = (list: readonly Choice[], name: string): string =>
  list.find((one) => one.name === name)?.title ?? harmless(name);

export function changesOf(catalogue: Catalogue, before: string, after: string): readonly Change[] {
  return changesBetween(catalogue, readScenario(before), readScenario(after));
}

export function changesBetween(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
): readonly Change[] {
  const choice = (title: string, list: readonly Choice[], of: (one: Scenario) => string) =>
    change(title, titleIn(list, of(was)), titleIn(list, of(is)));
  const micros = (value: number | undefined) =>
    value === undefined ? m.lab_result_default() : formatRoundNanos(value * 1000);
  const names = new Set([...Object.keys(was.settings), ...Object.keys(is.settings)]);
  const settings = [...names]
    .filter((name) => settingIn(was.settings, name) !== settingIn(is.settings, name))
    .map((name) => settingChange(catalogue, was, is, name));
  return [
    choice(m.lab_machine(), catalogue.machines, ({ machine }) => machine),
    choice(m.lab_kernel(), catalogue.kernels, ({ kernel }) => kernel),
    change(
      m.lab_instrumentation(),
      instrumentationIn(catalogue, was),
      instrumentationIn(catalogue, is),
    ),
    choice(m.lab_workload(), catalogue.workloads, ({ workload }) => workload),
    ...settings,
    change(m.lab_duration(), micros(was.durationUs), micros(is.durationUs)),
    change(m.lab_warmup(), micros(was.warmupUs), micros(is.warmupUs)),
    change(m.lab_seed(), String(was.seed ?? ''), String(is.seed ?? '')),
    change(m.lab_faults(), faultsIn(catalogue, was), faultsIn(catalogue, is)),
  ].filter((one) => one.before !== one.after);
}

function settingChange(catalogue: Catalogue, was: Scenario, is: Scenario, name: string): Change {
  const setting = catalogue.settings.find((one) => one.name === name);
  const said = (of: Scenario) => {
    const value = settingIn(of.settings, name);
    if (setting !== undefined) return valueText(catalogue, of, setting, value);
    return value === undefined ? m.lab_result_default() : harmless(String(value));
  };
  const why = mendedWhy(catalogue, was, is, name);
  return { title: setting?.title ?? harmless(name), before: said(was), after: said(is), why };
}

/** Why a change of another setting required this one. */
function mendedWhy(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
  name: string,
): string | undefined {
  const [before, after] = [was, is].map(({ settings }) => pinnedCpu(settings['irq_affinity']));
  const [had = 0, has = Infinity] = [was, is].map((one) => cpuCount(catalogue, one));
  const isGone = before !== undefined && before < had && before >= has;
  if (name === 'irq_affinity' && isGone && after === has - 1)
    return m.lab_mended_cpu({ cpu: before });
  return name === 'irq_queue' && after === undefined ? m.lab_mended_queue() : undefined;
}

function instrumentationIn(catalogue: Catalogue, { instrumentation }: Scenario): string {
  const named = instrumentation.map((name) => titleIn(catalogue.instrumentation, name));
  return named.join(', ') || m.lab_instrumentation_none();
}

/** `Lose a frame at 1.5 ms, Take a CPU away (CPU 0, For 500 µs) at 2 ms`. */
function faultsIn(catalogue: Catalogue, { faults }: Scenario): string {
  if (faults.length === 0) return m.lab_faults_none();
  return faults.map((fault) => faultText(catalogue, fault)).join(', ');
}

function change(title: string, before: string, after: string): Change {
  return { title, before, after, why: undefined };
}
