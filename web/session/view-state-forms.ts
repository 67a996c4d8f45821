/**
 * The forms a field of a link can have: how each is read from text, strictly, and written
 * back the one canonical way. Knows no field by name.
 */
import type { Stretch } from './advance.ts';
import { compacted } from './scenario.ts';

export interface Form<T> {
  /** The value, or nothing where the text is not of this form. */
  read(text: string): T | undefined;
  write(value: T): string;
}

export function matching(pattern: RegExp): Form<string> {
  return {
    read: (text) => (pattern.test(text) ? text : undefined),
    write: (value) => value,
  };
}

export function oneOf<const T extends string>(words: readonly T[]): Form<T> {
  return {
    read: (text) => words.find((word) => word === text),
    write: (value) => value,
  };
}

/** Present or absent; it is written only when it holds. */
export const aFlag: Form<boolean> = {
  read: (text) => (text === '1' ? true : undefined),
  write: () => '1',
};

export function anInteger(least: number, most: number): Form<number> {
  return {
    read(text) {
      if (!/^\d{1,16}$/.test(text)) return undefined;
      const value = Number(text);
      return least <= value && value <= most ? value : undefined;
    },
    write: (value) => String(Math.floor(value)),
  };
}

export function aNumber(least: number, most: number): Form<number> {
  return {
    read(text) {
      if (!/^\d{1,16}(\.\d{1,6})?$/.test(text)) return undefined;
      const value = Number(text);
      return least <= value && value <= most ? value : undefined;
    },
    write: (value) => String(Number(value.toFixed(6))),
  };
}

const nanos = anInteger(0, Number.MAX_SAFE_INTEGER);

/** Two times, the first not after the second: `1200-45000`. */
export const aStretch: Form<Stretch> = {
  read(text) {
    const [first, second, ...more] = text.split('-');
    if (first === undefined || second === undefined || more.length > 0) return undefined;
    const from = nanos.read(first);
    const to = nanos.read(second);
    if (from === undefined || to === undefined || to < from) return undefined;
    return { from, to };
  },
  write: ({ from, to }) => `${nanos.write(from)}-${nanos.write(to)}`,
};

/** Letters outside of ASCII take up to nine signs each; ours have none. */
const LONGEST_WRITTEN = 6000;

/** A JSON object, compact; colons and commas stand as they are, so that a link can be read. */
export const aScenario: Form<string> = {
  read(text) {
    const value = compacted(text);
    return value !== undefined && this.write(value).length <= LONGEST_WRITTEN ? value : undefined;
  },
  write: (value) => encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ','),
};
