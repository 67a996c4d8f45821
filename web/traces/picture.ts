/**
 * The small picture of a run: time to the right, the stack upwards, each packet a line from
 * where it came to where it ended. Pure geometry in whole units, so that the same run gives the
 * same picture, to the letter. Times are ranks (what happens between two moments takes one step):
 * true to order, not to scale, as a card has no room for a scale.
 */

/** What a stroke means; the card gives it the colour of that context. */
export type Look = 'wait' | 'hardirq' | 'softirq' | 'kernel' | 'user';
export type End = 'arrived' | 'dropped';

/** A picture `WIDTH` by `HEIGHT`: a path for each look, and a mark where a packet ended. */
export interface Picture {
  readonly paths: readonly (readonly [look: Look, d: string])[];
  readonly ends: readonly (readonly [end: End, x: number, y: number])[];
}

/** A packet's way as the picture needs it. */
export interface Way {
  readonly stays: readonly {
    readonly station: string;
    readonly look: Look;
    readonly enter: number;
    readonly leave: number;
  }[];
  readonly end: End | undefined;
}

export const WIDTH = 320;
export const HEIGHT = 100;
const EDGE = 8;
/** Strokes as wide as this are drawn for it; the lines of one level are spread around it. */
const SPREAD = 2.5;

/** How high in the stack a station is, 0 the link to 1 the process, both ways alike. */
const LEVELS: Readonly<Record<string, number>> = {
  wire: 0,
  'rx ring': 0.14,
  driver: 0.24,
  XDP: 0.24,
  GRO: 0.34,
  'net core': 0.42,
  backlog: 0.42,
  IP: 0.54,
  reassembly: 0.6,
  TCP: 0.7,
  UDP: 0.7,
  transport: 0.7,
  'socket backlog': 0.8,
  prequeue: 0.82,
  'out-of-order queue': 0.78,
  'receive queue': 0.88,
  process: 1,
  'send call': 1,
  'write queue': 0.86,
  'TCP send': 0.7,
  'UDP send': 0.7,
  'transport send': 0.7,
  'IP send': 0.54,
  qdisc: 0.38,
  'driver send': 0.24,
  'tx ring': 0.14,
  'wire out': 0,
};

/** Whether a picture has a place for the station. */
export function hasLevel(station: string): boolean {
  return station in LEVELS;
}

export function drawPicture(ways: readonly Way[]): Picture {
  const x = rankScale(ways);
  const paths = new Map<Look, string>();
  const ends: [End, number, number][] = [];
  ways.forEach((way, index) => {
    const shift = ((index % 5) - 2) * SPREAD;
    const y = (station: string) =>
      Math.round(HEIGHT - EDGE - 4 - (LEVELS[station] ?? 0) * (HEIGHT - 2 * EDGE - 8) + shift);
    way.stays.forEach(({ station, look, enter, leave }, at) => {
      const next = way.stays[at + 1];
      const [from, to, height] = [x(enter), x(leave), y(station)];
      const along = to > from ? `h${to - from}` : '';
      const up = next === undefined ? '' : `L${x(next.enter)} ${y(next.station)}`;
      if (along !== '' || up !== '')
        paths.set(look, `${paths.get(look) ?? ''}M${from} ${height}${along}${up}`);
      if (next === undefined && way.end !== undefined) ends.push([way.end, to, height]);
    });
  });
  return { paths: [...paths], ends };
}

/** From a time to a place: the moments in which something changes, at equal distances. */
function rankScale(ways: readonly Way[]): (time: number) => number {
  const times = ways.flatMap(({ stays }) => stays.flatMap(({ enter, leave }) => [enter, leave]));
  const ranks = new Map([...new Set(times)].sort((a, b) => a - b).map((time, at) => [time, at]));
  const step = (WIDTH - 2 * EDGE) / Math.max(1, ranks.size - 1);
  return (time) => Math.round(EDGE + (ranks.get(time) ?? 0) * step);
}
