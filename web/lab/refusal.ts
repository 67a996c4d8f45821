/** Why a scenario does not run, in the form's words, with the field to correct. */
import { nameIn } from '../core/saying.ts';
import type { Catalogue, SettingValue } from '../core/simulation.ts';
import type { Trouble } from '../core/trouble.ts';
import { harmless } from '../session/harmless.ts';
import { isSettingValue, readScenario, type Scenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';
import { sayAlone } from '../words/say.ts';
import { troubleOf } from '../words/trouble.ts';
import { problemsOf } from './form.ts';
import { valueText } from './setting-choices.ts';

/** The form's own error if it finds one; else why the core refuses it. */
export function whyRefused(catalogue: Catalogue, text: string, trouble: Trouble): string {
  const scenario = readScenario(text);
  const problems = [...problemsOf(catalogue, scenario)];
  if (problems.length === 0) return refusalText(catalogue, scenario, trouble);
  return problems
    .map(([field, problem]) => m.lab_refused_field({ title: titleOf(catalogue, field), problem }))
    .join(' ');
}

/** What the core refuses: a setting with its title and its value as text. */
export function refusalText(catalogue: Catalogue, scenario: Scenario, trouble: Trouble): string {
  const { refusal } = trouble;
  const path = refusal && nameIn(refusal, 'field');
  const setting = catalogue.settings.find(({ name }) => path === `settings.${name}`);
  const written = refusal && nameIn(refusal, 'value');
  const permitted = refusal?.values['permitted'];
  if (setting === undefined || written === undefined || permitted?.kind !== 'said')
    return harmless(troubleOf(trouble));
  const read = valueIn(written);
  const value =
    read === undefined ? harmless(written) : valueText(catalogue, scenario, setting, read);
  const allowed = sayAlone(permitted.value);
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
