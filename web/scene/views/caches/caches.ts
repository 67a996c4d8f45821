/**
 * The view of the caches: panels under the CPUs with cache lines as squares, transfers between caches, and
 * where the time of a copy went. For a recording, which contains no lines, what can be inferred.
 */
import type { Frame } from '../../../core/frame.ts';
import { onceSpoken } from '../../once.ts';
import { pinnedOf } from '../../place.ts';
import type { Shape, View } from '../../shapes.ts';
import { headsBottom, headShapes } from '../heads.ts';
import type { Ground } from '../ground.ts';
import { LINE } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { COPY, copyOf, copySentences, copyShapes, type Split } from './copy.ts';
import { crossingOf, crossingShapes, waysNow } from './crossings.ts';
import { drawInferred } from './inferred.ts';
import { panelsBottom, panelShapes, panelsOf, type CachePanel } from './panels.ts';
import { rowsOf, type ObjectRow } from './rows.ts';
import { legendRows, legendShapes, stateSentences } from './states.ts';
import { m } from '../../../words/generated/messages.js';

export function drawCaches(ground: Ground, frame: Frame, view: View): Drawn {
  const { em, gap, run } = ground;
  if (run.machine.caches.length === 0) return drawInferred(ground, frame, view);
  const placed = placedOf(ground);
  const pinned = pinnedOf(view);
  const split = copyOf(frame, run.machine.clockKhz, pinned);
  const bottom = panelsBottom(placed.panels) + 2 * gap + COPY * em + legendHeight(ground);
  return {
    height: Math.max(ground.height, bottom),
    shapes: [
      ...headShapes(ground, frame, view),
      ...modelShapes(ground, frame, placed, split, view),
    ],
    sentences: () => [
      ...copySentences(frame, split, pinned),
      ...stateSentences(ground, frame, placed.rows),
    ],
  };
}

function modelShapes(
  ground: Ground,
  frame: Frame,
  { panels, rows }: Placed,
  split: Split | undefined,
  view: View,
): readonly Shape[] {
  const { gap, run } = ground;
  if (panels.length === 0) return [];
  const bottom = panelsBottom(panels);
  const ways = waysNow(ground, frame, panels, rows, split);
  const crossing = crossingOf(ways, view);
  const units = [...new Set(rows.map(({ unit }) => unit))];
  const [large = 1, small = large] = units;
  const scale =
    large === small
      ? m.caches_scale_one({ unit: large, bytes: run.machine.lineBytes })
      : m.caches_scale({ large, small });
  return [
    ...panels.flatMap((panel) => panelShapes(ground, frame, panel, rows, crossing)),
    ...crossingShapes(ground, ways, split, frame, view),
    ...legendShapes(ground, bottom + gap / 3, scale),
    ...copyShapes(ground, frame, split, pinnedOf(view), bottom + gap / 2 + legendHeight(ground)),
  ];
}

function legendHeight(ground: Ground): number {
  return legendRows(ground) * (LINE + 0.1) * ground.em;
}

interface Placed {
  readonly panels: readonly CachePanel[];
  readonly rows: readonly ObjectRow[];
}

const placedOf = onceSpoken((ground: Ground): Placed => {
  const { em, gap, height } = ground;
  const top = headsBottom(ground);
  // Lower panels would be illegible; the stage scrolls instead.
  const least = top + 16 * em;
  const panels = panelsOf(
    ground,
    top,
    Math.max(least, height - COPY * em - legendHeight(ground) - gap),
  );
  const narrowest = Math.min(...panels.map(({ inner }) => inner.width));
  const [first] = panels;
  return { panels, rows: first === undefined ? [] : rowsOf(ground, narrowest, first.inner.height) };
});
