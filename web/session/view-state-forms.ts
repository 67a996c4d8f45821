/**
 * The forms a field of a link can have: how each is read from text, strictly, by a schema, what is
 * wrong with text of another form, and how a value is inLink back the one canonical way. Knows no
 * field by name.
 */
import type { Stretch } from '../core/core.ts';
import * as v from 'valibot';
import { formatNumber } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { compacted } from './scenario.ts';

export interface Form<T> {
  /** The value, or nothing where the text is not of this form. */
  readonly read: (text: string) => T | undefined;
  /** What text of another form is or is not, to go on with a sentence that has named it. */
  readonly why: () => string;
  readonly write: (value: T) => string;
}

export function formOf<T>(
  schema: v.GenericSchema<string, T>,
  why: () => string,
  write: (value: T) => string,
): Form<T> {
  const read = (text: string) => {
    const result = v.safeParse(schema, text);
    return result.success ? result.output : undefined;
  };
  return { read, why, write };
}

export function matching(pattern: RegExp): Form<string> {
  return formOf(v.pipe(v.string(), v.regex(pattern)), m.link_why_form, (value) => value);
}

export function oneOf<const T extends string>(words: readonly T[]): Form<T> {
  return formOf(
    v.pipe(v.string(), v.picklist(words)),
    () => m.link_why_word({ words: words.join(', ') }),
    (value) => value,
  );
}

/** Present or absent; it is inLink only when it holds. */
export const aFlag: Form<boolean> = formOf(
  v.pipe(
    v.string(),
    v.literal('1'),
    v.transform(() => true),
  ),
  m.link_why_flag,
  () => '1',
);

const bounded = (pattern: RegExp, least: number, most: number) =>
  v.pipe(v.string(), v.regex(pattern), v.transform(Number), v.minValue(least), v.maxValue(most));

const INTEGER = /^\d{1,16}$/;

export function anInteger(least: number, most: number): Form<number> {
  return formOf(
    bounded(INTEGER, least, most),
    () => m.link_why_integer({ least: formatNumber(least), most: formatNumber(most) }),
    (value) => String(Math.floor(value)),
  );
}

/** A number of at most six decimals, however many were inLink. */
export function aNumber(least: number, most: number): Form<number> {
  return formOf(
    v.pipe(
      bounded(/^\d{1,16}(\.\d{1,16})?(e\+?\d{1,2})?$/i, least, most),
      v.transform((value) => Number(value.toFixed(6))),
    ),
    () => m.link_why_number({ least: formatNumber(least), most: formatNumber(most) }),
    (value) => String(Number(value.toFixed(6))),
  );
}

const nanos = bounded(INTEGER, 0, Number.MAX_SAFE_INTEGER);

/** Two times, the first not after the second: `1200-45000`. */
export const aStretch: Form<Stretch> = formOf(
  v.pipe(
    v.string(),
    v.transform((text) => text.split('-')),
    v.strictTuple([nanos, nanos]),
    v.check(([from, to]) => from <= to),
    v.transform(([from, to]) => ({ from, to })),
  ),
  m.link_why_stretch,
  ({ from, to }) => `${Math.floor(from)}-${Math.floor(to)}`,
);

/** Letters outside of ASCII take up to nine signs each; ours have none. */
const LONGEST_WRITTEN = 6000;

/** A JSON object, compact; colons and commas stand as they are, so that a link can be read. */
export const aScenario: Form<string> = formOf(
  v.pipe(
    v.string(),
    v.transform(compacted),
    v.string(),
    v.check((value) => inLink(value).length <= LONGEST_WRITTEN),
  ),
  m.link_why_scenario,
  inLink,
);

/** The name of a recording of the shelf. */
export const aRecording = matching(/^[a-z0-9][a-z0-9.-]{0,63}$/);

/** A recording of the shelf, or a scenario. */
export const aRunToBeside: Form<string> = {
  read: (text) => aRecording.read(text) ?? aScenario.read(text),
  write: (value) => (isScenario(value) ? aScenario : aRecording).write(value),
  why: m.link_why_scenario,
};

/** Of what stands beside a run, whether it is a scenario and no recording of the shelf. */
export function isScenario(beside: string): boolean {
  return beside.startsWith('{');
}

/** Text as it stands in a link, where colons and commas can be read. */
export function inLink(value: string): string {
  return encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',');
}
