/**
 * How marks look that are not of the followed packet: filled areas are a tint with an
 * edge, and texts are plain ink on it. They step back but stay readable in both
 * themes (WCAG 2.2: contrast 4.5 for texts, 3 for shapes), as `dim.test.ts` computes.
 */
import type { Mark } from './marks.ts';
import type { Colour } from './shapes.ts';

/** How strong a tint is. */
const TINT = 0.3;

/** Colours of areas that are loud; others are grounds, and step back by themselves. */
const LOUD: ReadonlySet<Colour> = new Set([
  ...(['packet', 'shell-link', 'shell-network', 'shell-transport', 'ink'] as const),
  ...(['hardirq', 'softirq', 'kernel', 'user', 'lock', 'cache'] as const),
]);

export function dimMarks(mark: Mark): readonly Mark[] {
  switch (mark.kind) {
    case 'box': {
      const line = mark.line === undefined ? undefined : 'line-strong';
      if (mark.fill === undefined || !LOUD.has(mark.fill)) return [{ ...mark, line }];
      const alpha = mark.alpha ?? 1;
      const edge = { ...mark, fill: undefined, line: 'line-strong', lineWidth: 1 } as const;
      return [{ ...mark, line: undefined, alpha: alpha * TINT }, edge];
    }
    case 'text':
      return [{ ...mark, colour: mark.colour.startsWith('on-') ? 'ink-soft' : 'ink-muted' }];
    case 'lines':
    case 'curve':
      return [{ ...mark, colour: LOUD.has(mark.colour) ? 'line-strong' : mark.colour }];
  }
}
