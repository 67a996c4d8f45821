/**
 * Where everything has its place: columns for CPUs, rows for layers, slots for stations.
 * A layout depends on the run, the words and the viewport, never on a frame, so nothing
 * jumps while time runs.
 *
 * CPUs that hardly touched a packet in the whole run are narrow. On a narrow page one CPU has the
 * whole width (`isCompact`) and the others are chips above it.
 */
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { busiest, chosenCpu, columnPlan, sendShare } from './columns.ts';
import { hasStatus } from './machine/has-status.ts';
import { ROWS } from './rows.ts';
import type { LaneSpec, RowSpec, SlotKind, SlotSpec } from './rows.ts';
import type { Rect, RowName, Viewport } from './shapes.ts';
import type { Words } from './words.ts';

export interface Column {
  /** Its place in the run's list of CPUs, -1 where the run names none. */
  readonly at: number;
  readonly cpu: number;
  readonly isNarrow: boolean;
  /** From the head down to the wire. */
  readonly rect: Rect;
  readonly innerX: number;
  readonly innerWidth: number;
  /** The cache below it. */
  readonly cache: Rect;
  /** Where the way down begins. */
  readonly sendX: number;
}

export interface Slot {
  readonly id: string;
  readonly row: RowName;
  readonly column: number;
  readonly direction: 'rx' | 'tx';
  readonly kind: SlotKind;
  /** Indices in the glossary. */
  readonly stations: readonly number[];
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly titleRect: Rect;
  /** Where its packets are; capsules are as high as this. */
  readonly body: Rect;
}

export interface Row {
  readonly spec: RowSpec;
  readonly rect: Rect;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** 1 at the least; more where there is room, for the back of the hall. */
  readonly scale: number;
  readonly textSize: number;
  readonly lineHeight: number;
  /** Above the name of a row. */
  readonly labelPad: number;
  /** How deep an arc between two caches hangs. */
  readonly arcDepth: number;
  readonly isCompact: boolean;
  /** Width of the names of the rows at the left; 0 when compact. */
  readonly gutter: number;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly caches: Rect;
  /** Whether CPUs have a line for what only a model tells of them. */
  readonly hasStatus: boolean;
  /** Height of the line that names the ways up and down; 0 where there is no room for it. */
  readonly waysHeight: number;
  readonly slots: readonly Slot[];
  /** For each CPU that has no column (compact): its chip; the shown CPU has one too. */
  readonly chips: readonly { readonly at: number; readonly cpu: number; readonly rect: Rect }[];
  /** Column of what belongs to no CPU: the one that touched most packets. */
  readonly home: number;
}

export const HEAD = { top: 8, line: 24, strip: 14, gap: 5, ways: 22, status: 20 } as const;
const HEAD_HEIGHT = HEAD.top + HEAD.line + HEAD.gap + HEAD.strip + HEAD.gap;

/** The heights that give way on a low page, before anything is scrolled; texts keep their size. */
interface Density {
  readonly line: number;
  readonly capsule: number;
  readonly lanePad: number;
  readonly rowPad: number;
  readonly labelPad: number;
  readonly cacheGap: number;
  readonly cacheBox: number;
  readonly arcDepth: number;
  readonly margin: number;
}

const DENSE: Density = {
  line: 14,
  capsule: 14,
  lanePad: 3,
  rowPad: 3,
  labelPad: 2,
  cacheGap: 6,
  cacheBox: 37,
  arcDepth: 9,
  margin: 6,
};

const ROOMY: Density = {
  line: 15,
  capsule: 20,
  lanePad: 7,
  rowPad: 6,
  labelPad: 5,
  cacheGap: 10,
  cacheBox: 46,
  arcDepth: 15,
  margin: 10,
};

const MARGIN = 10;
const COMPACT_BELOW = 560;

