/** Why a scenario does not run, in the form's words, with the field to correct. */
import type { Catalogue, SettingValue } from '../core/simulation.ts';
import type { Trouble } from '../core/trouble.ts';
import { harmless } from '../session/harmless.ts';
import { isSettingValue, readScenario, type Scenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';
import { troubleOf } from '../words/trouble.ts';
import { problemsOf } from './form.ts';
import { valueText } from './setting-choices.ts';

/** The form's own error if it finds one; else the core's message, which begins with the setting. */
export function whyRefused(catalogue: Catalogue, text: string, trouble: Trouble): string {
  const scenario = readScenario(text);
  const problems = [...problemsOf(catalogue, scenario)];
  if (problems.length === 0) return refusalText(catalogue, scenario, trouble);
  return problems
    .map(([field, problem]) => m.lab_refused_field({ title: titleOf(catalogue, field), problem }))
    .join(' ');
}

/** `settings.message_bytes is 5, must be one of 4, 8` with the setting's title and its value as text. */
export function refusalText(catalogue: Catalogue, scenario: Scenario, trouble: Trouble): string {
  const [, name, written = '', allowed = ''] =
    /^settings\.(\w+) is (.+?), must be ([^]+)$/.exec(trouble.message) ?? [];
  const setting = catalogue.settings.find((one) => one.name === name);
  if (setting === undefined) return harmless(troubleOf(trouble));
  const read = valueIn(written);
  const value =
    read === undefined ? harmless(written) : valueText(catalogue, scenario, setting, read);
  return m.lab_refused_setting({ title: setting.title, value, allowed });
}

/** `undefined` if it is not a value that a setting can have: `null`, a list. */
function valueIn(written: string): SettingValue | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return isSettingValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A map, as a scenario's fields may have any name: `constructor`. */
const FIELDS: ReadonlyMap<string, () => string> = new Map([
  ['machine', m.lab_machine],
  ['kernel', m.lab_kernel],
  ['instrumentation', m.lab_instrumentation],
  ['workload', m.lab_workload],
  ['duration_us', m.lab_duration],
  ['warmup_us', m.lab_warmup],
  ['seed', m.lab_seed],
]);

function titleOf({ settings }: Catalogue, field: string): string {
  if (field.startsWith('faults')) return m.lab_faults();
  return (
    FIELDS.get(field)?.() ?? settings.find(({ name }) => name === field)?.title ?? harmless(field)
  );
}
