/**
 * The slots of a layout: places on the rails, and the vessels between them with their heads next to their
 * rail. A socket's queue is a single slot, on the CPU where that socket is.
 */
import type { Opened } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { busiest } from './columns.ts';
import { groOf } from './gro.ts';
import type { Column, Lane, Rail, Slot } from './layout.ts';
import { m } from '../words/generated/messages.js';
import type { SlotSpec } from './rows.ts';
import type { Rect } from './shapes.ts';
import type { Usage } from './usage.ts';
import type { Words } from './words.ts';

/** Maximum number of vessels for the sockets of one CPU; if there are more sockets, they share one. */
const SOCKETS_SHOWN = 2;
/** Minimum width of a vessel with a place of its own, in letter heights. */
const VESSEL_AT_LEAST = 8;

/**
 * Width beside the rail for pieces that wait to be put together: a fraction of their room, and a minimum in
 * letter heights.
 */
const ASIDE = 0.36;
const ASIDE_AT_LEAST = 4;

/** A slot before it has a place. */
interface Wanted {
  readonly spec: SlotSpec;
  readonly queues: readonly number[];
  readonly drops: number;
}

export function slotsOf(
  run: Opened,
  words: Words,
  usage: Usage,
  columns: readonly Column[],
  lanes: readonly Lane[],
  text: number,
  line: number,
): readonly Slot[] {
  return columns.flatMap((column, index) =>
    lanes.flatMap((lane) => {
      const rx = wantedIn(lane.spec.rx);
      const tx = wantedIn(lane.spec.tx);
      const rail = (wanted: readonly Wanted[]) => wanted.filter(({ spec }) => spec.kind === 'work');
      const vessels = (wanted: readonly Wanted[]) =>
        wanted.filter(({ spec }) => spec.kind !== 'work');
      const [rxVessels, txVessels] = [vessels(rx), vessels(tx)];
      const gap = 0.5 * text;
      const end = column.innerX + column.innerWidth;
      const { rxRail, txRail } = column;
      // A vessel alone in its lane has its head on the rail itself.
      const from =
        rxRail === undefined || (rail(rx).length === 0 && rxVessels.length > 0)
          ? column.innerX
          : rxRail.x + rxRail.width + gap;
      const to =
        txRail === undefined || (rail(tx).length === 0 && txVessels.length > 0)
          ? end
          : txRail.x - gap;
      const weigh = (wanted: readonly Wanted[]) =>
        wanted.reduce((sum, { spec }) => sum + spec.weight, 0);
      const [up, down] = [weigh(rxVessels), weigh(txVessels)];
      const split = up + down === 0 ? from : from + ((to - from) * up) / (up + down);
      const aside = asideOf(rxVessels, split - from);
      const isShared = up > 0 && down > 0;
      const middle = isShared ? 1.1 * text : 0;
      return [
        ...rail(rx).map((wanted) => onRail(wanted, 'rx', rxRail)),
        ...inVessels(rxVessels, 'rx', from + aside, split - middle / 2, rxRail),
        ...inVessels(txVessels, 'tx', split + middle / 2, to, txRail),
        ...rail(tx).map((wanted) => onRail(wanted, 'tx', txRail)),
      ].filter((slot) => slot !== undefined);

      /**
       * Room between the rail and the place of assembly: pieces arrive together, and each must be
       * distinguishable while it waits for its turn.
       */
      function asideOf(wanted: readonly Wanted[], room: number): number {
        const isAssembly = wanted.some(({ spec }) => spec.kind === 'assembly');
        const left = Math.min(ASIDE * room, room - VESSEL_AT_LEAST * text);
        return isAssembly && left > ASIDE_AT_LEAST * text ? left : 0;
      }

      function wantedIn(specs: readonly SlotSpec[]): readonly Wanted[] {
        return usage.slotsAt(column.cpu, specs).flatMap((spec): readonly Wanted[] => {
          const drops = usage.drops(column.cpu, spec);
          const queues = queuesOf(run, words, spec, column.cpu);
          const isApart =
            spec.kind === 'stream' &&
            queues.length > 1 &&
            queues.length <= SOCKETS_SHOWN &&
            column.innerWidth > (queues.length + 1) * VESSEL_AT_LEAST * text;
          return isApart
            ? queues.map((queue) => ({ spec, queues: [queue], drops }))
            : [{ spec, queues, drops }];
        });
      }

      function onRail(
        { spec }: Wanted,
        direction: 'rx' | 'tx',
        rail: Rail | undefined,
      ): Slot | undefined {
        if (rail === undefined) return undefined;
        const y = lane.rect.y + lane.titleHeight;
        const body = { x: rail.x, y, width: rail.width, height: lane.bodyHeight };
        return {
          ...named(spec, direction, []),
          titleRect: { ...body, y: lane.rect.y, height: 0 },
          body,
          rise: Math.max(0, lane.titleHeight - 0.1 * line),
          spill: spillBeside(direction),
          railX: rail.x + rail.width / 2,
          railWidth: rail.width,
          railGap: gap,
          hasLid: false,
          bin: undefined,
        };
      }

      /** The free middle of a lane without vessels, halved between the receive and transmit paths. */
      function spillBeside(direction: 'rx' | 'tx'): Rect | undefined {
        const y = lane.rect.y + lane.titleHeight;
        if (direction === 'rx' && aside > 0) {
          return { x: from, y, width: aside - gap, height: lane.bodyHeight };
        }
        if (rxVessels.length + txVessels.length > 0 || lane.spec.id === 'process') return undefined;
        const start = rxRail === undefined ? column.innerX : rxRail.x + rxRail.width + gap;
        const stop = txRail === undefined ? end : txRail.x - gap;
        const both = rail(rx).length > 0 && rail(tx).length > 0;
        const width = both ? (stop - start - gap) / 2 : stop - start;
        if (width < 3 * lane.bodyHeight) return undefined;
        const x = direction === 'rx' ? start : stop - width;
        return { x, y, width, height: lane.bodyHeight };
      }

      function inVessels(
        wanted: readonly Wanted[],
        direction: 'rx' | 'tx',
        start: number,
        stop: number,
        rail: Rail | undefined,
      ): readonly Slot[] {
        const weights = weigh(wanted);
        const between = gap * 1.6;
        const room = stop - start - between * (wanted.length - 1);
        let x = start;
        // The transmit path mirrors the receive path: heads are next to the rail.
        const ordered = direction === 'tx' ? [...wanted].reverse() : wanted;
        return ordered.map(({ spec, queues, drops }): Slot => {
          const width = (room * spec.weight) / weights;
          const y = lane.rect.y + lane.titleHeight;
          const hasBin = drops > 0;
          const bin = hasBin ? Math.min(1.5 * lane.bodyHeight, 0.25 * width) : 0;
          const body: Rect = {
            x: direction === 'tx' ? x + bin : x,
            y,
            width: width - bin,
            height: lane.bodyHeight,
          };
          const clear =
            rail === undefined || direction === 'tx'
              ? x
              : Math.max(x - aside, rail.x + rail.width + gap);
          const titleEnd =
            rail === undefined || direction === 'rx'
              ? x + width
              : Math.min(x + width, rail.x - gap);
          const slot: Slot = {
            ...named(spec, direction, queues),
            titleRect: {
              x: clear,
              y: lane.rect.y,
              width: Math.max(0, titleEnd - clear),
              height: line,
            },
            body,
            rise: 0,
            spill: undefined,
            railX: rail === undefined ? body.x : rail.x + rail.width / 2,
            railWidth: rail?.width ?? body.width,
            railGap: gap,
            hasLid: hasBin || queues.some((queue) => (run.queues[queue]?.limit ?? 0) > 0),
            bin: hasBin
              ? {
                  x: direction === 'tx' ? x : x + width - bin + 0.2 * text,
                  y,
                  width: bin - 0.2 * text,
                  height: lane.bodyHeight,
                }
              : undefined,
          };
          x += width + between;
          return slot;
        });
      }

      function named(spec: SlotSpec, direction: 'rx' | 'tx', queues: readonly number[]) {
        const own = queues.length === 1 ? `/${queues[0] ?? 0}` : '';
        return {
          id: `${column.cpu}/${lane.spec.id}/${direction}/${spec.stations[0] ?? ''}${own}`,
          lane: lane.spec.id,
          row: lane.spec.row,
          column: index,
          direction,
          kind: spec.kind,
          stations: spec.stations.flatMap((name) => words.stationIndex.get(name) ?? []),
          queues,
          name: spec.stations.join(', '),
          ...titlesOf(run, spec),
        };
      }
    }),
  );
}