export function layoutOf(
  run: Opened,
  words: Words,
  viewport: Viewport,
  touched: readonly number[] | undefined,
  focusCpu: number | undefined,
): Layout {
  const isCompact = viewport.width < COMPACT_BELOW;
  const specs = ROWS.map((row) => ({ ...row, lanes: lanesIn(run, words, row) }));
  const lanes = specs.reduce((sum, { lanes }) => sum + lanes.length, 0);
  // A model tells more of each CPU, and its caches have numbers of their own.
  const status = hasStatus(run) ? HEAD.status : 0;
  const boxOf = (density: Density) =>
    density.cacheBox + (run.machine.caches.length > 0 ? density.line : 0);
  // On a narrow page one CPU is shown: there is nothing to draw an arc to.
  const arcsOf = (density: Density) => (isCompact ? 0 : density.arcDepth + density.line + 4);
  const heightOf = (density: Density) =>
    HEAD_HEIGHT +
    status +
    lanes * (density.line + density.capsule + density.lanePad) +
    specs.length * density.rowPad +
    density.cacheGap +
    boxOf(density) +
    arcsOf(density) +
    2 * density.margin;
  // On a low page the names of the ways give way to what a model tells.
  const hasWays = isCompact || status === 0 || viewport.height >= heightOf(DENSE) + HEAD.ways;
  const ways = hasWays ? HEAD.ways : 2;
  const free = viewport.height - ways - heightOf(DENSE);
  const room = free / (heightOf(ROOMY) - heightOf(DENSE));
  // A page that is narrow scrolls anyway: there it need not be dense.
  const density = isCompact ? ROOMY : blendOf(DENSE, ROOMY, Math.min(1, Math.max(0, room)));
  const natural = heightOf(density) + ways;
  const roomy = Math.min(viewport.height / natural, viewport.width / 940);
  const scale = isCompact ? 1 : Math.min(1.8, Math.max(1, roomy));

  const cpus = run.cpus.length > 0 ? run.cpus : [NO_CPU];
  const shown = isCompact ? [chosenCpu(cpus, touched, focusCpu)] : cpus.map((_, at) => at);
  const chips = isCompact && cpus.length > 1 ? chipsFor(cpus, viewport.width) : [];
  const chipsHeight = chips.reduce((low, { rect }) => Math.max(low, rect.y + rect.height), 0);

  const height = Math.max(viewport.height, natural * scale + chipsHeight);
  const spare = (height - chipsHeight - natural * scale) / lanes;
  const laneHeight = (density.line + density.capsule + density.lanePad) * scale + spare;

  const gutter = isCompact ? 0 : Math.min(220, Math.max(124, viewport.width * 0.165));
  const plan = columnPlan(
    shown.map((at) => touched?.[at]),
    viewport.width - gutter - MARGIN - (isCompact ? MARGIN : 0),
    scale,
  );
  const top = chipsHeight + density.margin;
  const rows: Row[] = [];
  let y = top + (HEAD_HEIGHT + status + ways) * scale;
  const left = isCompact ? MARGIN : gutter;
  const width = Math.max(viewport.width, left + plan.width + MARGIN);
  for (const spec of specs) {
    const rowHeight = spec.lanes.length * laneHeight + density.rowPad * scale;
    rows.push({ spec, rect: { x: 0, y, width, height: rowHeight } });
    y += rowHeight;
  }
  const cachesTop = y + density.cacheGap * scale;
  const txShare = sendShare(run);
  const columns = shown.map((at, index): Column => {
    const place = plan.columns[index] ?? { x: 0, width: 0, isNarrow: false };
    const rect = { x: left + place.x, y: top, width: place.width, height: y - top };
    const pad = (place.isNarrow ? 6 : 12) * scale;
    const innerWidth = rect.width - 2 * pad;
    const share = place.isNarrow ? 0.5 : txShare;
    return {
      at: run.cpus.length > 0 ? at : -1,
      cpu: cpus[at] ?? NO_CPU,
      isNarrow: place.isNarrow,
      rect,
      innerX: rect.x + pad,
      innerWidth,
      cache: { x: rect.x, y: cachesTop, width: rect.width, height: boxOf(density) * scale },
      sendX: rect.x + pad + innerWidth * (1 - share),
    };
  });
  const metrics = { scale, laneHeight, spare, words, isCompact, density };
  return {
    width,
    height,
    scale,
    textSize: 12 * scale,
    lineHeight: density.line * scale,
    labelPad: density.labelPad * scale,
    arcDepth: density.arcDepth * scale,
    isCompact,
    gutter,
    columns,
    rows,
    caches: { x: 0, y: cachesTop, width, height: (boxOf(density) + arcsOf(density)) * scale },
    hasStatus: status > 0,
    waysHeight: hasWays ? HEAD.ways * scale : 0,
    slots: columns.flatMap((column, index) => slotsIn(rows, column, index, metrics)),
    chips,
    home: busiest(columns.map(({ at }) => touched?.[at])),
  };
}

/** The slot of a station in a column: looked up once for each layout. */
export function slotTable(layout: Layout, words: Words): readonly (readonly Slot[])[] {
  const stations = words.glossary.stations;
  return layout.columns.map((_, column) => {
    const own = layout.slots.filter((slot) => slot.column === column);
    const table: Slot[] = [];
    stations.forEach(({ name, direction }, station) => {
      const spec = ROWS.find((row) => row.lanes.some((lane) => namesIn(lane).includes(name)));
      const slot =
        own.find(({ stations: held }) => held.includes(station)) ??
        own.find((slot) => slot.row === spec?.name && slot.direction === direction) ??
        own.find((slot) => slot.row === 'softirq' && slot.direction === direction);
      if (slot !== undefined) table[station] = slot;
    });
    return table;
  });
}

/** The column of a CPU; -1 where it has none on this page; the home column for no CPU. */
export function columnOf(layout: Layout, cpu: number): number {
  if (cpu === NO_CPU) return layout.home;
  const found = layout.columns.findIndex((column) => column.cpu === cpu);
  if (found !== -1) return found;
  return layout.chips.some((chip) => chip.cpu === cpu) ? -1 : layout.home;
}

