/**
 * A sweep of two settings as a heat map: a column for each value of the first, a row for each value of the
 * second, and the figure's value as darkness between the map's minimum and maximum. Independent of what the
 * settings are.
 */

/** One row of the input: a value of the second setting and the curve over the first. */
export interface Row<On> {
  readonly on: On;
  /** Values of the first setting at the curve's points. */
  readonly values: readonly number[];
  readonly points: readonly { readonly mean: number; readonly halfWidth: number | undefined }[];
  /** Index of the point at which the curve bends. */
  readonly knee: { readonly at: number } | undefined;
}

export interface Cell {
  readonly value: number;
  readonly mean: number;
  readonly half: number;
  /** From 0, the minimum of the map, to 1, the maximum; 0.5 if all values are equal. */
  readonly share: number;
  readonly isKnee: boolean;
}

export interface HeatMap<On> {
  /** Values of the first setting, ascending. */
  readonly columns: readonly number[];
  /** From the top down; a cell that has not run is `undefined`. */
  readonly rows: readonly { readonly on: On; readonly cells: readonly (Cell | undefined)[] }[];
  readonly least: number;
  readonly most: number;
}

/** The map. Numbers increase upwards; words keep their order. */
export function mapOf<On>(curves: readonly Row<On>[]): HeatMap<On> {
  const columns = [...new Set(curves.flatMap(({ values }) => values))].sort((a, b) => a - b);
  const means = curves.flatMap(({ points }) => points.map(({ mean }) => mean));
  const [least, most] = [Math.min(...means), Math.max(...means)];
  const share = (mean: number) => (most > least ? (mean - least) / (most - least) : 0.5);
  const isUp = curves.every(({ on }) => typeof on === 'number');
  const ordered = isUp ? [...curves].sort((a, b) => Number(b.on) - Number(a.on)) : curves;
  return {
    ...{ columns, least, most },
    rows: ordered.map(({ on, values, points, knee }) => ({
      on,
      cells: columns.map((value) => {
        const at = values.indexOf(value);
        const point = points[at];
        if (point === undefined) return undefined;
        const { mean, halfWidth } = point;
        return { value, mean, half: halfWidth ?? 0, share: share(mean), isKnee: knee?.at === at };
      }),
    })),
  };
}

/** Positions of the knees, in groups of consecutive rows, through which the ridge is drawn. */
export function ridgesOf<On>({ rows }: HeatMap<On>): readonly (readonly [number, number][])[] {
  const ridges: [number, number][][] = [[]];
  rows.forEach(({ cells }, row) => {
    const column = cells.findIndex((cell) => cell?.isKnee === true);
    if (column === -1) ridges.push([]);
    else ridges.at(-1)?.push([column, row]);
  });
  return ridges.filter((ridge) => ridge.length > 0);
}
