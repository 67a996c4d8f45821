/**
 * Numbers of a model as short texts, and the label that carries them: all labels about a
 * model's machine look alike.
 */
import type { Layout } from '../layout.ts';
import type { Colour, LabelShape, Measure, Thing } from '../shapes.ts';
import { grouped } from '../text.ts';

const THIN_SPACE = '\u202f';

/** `812`, `12,304`, `456 k`, `2.41 M`: five digits at the most. */
export function countText(count: number): string {
  if (count < 100_000) {
    return grouped(count);
  }
  const steps = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const;
  const [size, unit] = steps.find(([least]) => count >= least) ?? [1, ''];
  return `${(count / size).toPrecision(3)}${THIN_SPACE}${unit}`;
}

export function linesText(lines: number): string {
  return `${countText(lines)} ${lines === 1 ? 'line' : 'lines'}`;
}

/** `3.1 %`; nothing is said more exactly than to a tenth. */
export function shareText(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)}${THIN_SPACE}%`;
}

/** One line of text from a point on. */
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