interface Metrics {
  readonly scale: number;
  readonly laneHeight: number;
  readonly spare: number;
  readonly words: Words;
  readonly isCompact: boolean;
  readonly density: Density;
}

function slotsIn(rows: readonly Row[], column: Column, index: number, metrics: Metrics): Slot[] {
  const { density } = metrics;
  return rows.flatMap((row) =>
    row.spec.lanes.flatMap((lane, laneAt) => {
      const y = row.rect.y + (density.rowPad / 2) * metrics.scale + laneAt * metrics.laneHeight;
      const gap = 10 * metrics.scale;
      const end = column.innerX + column.innerWidth;
      const isShared = lane.rx.length > 0 && lane.tx.length > 0;
      const rxEnd = isShared ? column.sendX - gap / 2 : end;
      const txStart = isShared ? column.sendX + gap / 2 : column.innerX;
      return [
        ...slotsOfWay('rx', lane.rx, column.innerX, rxEnd, y),
        ...slotsOfWay('tx', lane.tx, txStart, end, y),
      ];

      function slotsOfWay(
        direction: 'rx' | 'tx',
        given: readonly SlotSpec[],
        from: number,
        to: number,
        laneY: number,
      ): Slot[] {
        const specs = column.isNarrow && given.length > 1 ? [merged(given)] : given;
        const weights = specs.reduce((sum, { weight }) => sum + weight, 0);
        const room = to - from - gap * (specs.length - 1);
        let x = from;
        return specs.map((spec): Slot => {
          const width = (room * spec.weight) / weights;
          // Half of the room that is left makes the packets larger, the other half parts the lanes.
          const bodyHeight =
            Math.min(density.capsule * 1.5, density.capsule + metrics.spare / 2) * metrics.scale;
          const titleY =
            laneY + (metrics.laneHeight - (density.line + 2) * metrics.scale - bodyHeight) / 2;
          const slot: Slot = {
            id: `${index}/${row.spec.name}/${laneAt}/${direction}/${spec.title}`,
            row: row.spec.name,
            column: index,
            direction,
            kind: spec.kind,
            stations: spec.stations.flatMap((name) => metrics.words.stationIndex.get(name) ?? []),
            name: spec.stations.join(', '),
            title:
              spec.title === '' && metrics.isCompact && direction === 'rx'
                ? row.spec.label
                : spec.title,
            shortTitle: spec.shortTitle ?? spec.title,
            titleRect: { x, y: titleY, width, height: density.line * metrics.scale },
            body: {
              x,
              y: titleY + (density.line + 2) * metrics.scale,
              width,
              height: bodyHeight,
            },
          };
          x += width + gap;
          return slot;
        });
      }
    }),
  );
}

function blendOf(from: Density, to: Density, share: number): Density {
  const at = (key: keyof Density) => from[key] + (to[key] - from[key]) * share;
  return {
    line: at('line'),
    capsule: at('capsule'),
    lanePad: at('lanePad'),
    rowPad: at('rowPad'),
    labelPad: at('labelPad'),
    cacheGap: at('cacheGap'),
    cacheBox: at('cacheBox'),
    arcDepth: at('arcDepth'),
    margin: at('margin'),
  };
}

/** In a narrow column what stands side by side elsewhere shares one place. */
function merged(specs: readonly SlotSpec[]): SlotSpec {
  return {
    kind: 'queue',
    stations: specs.flatMap(({ stations }) => stations),
    title: specs.map(({ title }) => title).join(', '),
    weight: 1,
  };
}

/** The lanes that this run needs: optional slots only where it has such a queue. */
function lanesIn(run: Opened, words: Words, row: RowSpec): readonly LaneSpec[] {
  const kinds = new Set(run.queues.map(({ kind }) => words.glossary.queues[kind]?.name));
  const isThere = (slot: SlotSpec) => slot.isOptional !== true || kinds.has(slot.stations[0]);
  const lanes = row.lanes.map(({ rx, tx }) => ({ rx: rx.filter(isThere), tx: tx.filter(isThere) }));
  return lanes.filter(({ rx, tx }) => rx.length + tx.length > 0);
}

function namesIn({ rx, tx }: LaneSpec): readonly string[] {
  return [...rx, ...tx].flatMap(({ stations }) => stations);
}

function chipsFor(cpus: readonly number[], width: number): Layout['chips'] {
  const gap = 8;
  const perLine = Math.min(cpus.length, Math.max(1, Math.floor((width - 2 * MARGIN + gap) / 92)));
  const chipWidth = (width - 2 * MARGIN - gap * (perLine - 1)) / perLine;
  return cpus.map((cpu, at) => ({
    at,
    cpu,
    rect: {
      x: MARGIN + (at % perLine) * (chipWidth + gap),
      y: MARGIN + Math.floor(at / perLine) * 48,
      width: chipWidth,
      height: 40,
    },
  }));
}