/** The titles of a vessel, from the longest; that of GRO tells if it does nothing. */
function titlesOf(run: Opened, spec: SlotSpec): Pick<Slot, 'title' | 'shortTitle' | 'leastTitle'> {
  const [title, shortTitle, leastTitle] = [spec.title(), spec.shortTitle(), spec.leastTitle()];
  if (!spec.stations.includes('GRO')) return { title, shortTitle, leastTitle };
  const gro = groOf(run);
  const off = m.stage_gro_off();
  if (gro === 'off') return { title: off, shortTitle: off, leastTitle };
  return { title: gro === 'idle' ? m.stage_gro_idle() : title, shortTitle, leastTitle };
}

/** The queues of a kind that belong to a CPU, the one with the greatest depth in the run first. */
function queuesOf(run: Opened, words: Words, spec: SlotSpec, cpu: number): readonly number[] {
  const kinds = spec.stations.map((name) => words.queueIndex.get(name));
  return run.queues
    .map((info, at) => ({ info, at }))
    .filter(({ info }) => {
      const home = info.home === NO_CPU ? busiest(run) : info.home;
      return kinds.includes(info.kind) && home === cpu;
    })
    .sort((a, b) => b.info.maxDepth - a.info.maxDepth || a.at - b.at)
    .map(({ at }) => at);
}
