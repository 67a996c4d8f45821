/**
 * The bridges between columns: one in each lane in which packets of this run move to another CPU. It is lit
 * while a packet crosses.
 */
import type { Opened } from '../core/core.ts';
import type { Entry } from './entries.ts';
import type { Layout } from './layout.ts';
import { onceOfBoth } from './once.ts';
import { LANES } from './rows.ts';
import type { Shape } from './shapes.ts';
import type { Words } from './words.ts';

/** The lanes in which packets of a run move to another CPU. */
const bridgedLanes = onceOfBoth((run: Opened, words: Words): ReadonlySet<string> => {
  const reached = new Set(
    run.visits
      .filter(({ crossings }) => crossings > 0)
      .map(({ station }) => words.glossary.stations[station]?.name ?? ''),
  );
  const lanes = LANES.filter(({ rx, tx }) =>
    [...rx, ...tx].some(({ stations }) => stations.some((name) => reached.has(name))),
  );
  return new Set(lanes.map(({ id }) => id));
});

export function bridgeShapes(
  run: Opened,
  words: Words,
  layout: Layout,
  live: readonly Entry[],
): readonly Shape[] {
  const lanes = bridgedLanes(run, words);
  const crossing = live.filter(
    ({ hopped, slot, nextSlot }) =>
      hopped > 0 && hopped < 1 && nextSlot !== undefined && nextSlot.column !== slot.column,
  );
  return layout.columns.slice(1).flatMap((right, at): readonly Shape[] => {
    const left = layout.columns[at];
    if (left === undefined) return [];
    const from = left.rect.x + left.rect.width;
    return layout.lanes
      .filter(({ spec }) => lanes.has(spec.id))
      .map(({ spec, rect, titleHeight, bodyHeight }): Shape => ({
        kind: 'bridge',
        rect: {
          x: from,
          y: rect.y + titleHeight + bodyHeight * 0.5,
          width: right.rect.x - from,
          height: bodyHeight * 0.6,
        },
        isCrossed: crossing.some(({ slot, nextSlot }) => {
          if (nextSlot === undefined || nextSlot.lane !== spec.id) return false;
          const [a, b] = [slot.column, nextSlot.column].sort((one, other) => one - other);
          return a !== undefined && b !== undefined && a <= at && at < b;
        }),
      }));
  });
}
