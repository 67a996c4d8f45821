/**
 * Numbers and names as short texts, and texts cut to a width. Knows nothing of fonts but
 * through the measure that is passed in; `estimate` stands in for it where there is no page.
 */
import type { Measure } from './shapes.ts';

/** A generous guess: no letter of a common sans is wider on average. For tests. */
export const estimate: Measure = (text, size, isBold, isMono) =>
  text.length * size * (isMono ? 0.605 : isBold ? 0.6 : 0.56);

/** The text, or as much of its beginning as fits with an ellipsis; empty when not even two letters do. */
export function fitted(
  text: string,
  width: number,
  measure: Measure,
  size: number,
  isBold = false,
  isMono = false,
): string {
  if (measure(text, size, isBold, isMono) <= width) return text;
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const isFitting = measure(`${text.slice(0, middle).trimEnd()}…`, size, isBold, isMono) <= width;
    if (isFitting) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low).trimEnd()}…`;
}

/** A sentence in lines, broken between words; a word that is too wide has a line of its own. */
export function wrapped(
  text: string,
  width: number,
  measure: (line: string) => number,
): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The first text that fits, or an empty one. */
export function firstFitting(
  texts: readonly string[],
  width: number,
  measure: Measure,
  size: number,
  isBold = false,
): string {
  return texts.find((text) => measure(text, size, isBold, false) <= width) ?? '';
}

/** `512 B`, `1.4 kB`, `41 kB`, `2.1 MB`, in steps of 1000. */
export function bytesText(bytes: number): string {
  const [value, unit] = scaled(bytes);
  return `${value} ${unit}`;
}

/** `5 of 256`, `41 of 208 kB`, `3 packets` where no limit is known. */
export function depthText(depth: number, limit: number, unit: string): string {
  if (unit !== 'bytes') {
    const one = unit.replace(/s$/, '');
    return limit > 0 ? `${grouped(depth)} of ${grouped(limit)}` : counted(depth, one);
  }
  if (limit === 0) return bytesText(depth);
  const [limitValue, limitUnit] = scaled(limit);
  const [depthValue, depthUnit] = scaled(depth);
  const isSameUnit = depth === 0 || depthUnit === limitUnit;
  return `${depthValue}${isSameUnit ? '' : ` ${depthUnit}`} of ${limitValue} ${limitUnit}`;
}

/** A whole number in groups of three, as the page's own numbers are: `12,345`. */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `820 ns`, `13.4 µs`, `2.05 ms`, `1.20 s`. */
export function nanosText(nanos: number): string {
  const steps = [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
  ] as const;
  for (const [size, unit] of steps) {
    // What rounds to a thousand of a unit is one of the next: `1.00 ms`, not `1.00e+3 µs`.
    const digits = (nanos / size).toPrecision(3);
    if (Number(digits) >= 1) {
      return `${Number(digits) < 1000 ? digits : grouped(nanos / size)} ${unit}`;
    }
  }
  return `${Math.round(nanos)} ns`;
}

function scaled(bytes: number): readonly [value: string, unit: string] {
  if (bytes < 1000) return [String(bytes), 'B'];
  const [size, unit] = bytes < 1e6 ? ([1e3, 'kB'] as const) : ([1e6, 'MB'] as const);
  const value = bytes / size;
  return [value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value)), unit];
}
