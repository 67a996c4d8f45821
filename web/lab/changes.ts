/** What of a scenario differs from another, in words: machine, kernel with what is put into it, workload, settings, the rest. */
import type { Catalogue, Choice, SettingValue } from '../core/simulation.ts';
import { readScenario, type Scenario } from '../session/scenario.ts';
import { formatCount, formatRoundNanos } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import { faultText } from './fault-words.ts';
import { defaultOf } from './form.ts';
import type { Change } from './result.ts';

export function changesOf(catalogue: Catalogue, before: string, after: string): readonly Change[] {
  const [was, is] = [readScenario(before), readScenario(after)];
  const choice = (title: string, list: readonly Choice[], of: (one: Scenario) => string) => {
    const named = (name: string) => list.find((one) => one.name === name)?.title ?? name;
    return change(title, named(of(was)), named(of(is)));
  };
  const micros = (value: number | undefined) =>
    value === undefined ? m.lab_result_default() : formatRoundNanos(value * 1000);
  const names = new Set([...Object.keys(was.settings), ...Object.keys(is.settings)]);
  const settings = [...names].map((name) => {
    const setting = catalogue.settings.find((one) => one.name === name);
    const said = (value: SettingValue | undefined): string => {
      if (value === undefined)
        return setting === undefined ? m.lab_result_default() : defaultOf(setting);
      if (typeof value === 'boolean') return value ? m.lab_on() : m.lab_off();
      if (typeof value === 'number')
        return `${formatCount(value)} ${setting?.unit ?? ''}`.trimEnd();
      return setting?.choices.find((one) => one.name === value)?.title ?? value;
    };
    return change(setting?.title ?? name, said(was.settings[name]), said(is.settings[name]));
  });
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

function instrumentationIn(catalogue: Catalogue, { instrumentation }: Scenario): string {
  const named = instrumentation.map(
    (name) => catalogue.instrumentation.find((one) => one.name === name)?.title ?? name,
  );
  return named.join(', ') || m.lab_instrumentation_none();
}

/** `Lose a frame at 1.5 ms, Take a CPU away (CPU 0, For 500 µs) at 2 ms`. */
function faultsIn(catalogue: Catalogue, { faults }: Scenario): string {
  if (faults.length === 0) return m.lab_faults_none();
  return faults.map((fault) => faultText(catalogue, fault)).join(', ');
}

function change(title: string, before: string, after: string): Change {
  return { title, before, after };
}
