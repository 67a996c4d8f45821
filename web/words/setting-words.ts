/**
 * The words of a scenario's settings in the language of the page: titles, what each is about, units and choices. The
 * core knows a setting by its name, so its messages are looked up by it: `setting_NAME`, `setting_NAME_about`, and
 * `setting_choice_WORD` of a word that can be chosen.
 */
import type { Catalogue, CodedCatalogue, CodedSetting, Setting } from '../core/simulation.ts';
import { isMessage, m } from './generated/messages.js';

const messages = m as unknown as Readonly<Record<string, () => string>>;

/** The message of this name, or else the name of what it is a message of. */
const said = (key: string, name: string): string => (isMessage(key) ? messages[key]!() : name);

const UNITS: Readonly<Record<string, () => string>> = {
  bytes: m.setting_unit_bytes,
  'messages/s': m.setting_unit_messages_per_s,
  descriptors: m.setting_unit_descriptors,
  frames: m.setting_unit_frames,
  tasks: m.setting_unit_tasks,
};

/** The catalogue with its settings in the language that is spoken now. */
export function inWords(catalogue: CodedCatalogue): Catalogue {
  return { ...catalogue, settings: catalogue.settings.map(settingInWords) };
}

function settingInWords(setting: CodedSetting): Setting {
  const { name, unit, choices } = setting;
  return {
    ...setting,
    title: said(`setting_${name}`, name),
    about: said(`setting_${name}_about`, name),
    unit: UNITS[unit]?.() ?? unit,
    choices: choices.map(({ name: word, title }) => ({
      name: word,
      title: title ?? said(`setting_choice_${word}`, word),
    })),
  };
}
