/**
 * The slot of a station in a column, looked up once for each layout. A queue with its own slot is found by
 * its index, the others by their station.
 */
import type { Layout, Slot } from './layout.ts';
import { LANES } from './rows.ts';
import type { Words } from './words.ts';

export interface SlotTable {
  readonly slot: (column: number, station: number, queue: number) => Slot | undefined;
}

export function slotTable(layout: Layout, words: Words): SlotTable {
  const byStation = layout.columns.map((_, column) => {
    const own = layout.slots.filter((slot) => slot.column === column);
    const places: Slot[] = [];
    words.glossary.stations.forEach(({ name, direction }, station) => {
      const lane = LANES.find(({ rx, tx }) =>
        [...rx, ...tx].some(({ stations }) => stations.includes(name)),
      );
      // A run visits what its list of visits says; what is beyond it stands nearby.
      const slot =
        own.find(({ stations }) => stations.includes(station)) ??
        own.find((near) => near.lane === lane?.id && near.direction === direction) ??
        own.find((near) => near.row === lane?.row && near.direction === direction) ??
        own.find((near) => near.direction === direction);
      if (slot !== undefined) places[station] = slot;
    });
    return places;
  });
  const byQueue = layout.columns.map((_, column) => {
    const own = layout.slots.filter((slot) => slot.column === column && slot.queues.length === 1);
    return new Map(own.map((slot) => [slot.queues[0] ?? -1, slot]));
  });
  return {
    slot: (column, station, queue) => {
      const place = byStation[column]?.[station];
      const own = byQueue[column]?.get(queue);
      return own !== undefined && own.stations.includes(station) ? own : place;
    },
  };
}
