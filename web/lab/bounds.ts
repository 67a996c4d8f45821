/** The bounds of a number in the Lab's form: in words, and what is told to who leaves them. */
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
  if (min !== undefined && max !== undefined) {
    return `${formatCount(min)} to ${formatCount(max)}${named}`;
  }
  if (min !== undefined) return `${formatCount(min)}${named} or more`;
  if (max !== undefined) return `${formatCount(max)}${named} at most`;
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
  return [field, `A whole number, ${boundsOf(bounds) ?? 'of any size'}.`];
}
