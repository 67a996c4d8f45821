/**
 * Widths of texts as an element writes them, in CSS pixels; each text is measured once.
 */
import type { Measure } from '../scene/timeline/shapes.ts';

export function measureIn(element: Element): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, number>();
  const { fontSize, fontFamily } = getComputedStyle(element);
  return (text) => {
    const held = known.get(text);
    if (held !== undefined || context === null) return held ?? Infinity;
    context.font = `700 ${fontSize} ${fontFamily}`;
    const { width } = context.measureText(text);
    known.set(text, width);
    return width;
  };
}
