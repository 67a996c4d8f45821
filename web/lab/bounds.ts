/** The bounds of a number in the Lab's form: in words, and what is told to who leaves them. */
import { m } from '../words/generated/messages.js';
import { formatCount } from '../ui/format.ts';

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly unit: string;
}

/** What is wrong, by the field where it is told. */
export type Problem = readonly [field: string, sentence: string];

/** `576 to 9,000 bytes`; nothing where there are no bounds. */
export function boundsOf({ min, max, unit }: Bounds): string | undefined {
  const named = unit === '' ? '' : ` ${unit}`;
  const [from, to] = [min, max].map((bound) => bound !== undefined && formatCount(bound));
  if (from && to) return m.from_to({ from, to: `${to}${named}` });
  if (from) return m.lab_or_more({ from: `${from}${named}` });
  if (to) return m.lab_at_most({ to: `${to}${named}` });
  return undefined;
}

export function problemOfNumber(
  field: string,
  value: number | undefined,
  bounds: Bounds,
): Problem | undefined {
  if (value === undefined) return undefined;
  const { min = -Infinity, max = Infinity } = bounds;
  if (min <= value && value <= max && Number.isInteger(value)) return undefined;
  return [field, m.lab_whole_number({ bounds: boundsOf(bounds) ?? m.lab_any_size() })];
}
