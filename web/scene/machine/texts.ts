/**
 * Numbers of a model as short texts, and the label that all texts about a model's machine share.
 */
import { formatCount, formatShort } from '../../numbers/format.ts';
import { linesText } from '../../words/counts.ts';
import { m } from '../../words/generated/messages.js';
import type { Layout } from '../layout.ts';
import type { Colour, LabelShape, Measure, Thing } from '../shapes.ts';

/** `812`, `12,304`, `456 k`, `2.41 M`: at most five digits. */
export function countText(count: number): string {
  return count < 100_000 ? formatCount(count) : formatShort(count);
}

/** `23 lines`, `456 k lines`. */
export function shortLinesText(lines: number): string {
  return lines < 100_000 ? linesText(lines) : m.stage_lines({ lines: formatShort(lines) });
}

/** `23 lines for 3,220 cycles`. */
export function pricedText(lines: number, cycles: number): string {
  return m.stage_priced({ lines: shortLinesText(lines), cycles: countText(cycles) });
}

/** A cache's lines of a kind, by state if states are known, and those that it just lost. */
export interface HeldLines {
  readonly lines: number;
  readonly modified: number;
  readonly exclusive: number;
  readonly shared: number;
  readonly invalidated: number;
}

/** `20 modified, 3 shared`; empty if no states are known. */
export function statesText(held: HeldLines): string {
  const parts: readonly (readonly [number, (given: { lines: string }) => string])[] = [
    [held.modified, m.caches_are_modified],
    [held.exclusive, m.caches_are_exclusive],
    [held.shared, m.caches_are_shared],
    [held.invalidated, m.caches_are_invalidated],
  ];
  return parts
    .filter(([lines]) => lines > 0)
    .map(([lines, text]) => text({ lines: countText(lines) }))
    .join(', ');
}

/** One line of text that starts at a point. */
export interface Written {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isBold?: boolean;
  readonly colour?: Colour;
  readonly thing?: Thing;
}

export function written(given: Written, layout: Layout, measure: Measure): LabelShape {
  const isBold = given.isBold === true;
  return {
    kind: 'label',
    text: given.text,
    size: layout.textSize,
    colour: given.colour ?? 'ink-muted',
    align: 'left',
    isBold,
    isMono: false,
    isPlate: false,
    rect: {
      x: given.x,
      y: given.y,
      width: measure(given.text, layout.textSize, isBold, false),
      height: layout.lineHeight,
    },
    thing: given.thing,
  };
}
