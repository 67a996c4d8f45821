/**
 * The viewer's settings for this browser, and how they are stored between visits: read field by field, so
 * that a broken field is dropped with a notice and the others are kept.
 */
import * as v from 'valibot';
import { keep, kept } from '../storage/kept.ts';
import { m } from '../words/generated/messages.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How captions speak: in a few words, in a plain sentence, or in the kernel's own words. */
export const CAPTION_LEVELS = ['short', 'plain', 'kernel'] as const;
export type CaptionLevel = (typeof CAPTION_LEVELS)[number];

/** What the levels are called, in their order. */
export function captionLevels(): readonly { value: CaptionLevel; label: string }[] {
  const names = { short: m.caption_short, plain: m.caption_plain, kernel: m.caption_kernel };
  return CAPTION_LEVELS.map((value) => ({ value, label: names[value]() }));
}

/** Text size relative to the natural size: 100 to 250 %. */
export const TEXT_SIZE = { least: 1, most: 2.5, step: 0.25 } as const;

export interface Choices {
  readonly theme: Theme;
  /** Text size relative to the natural size. */
  readonly textSize: number;
  /** Larger and with more contrast, for a lecture hall. */
  readonly isHall: boolean;
  /** Whether keys that are single characters do something (WCAG 2.1.4 wants a switch). */
  readonly hasCharacterKeys: boolean;
  readonly captions: CaptionLevel;
}

export const DEFAULT_CHOICES: Choices = {
  theme: 'system',
  textSize: 1,
  isHall: false,
  hasCharacterKeys: true,
  captions: 'plain',
};

const FIELDS = {
  theme: v.picklist(THEMES),
  textSize: v.pipe(v.number(), v.minValue(TEXT_SIZE.least), v.maxValue(TEXT_SIZE.most)),
  isHall: v.boolean(),
  hasCharacterKeys: v.boolean(),
  captions: v.picklist(CAPTION_LEVELS),
} satisfies { readonly [Key in keyof Choices]: v.GenericSchema<Choices[Key]> };

const KeptSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ version: v.literal(1), choices: v.record(v.string(), v.unknown()) }),
);

const KEY = 'ringside.settings';

export function keepChoices(choices: Choices): void {
  keep(KEY, JSON.stringify({ version: 1, choices }));
}

interface Kept {
  readonly choices: Choices;
  /** A sentence for each field that cannot be read. */
  readonly notices: readonly string[];
}

/** The stored settings. A broken field is reported once: afterwards only the valid fields are stored. */
export function keptChoices(): Kept {
  const found = readChoices();
  if (found.notices.length > 0) keepChoices(found.choices);
  return found;
}

function readChoices(): Kept {
  const text = kept(KEY);
  if (text === undefined) return { choices: DEFAULT_CHOICES, notices: [] };
  const whole = v.safeParse(KeptSchema, text);
  if (!whole.success) {
    return { choices: DEFAULT_CHOICES, notices: [m.settings_unreadable()] };
  }
  const given = whole.output.choices;
  const results = (Object.keys(FIELDS) as (keyof Choices)[])
    .filter((name) => given[name] !== undefined)
    .map((name) => ({ name, result: v.safeParse(FIELDS[name], given[name]) }));
  const read = results.flatMap(({ name, result }) =>
    result.success ? [[name, result.output] as const] : [],
  );
  const broken = results.filter(({ result }) => !result.success);
  return {
    choices: { ...DEFAULT_CHOICES, ...Object.fromEntries(read) },
    notices: broken.map(({ name }) =>
      m.settings_left_out({ name, value: JSON.stringify(given[name]).slice(0, 40) }),
    ),
  };
}
