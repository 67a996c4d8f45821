/**
 * Where everything is placed: columns for CPUs, lanes for layers, slots for stations.
 * A layout depends on the run, the words, the viewport and the followed packet, never
 * on a frame, so nothing jumps while time runs. What the run never uses has no place.
 *
 * On a narrow page one CPU has the whole width (`isCompact`) and the others are cells above it.
 */
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { busiest, busiestCpus, placeOfCpu, shareWidth, shownCpus } from './columns.ts';
import { cellsIn, chipsAbove } from './chip-places.ts';
import { hasStatus } from './machine/has-status.ts';
import { between } from './motion.ts';
import { once } from './once.ts';
import { LANES, rowLabel } from './rows.ts';
import type { LaneSpec, SlotKind } from './rows.ts';
import { scaleOf } from './scale.ts';
import type { Rect, RowName, Viewport } from './shapes.ts';
import { slotsOf } from './slots.ts';
import { usageOf } from './usage.ts';
import type { Usage } from './usage.ts';
import type { Words } from './words.ts';

export interface Column {
  /** Its place in the run's list of CPUs, -1 where the run names none. */
  readonly at: number;
  readonly cpu: number;
  /** From below the head down to the wire. */
  readonly rect: Rect;
  readonly head: Rect;
  readonly innerX: number;
  readonly innerWidth: number;
  /** The ways up and down, where packets take them. */
  readonly rxRail: Rail | undefined;
  readonly txRail: Rail | undefined;
  /** The cache below it. */
  readonly cache: Rect;
}

export interface Rail {
  readonly x: number;
  readonly width: number;
}

export interface Slot {
  readonly id: string;
  readonly lane: string;
  readonly row: RowName;
  readonly column: number;
  readonly direction: 'rx' | 'tx';
  readonly kind: SlotKind;
  /** Indices in the glossary. */
  readonly stations: readonly number[];
  /** The run's queues that it shows, the deepest first. */
  readonly queues: readonly number[];
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly leastTitle: string;
  readonly titleRect: Rect;
  /** Where its packets are; capsules are as high as this. */
  readonly body: Rect;
  /** How far above its body a packet rises while it is worked on; 0 for a vessel. */
  readonly rise: number;
  /**
   * Beside a slot on the rail: room for packets that wait to be worked on there, if there is any.
   */
  readonly spill: Rect | undefined;
  /** The middle of the rail by which packets come and go. */
  readonly railX: number;
  readonly railWidth: number;
  /** The strip between the rail and the names beside it, in which nothing stands. */
  readonly railGap: number;
  /** Whether its limit is known: then it has a lid. */
  readonly hasLid: boolean;
  /** The bin into which refused packets fall, in runs in which the queue refuses any. */
  readonly bin: Rect | undefined;
}

export interface Lane {
  readonly spec: LaneSpec;
  readonly label: string;
  readonly rect: Rect;
  readonly titleHeight: number;
  readonly bodyHeight: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** 1 where texts are 12 px high. */
  readonly scale: number;
  readonly textSize: number;
  readonly lineHeight: number;
  readonly isCompact: boolean;
  /** Width of the names of the lanes at the left; 0 when compact. */
  readonly gutter: number;
  readonly columns: readonly Column[];
  readonly lanes: readonly Lane[];
  readonly caches: Rect;
  /** How deep an arc between two caches hangs. */
  readonly arcDepth: number;
  /** Whether CPUs have a line for what only a model tells of them. */
  readonly hasStatus: boolean;
  readonly slots: readonly Slot[];
  /** The CPUs that have no column, as many as can be told apart; when compact also the one that has it. */
  readonly chips: readonly { readonly at: number; readonly cpu: number; readonly rect: Rect }[];
  /** How many have neither column nor chip, and where that is said. */
  readonly rest: { readonly count: number; readonly rect: Rect } | undefined;
  /** The CPUs of the run that have no column. */
  readonly isFolded: (cpu: number) => boolean;
  /** Index of the column in which packets that belong to no CPU are drawn. */
  readonly home: number;
}

/** The camera: which part of the extra room each CPU and lane has, 0 to 1. */
export interface Focus {
  readonly cpus: ReadonlyMap<number, number>;
  readonly lanes: ReadonlyMap<string, number>;
}

export const NO_FOCUS: Focus = { cpus: new Map(), lanes: new Map() };

/** Between two places of the camera, 0 to 1 of the way. */
export function mixedFocus(from: Focus, to: Focus, share: number): Focus {
  return {
    cpus: mixed(from.cpus, to.cpus, share),
    lanes: mixed(from.lanes, to.lanes, share),
  };
}

function mixed<Key>(
  from: ReadonlyMap<Key, number>,
  to: ReadonlyMap<Key, number>,
  share: number,
): ReadonlyMap<Key, number> {
  const keys = new Set([...from.keys(), ...to.keys()]);
  return new Map(
    [...keys].map((key) => [key, between(from.get(key) ?? 0, to.get(key) ?? 0, share)]),
  );
}

