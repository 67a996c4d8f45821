/** The bounds of a number in the Lab's form: as text, and the error for a value outside of them. */
import { m } from '../words/generated/messages.js';
import { formatCount } from '../numbers/format.ts';

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly unit: string;
}

/** An error text, with the field at which it is shown. */
export type Problem = readonly [field: string, sentence: string];

/** `576 to 9,000 bytes`; `undefined` if there are no bounds. */
export function boundsOf({ min, max, unit }: Bounds): string | undefined {
  const named = unit === '' ? '' : ` ${unit}`;
  const [from, to] = [min, max].map((bound) => bound !== undefined && formatCount(bound));
  if (from && to) return m.from_to({ from, to: `${to}${named}` });
  if (from) return m.lab_or_more({ from: `${from}${named}` });
  if (to) return m.lab_at_most({ to: `${to}${named}` });
  return undefined;
}

/** Whether more digits may make another number of what is typed, which means nothing by itself: nothing, or too small. */
export function mayGrow(typed: string, min = -Infinity): boolean {
  return typed === '' || Number(typed) < min;
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
