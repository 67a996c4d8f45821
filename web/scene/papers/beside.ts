/**
 * The numbers of an entry on one axis in the study's own unit: the published value, a mark or a range, and
 * the model's with its interval. The axis begins at zero, unless the values are so far apart that only a
 * logarithmic one shows all. Numbers of a group, "2.4" of "2.4: 20 clients", are together under its name.
 */
import { scaleLinear, scaleLog } from 'd3-scale';

export interface Given {
  readonly item: string;
  /** The published number as a range, both ends equal if it is a single value. */
  readonly published: readonly [from: number, to: number] | undefined;
  readonly modelled: number | undefined;
  /** Half the width of its interval. */
  readonly interval: number;
}

export interface Mark {
  readonly label: string;
  /** Fractions of the axis. */
  readonly published: readonly [from: number, to: number] | undefined;
  readonly modelled:
    { readonly at: number; readonly from: number; readonly to: number } | undefined;
}

export interface BesidePicture {
  readonly groups: readonly { readonly name: string; readonly marks: readonly Mark[] }[];
  readonly ticks: readonly { readonly at: number; readonly value: number }[];
  readonly isLogarithmic: boolean;
}

/** Ratio of the largest to the least value from which the axis is logarithmic. */
const FAR_APART = 40;
/** Values below this count as zero. */
const LEAST = 1e-9;

/** `undefined` if there are no numbers to draw. */
export function besidePicture(rows: readonly Given[]): BesidePicture | undefined {
  const drawn = rows.filter(({ published, modelled }) => published ?? modelled);
  const values = drawn.flatMap(({ published, modelled }) =>
    [...(published ?? []), modelled ?? []].flat(),
  );
  if (values.length === 0) return undefined;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isLogarithmic = least > LEAST && most / least > FAR_APART;
  const scale = isLogarithmic
    ? scaleLog().domain([least, most]).nice()
    : scaleLinear()
        .domain([Math.min(0, least), Math.max(0, most) || 1])
        .nice(5);
  scale.range([0, 1]).clamp(true);
  const at = (value: number) => scale(isLogarithmic ? Math.max(value, Number.MIN_VALUE) : value);
  const groups: { name: string; marks: Mark[] }[] = [];
  for (const { item, published, modelled, interval } of drawn) {
    const { name, label } = groupOf(item);
    if (groups.at(-1)?.name !== name || groups.length === 0) groups.push({ name, marks: [] });
    groups.at(-1)?.marks.push({
      label,
      published: published && [at(published[0]), at(published[1])],
      modelled:
        modelled === undefined
          ? undefined
          : { at: at(modelled), from: at(modelled - interval), to: at(modelled + interval) },
    });
  }
  const ticks = isLogarithmic ? decades(scale.domain()) : scale.ticks(5);
  return { groups, ticks: ticks.map((value) => ({ at: at(value), value })), isLogarithmic };
}

/** The name of a number's group, which may be empty, and the number's label in it. */
export function groupOf(item: string): { readonly name: string; readonly label: string } {
  const [, name = '', label = item] = /^([^:]+): (.+)$/.exec(item) ?? [];
  return { name, label };
}

function decades([from = 1, to = 1]: readonly number[]): readonly number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}
