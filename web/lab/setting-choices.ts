/**
 * A setting as the form shows it for one scenario: the effect of its choices and of its default there, so
 * that a choice for interrupts or programs names the CPUs.
 */
import type { Catalogue, Setting, SettingValue } from '../core/simulation.ts';
import { harmless } from '../session/harmless.ts';
import { settingIn, type Scenario } from '../session/scenario.ts';
import { formatCount } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { hasNic, interruptsOf, pinnedCpu, placementOf, programsIf } from './placement.ts';
import { cpusText, whereText } from './placement-words.ts';

/** A setting's choices as text. */
export interface Offered {
  readonly about: string;
  /** The default that applies if the setting is left out. */
  readonly unset: string;
  readonly choices: readonly { readonly name: string; readonly title: string }[];
}

type On = Pick<Scenario, 'machine' | 'workload' | 'settings'>;

export function offeredFor(catalogue: Catalogue, scenario: On, setting: Setting): Offered {
  if (setting.name === 'irq_affinity') return interruptChoices(catalogue, scenario, setting);
  if (setting.name === 'process_affinity') return programChoices(catalogue, scenario, setting);
  const value = defaultOf(setting);
  const unset =
    setting.kind === 'number' || setting.default === undefined
      ? value
      : m.lab_unless_set({ value });
  return { about: setting.about, unset, choices: choicesOf(setting) };
}

/** A value of a setting as text, or its default if it is left out. */
export function valueText(
  catalogue: Catalogue,
  scenario: On,
  setting: Setting,
  value: SettingValue | undefined,
): string {
  if (typeof value === 'number') return `${formatCount(value)} ${setting.unit}`.trimEnd();
  if (value === undefined && setting.kind === 'number') return defaultOf(setting);
  const offered = offeredFor(catalogue, scenario, setting);
  const held = value ?? setting.default;
  const name = held === undefined ? undefined : String(held);
  const choice = offered.choices.find((one) => one.name === name);
  return choice?.title ?? (value === undefined ? offered.unset : harmless(String(value)));
}

/** The default of a setting, as text. */
export function defaultOf(setting: Setting): string {
  const value = setting.default;
  if (value === undefined) return m.lab_by_machine();
  if (typeof value === 'number') return formatCount(value);
  return choicesOf(setting).find(({ name }) => name === String(value))?.title ?? String(value);
}

function choicesOf({ kind, choices }: Setting): Offered['choices'] {
  if (kind !== 'switch') return choices;
  return [
    { name: 'true', title: m.lab_on() },
    { name: 'false', title: m.lab_off() },
  ];
}

function interruptChoices(catalogue: Catalogue, scenario: On, setting: Setting): Offered {
  const named = (choice: string, name: string) => {
    const where = interruptsOf(catalogue, scenario, name);
    if (where === undefined || pinnedCpu(name) !== undefined) return choice;
    return m.lab_where_choice({ choice, where: whereText(where) });
  };
  return {
    about: setting.about,
    unset: named(m.lab_by_machine_alone(), ''),
    choices: setting.choices.map(({ name, title }) => ({ name, title: named(title, name) })),
  };
}

function programChoices(catalogue: Catalogue, scenario: On, setting: Setting): Offered {
  const named = ({ name, title: choice }: Offered['choices'][number]) => {
    const where = programsIf(catalogue, scenario, name === 'true');
    return {
      name,
      title: where === undefined ? choice : m.lab_where_choice({ choice, where: whereText(where) }),
    };
  };
  const all = choicesOf(setting).map(named);
  const unset = all.find(({ name }) => name === String(setting.default))?.title;
  const held = settingIn(scenario.settings, setting.name);
  return {
    about: programsAbout(catalogue, scenario) ?? setting.about,
    unset: unset ?? defaultOf(setting),
    // A choice equal to the default is omitted, unless it was made explicitly.
    choices: all.filter(({ name }) => name !== String(setting.default) || name === String(held)),
  };
}

/** The effect of binding programs in this scenario. */
function programsAbout(catalogue: Catalogue, scenario: On): string | undefined {
  if (!hasNic(catalogue, scenario.workload)) return undefined;
  const bound = { ...scenario, settings: { ...scenario.settings, process_affinity: true } };
  const placement = placementOf(catalogue, bound);
  if (placement?.programs === undefined) return undefined;
  if (placement.isTogether) return m.lab_bound_with();
  const { irq_affinity: affinity } = scenario.settings;
  return pinnedCpu(affinity) === undefined && !placement.isPlaced
    ? m.lab_bound_home()
    : m.lab_bound_workload({ cpus: cpusText(placement.programs.cpus) });
}