/** Names of lanes take at most this part of a narrow stage. */
const MOST_OF_A_PHONE = 0.25;
/** The least width of a column, in letters' heights. */
const COLUMN_AT_LEAST = 14;
/** A packet's height in lines of text: wished for, and the least before the page scrolls. */
const BODY = { most: 2.3, least: 1.05 } as const;
/** In lines of text: between lanes, above a lane without titles, a packet's height on a low page. */
const ROOMY = { pad: 0.3 } as const;
const DENSE = { pad: 0.06, title: 0.2, body: 0.78 } as const;
/** The followed packet's lane is higher than the others by this factor. */
const ENLARGED = 2.3;

/** By so much at most the text of a stage shrinks: then it scrolls. */
const SHRUNK = 0.72;

/**
 * The layout in a room, with smaller text where it would be higher than the room: on a phone or in a window
 * that is zoomed in, a ring row or a CPU's head would be out of sight.
 */
export function layoutWithin(
  run: Opened,
  words: Words,
  viewport: Viewport,
  focus: Focus = NO_FOCUS,
): Layout {
  const natural = layoutOf(run, words, viewport, focus);
  if (natural.height <= viewport.height) return natural;
  const shrunk = Math.max(SHRUNK, viewport.height / natural.height);
  return layoutOf(run, words, { ...viewport, textSize: (viewport.textSize ?? 1) * shrunk }, focus);
}

export function layoutOf(
  run: Opened,
  words: Words,
  viewport: Viewport,
  focus: Focus = NO_FOCUS,
): Layout {
  const { unit, text, line, isCompact } = scaleOf(viewport);
  const usage = usageOf(run, words);
  const margin = 0.4 * line;
  const cpuCount = Math.max(1, run.cpus.length);
  const labels = laneLabels(usage);
  const gutter = gutterWidth(labels, viewport, text, isCompact);
  const left = Math.max(margin, gutter);

  const fit = (width: number) => Math.floor((width + margin) / (COLUMN_AT_LEAST * text + margin));
  const wanted = [...focus.cpus.keys()];
  const alone = isCompact ? 1 : Math.max(1, fit(viewport.width - left - margin));
  const all = shownCpus(run, alone, wanted);
  // Side by side each cell has room for a number of two digits.
  const stripWidth = all.others > 12 ? 11.5 * text : 6 * text;
  const hasStrip = !isCompact && all.others > 0;
  const most = hasStrip
    ? Math.max(1, fit(viewport.width - left - margin - stripWidth - margin))
    : alone;
  const { shown, others } = hasStrip ? shownCpus(run, most, wanted) : all;
  const least = left + margin + shown.length * (10 * text + margin);
  const width = Math.max(viewport.width, least + (hasStrip ? stripWidth + margin : 0));
  const room = width - left - margin - (hasStrip ? stripWidth + margin : 0);
  const gap = Math.min(3 * text, room * 0.06);
  const places = shareWidth(shown, room, isCompact ? 0 : gap, focus.cpus);

  const above = chipsAbove(isCompact && cpuCount > 1 ? cpuCount : 0, width, margin, text, line);
  const top = margin + above.height;

  const status = hasStatus(run) ? 1.15 * line : 0;
  const headHeight = 2.15 * line + status;
  const lanes = LANES.filter(({ id }) => usage.lanes.has(id));
  const arcs = isCompact || shown.length < 2 ? 0 : 1.6 * line;
  const cacheHeight = (run.machine.caches.length > 0 ? 3.1 : 2.1) * line;
  const heights = laneHeights(lanes, usage, focus, line, {
    total: viewport.height,
    other: top + headHeight + 0.35 * line + 0.4 * line + cacheHeight + arcs + margin,
  });

  const lanesTop = top + headHeight + 0.35 * line;
  const laid: Lane[] = [];
  let y = lanesTop;
  lanes.forEach((spec, at) => {
    const { title, body, pad } = heights[at] ?? { title: 0, body: line, pad: 0 };
    const rect = { x: 0, y, width, height: title + body + pad };
    laid.push({
      spec,
      label: labels.get(spec.id) ?? '',
      rect,
      titleHeight: title,
      bodyHeight: body,
    });
    y += rect.height;
  });
  const cachesTop = y + 0.4 * line;
  const capsule = Math.min(...laid.map(({ bodyHeight }) => bodyHeight));
  const columns = places.map(({ cpu, x, width: columnWidth }): Column => {
    const rect = { x: left + x, y: lanesTop, width: columnWidth, height: y - lanesTop };
    const pad = 0.45 * text;
    const innerWidth = columnWidth - 2 * pad;
    const innerX = rect.x + pad;
    const { rx, tx } = usage.ways(cpu);
    const count = (rx ? 1 : 0) + (tx ? 1 : 0);
    const railWidth = Math.min(2.75 * capsule, (innerWidth * (count > 1 ? 0.27 : 0.34)) | 0);
    return {
      at: placeOfCpu(run).get(cpu) ?? -1,
      cpu,
      rect,
      head: { x: rect.x, y: top, width: columnWidth, height: headHeight },
      innerX,
      innerWidth,
      rxRail: rx ? { x: innerX, width: railWidth } : undefined,
      txRail: tx ? { x: innerX + innerWidth - railWidth, width: railWidth } : undefined,
      cache: { x: rect.x, y: cachesTop, width: columnWidth, height: cacheHeight },
    };
  });
  const home = Math.max(
    0,
    columns.findIndex(({ cpu }) => cpu === busiest(run)),
  );
  const strip = { x: width - margin - stripWidth, y: top, width: stripWidth, height: y - top };
  const cells = isCompact ? above : cellsIn(strip, others, line);
  const chipCpus = busiestCpus(run, cells.rects.length, isCompact ? [] : shown);
  const isShown = new Set(shown);
  const height = Math.max(viewport.height, cachesTop + cacheHeight + arcs + margin);
  return {
    width,
    height,
    scale: unit,
    textSize: text,
    lineHeight: line,
    isCompact,
    gutter,
    columns,
    lanes: laid,
    caches: { x: 0, y: cachesTop, width, height: height - margin - cachesTop },
    arcDepth: arcs * 0.3,
    hasStatus: status > 0,
    slots: slotsOf(run, words, usage, columns, laid, text, line),
    chips: cells.rects.flatMap((rect, at) => {
      const cpu = chipCpus[at];
      return cpu === undefined ? [] : [{ at: placeOfCpu(run).get(cpu) ?? -1, cpu, rect }];
    }),
    rest: cells.rest,
    isFolded: (cpu) => placeOfCpu(run).has(cpu) && !isShown.has(cpu),
    home,
  };
}

