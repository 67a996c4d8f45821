/**
 * The MESI states of cache lines in the view of the caches: their look and names as a legend under the
 * panels, and each cache's lines by state as sentences.
 */
import type { Frame } from '../../../core/frame.ts';
import type { Rect, Shape } from '../../shapes.ts';
import type { GridShape, LineStates } from '../../view-shapes.ts';
import type { Ground } from '../ground.ts';
import { line, LINE, widthOf } from '../parts.ts';
import { linesOf } from './panels.ts';
import { SQUARE, type ObjectRow } from './rows.ts';
import { m } from '../../../words/generated/messages.js';
import { statesText } from '../../machine/texts.ts';

export const NO_STATES: LineStates = { modified: 0, exclusive: 0, shared: 0 };

/** The states with a number of lines subtracted, first those that can have come from elsewhere unmodified. */
export function without({ modified, exclusive, shared }: LineStates, lines: number): LineStates {
  const [fromShared, fromModified] = [Math.min(shared, lines), Math.min(modified, lines)];
  const rest = Math.max(0, lines - fromShared);
  return {
    shared: shared - fromShared,
    modified: modified - Math.min(fromModified, rest),
    exclusive: exclusive - Math.min(exclusive, Math.max(0, rest - fromModified)),
  };
}

/** The look and the name of each state. */
const LOOKS: readonly {
  readonly looks: Pick<GridShape, 'lines' | 'states' | 'invalidated'>;
  readonly name: () => string;
}[] = [
  {
    looks: { lines: 1, states: { ...NO_STATES, modified: 1 }, invalidated: 0 },
    name: m.caches_state_modified,
  },
  {
    looks: { lines: 1, states: { ...NO_STATES, exclusive: 1 }, invalidated: 0 },
    name: m.caches_state_exclusive,
  },
  {
    looks: { lines: 1, states: { ...NO_STATES, shared: 1 }, invalidated: 0 },
    name: m.caches_state_shared,
  },
  { looks: { lines: 0, states: NO_STATES, invalidated: 1 }, name: m.caches_state_invalidated },
];

/**
 * Maximum number of text rows of the legend; depends on width alone, as a ground outlives a change of
 * language.
 */
export function legendRows({ width, em, run, isCompact }: Ground): number {
  if (!run.machine.tellsStates) return isCompact ? 2 : 1;
  if (width < NARROW * em) return LOOKS.length + 1;
  return isCompact ? 3 : width < WIDE * em ? 2 : 1;
}

/** Widths in text sizes from which legend and scale share a row; below the second, each has its own. */
const WIDE = 70;
const NARROW = 24;

/** The states, if known, and the number of lines that a square stands for; from left to right, in rows. */
export function legendShapes(ground: Ground, y: number, scale: string): readonly Shape[] {
  const { em, gap, width, run } = ground;
  const step = em * (LINE + 0.1);
  const looks = run.machine.tellsStates ? LOOKS : [];
  const end = width - gap;
  let [x, row] = [gap, 0];
  const shapes: Shape[] = [];
  const place = (wanted: number): Rect => {
    if (x > gap && x + wanted > end) [x, row] = [gap, row + 1];
    const rect = { x, y: y + row * step, width: Math.min(wanted, end - x), height: em * LINE };
    x += wanted + em;
    return rect;
  };
  for (const { looks: look, name } of looks) {
    const text = name();
    const swatch = em * (SQUARE + 0.45);
    const at = place(swatch + widthOf(ground, text, false, 0.95) + 1);
    shapes.push(
      {
        kind: 'grid',
        rect: {
          ...{ x: at.x, y: at.y + (at.height * 0.95 - SQUARE * em) / 2 },
          ...{ width: SQUARE * em, height: SQUARE * em },
        },
        ...{ columns: 1, pitch: SQUARE * em, size: SQUARE * em, unit: 1, places: 1, coming: 0 },
        ...{ ...look, fill: 'cache' },
      },
      ...line(ground, {
        ...{ text, x: at.x + swatch, y: at.y, width: at.width - swatch },
        ...{ size: 0.95, colour: 'ink-soft' },
      }),
    );
  }
  const at = place(widthOf(ground, scale, false, 0.95) + 1);
  const room = { x: at.x, width: end - at.x, y: at.y };
  const isLast = row === legendRows(ground) - 1 || at.x === gap;
  return [
    ...shapes,
    ...line(ground, {
      ...{ ...room, text: scale, size: 0.95, colour: 'ink-muted' },
      align: isLast && !ground.isCompact ? 'right' : 'left',
    }),
  ];
}

/** Each cache's lines by state, a sentence for each cache. */
export function stateSentences(
  { run }: Ground,
  frame: Frame,
  rows: readonly ObjectRow[],
): readonly string[] {
  if (!run.machine.tellsStates) return [];
  return run.machine.caches.flatMap((cpus, cache) => {
    const kinds = rows.flatMap((row) => {
      const told = statesText(linesOf(frame, cache, row));
      return told === '' ? [] : [m.caches_kind_states({ kind: row.name(), states: told })];
    });
    const told = { cpus: cpus.join(', '), what: kinds.join('; ') };
    return kinds.length === 0 ? [] : [m.caches_states(told)];
  });
}
