/**
 * The view of the caches: panels under the CPUs with cache lines as squares, lines that cross,
 * and what the time of a copy went to. In a recording, which sees no line, what can be inferred.
 */
import type { Frame } from '../../../core/frame.ts';
import { m } from '../../../words/generated/messages.js';
import type { Shape, View } from '../../shapes.ts';
import { headsBottom, headShapes } from '../heads.ts';
import type { Ground } from '../ground.ts';
import { line } from '../parts.ts';
import { COPY, copyOf, copyShapes } from './copy.ts';
import { crossingShapes } from './crossings.ts';
import { inferredHeight, inferredShapes } from './inferred.ts';
import { panelsBottom, panelShapes, panelsOf } from './panels.ts';
import { rowsOf } from './rows.ts';

export function cachesHeight(ground: Ground): number {
  if (ground.run.machine.caches.length === 0) return inferredHeight(ground);
  const { em, gap } = ground;
  return Math.max(ground.height, panelsBottom(placed(ground)) + 2 * gap + (COPY + 1.4) * em);
}

export function cachesShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
  const heads = headShapes(ground, frame, view);
  const { em, gap, width, run } = ground;
  if (run.machine.caches.length === 0) return [...heads, ...inferredShapes(ground, frame, view)];
  const panels = placed(ground);
  const [first] = panels;
  if (first === undefined) return heads;
  const rows = rowsOf(
    ground,
    Math.min(...panels.map(({ inner }) => inner.width)),
    first.inner.height,
  );
  const bottom = panelsBottom(panels);
  const units = [...new Set(rows.map(({ unit }) => unit))];
  const [large = 1, small = large] = units;
  const scale =
    large === small ? m.caches_scale_one({ unit: large }) : m.caches_scale({ large, small });
  return [
    ...heads,
    ...panels.flatMap((panel) => panelShapes(ground, frame, panel, rows)),
    ...crossingShapes(
      ground,
      frame,
      panels,
      rows,
      copyOf(frame, run.machine.clockKhz, view.followed ?? view.selected),
      view,
    ),
    ...line(ground, {
      ...{ text: scale, x: gap, y: bottom + gap / 3, width: width - 2 * gap },
      ...{ size: 0.95, colour: 'ink-muted', align: 'right' },
    }),
    ...copyShapes(ground, frame, bottom + gap / 2 + em * 1.3, view),
  ];
}

function placed(ground: Ground) {
  const { em, gap, height } = ground;
  const top = headsBottom(ground);
  // Lower panels than this could not be read: then the stage is scrolled.
  const least = top + 16 * em;
  return panelsOf(ground, top, Math.max(least, height - (COPY + 1.4) * em - gap));
}