/** The column of a CPU; -1 where it has none on this page; the home column for no CPU. */
export function columnOf(layout: Layout, cpu: number): number {
  if (cpu === NO_CPU) return layout.home;
  const found = columnsByCpu(layout).get(cpu);
  return found ?? (layout.isFolded(cpu) ? -1 : layout.home);
}

const columnsByCpu = once(
  ({ columns }: Layout): ReadonlyMap<number, number> =>
    new Map(columns.map(({ cpu }, at) => [cpu, at])),
);

/** What each lane is called at the left of the stage; the transport's after the transports there are. */
function laneLabels(usage: Usage): ReadonlyMap<string, string> {
  const transports = ['TCP', 'UDP'].filter(
    (name) => usage.stations.has(name) || usage.stations.has(`${name} send`),
  );
  const labels = new Map(LANES.map(({ id, row }) => [id, rowLabel(row)]));
  if (transports.length > 0) labels.set('transport', transports.join(' · '));
  // The second lane of the sockets is under the name of the first.
  if (usage.lanes.has('socket')) labels.set('backlog', '');
  return labels;
}

/** The room of the lanes' names; none on a phone whose texts are so large that little would be left. */
function gutterWidth(
  labels: ReadonlyMap<string, string>,
  { measure, width }: Viewport,
  text: number,
  isCompact: boolean,
): number {
  const widest = Math.max(
    ...[...labels.values()].map((label) => measure(label, text, true, false)),
  );
  const inset = 2 * insetOf(text, isCompact);
  const gutter = widest + inset + 0.2 * text;
  return isCompact && gutter > MOST_OF_A_PHONE * width ? 0 : gutter;
}

/** The names at the left stand so far from the edge. */
export function insetOf(text: number, isCompact: boolean): number {
  return (isCompact ? 0.2 : 0.6) * text;
}

/** Each lane's title and body; what is left of the page is given to the bodies first. */
function laneHeights(
  lanes: readonly LaneSpec[],
  usage: Usage,
  focus: Focus,
  line: number,
  page: { readonly total: number; readonly other: number },
) {
  const weights = lanes.map(({ id }) => 1 + (ENLARGED - 1) * (focus.lanes.get(id) ?? 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const titled = lanes.map((lane) => usage.hasTitle(lane));
  const count = Math.max(1, lanes.length);
  const fixed = (pad: number) =>
    titled.reduce((sum, has) => sum + (has ? line : DENSE.title * line) + pad * line, 0);
  const free = (pad: number) => page.total - page.other - fixed(pad);
  // On a low page the air between the lanes goes first, before anything is scrolled.
  const isTight = free(ROOMY.pad) < BODY.least * line * whole;
  const pad = isTight ? DENSE.pad : ROOMY.pad;
  const least = isTight ? DENSE.body : BODY.least;
  const body = Math.max(least * line, Math.min(BODY.most * line, free(pad) / whole));
  const spare = Math.max(0, free(pad) - body * whole) / count;
  return lanes.map((_, at) => ({
    title: titled[at] === true ? line : DENSE.title * line,
    body: body * (weights[at] ?? 1),
    pad: pad * line + Math.min(spare, 1.2 * line),
  }));
}
