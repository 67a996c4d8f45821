/**
 * The colours and fonts of the current theme, read from the custom properties of an element, as a canvas
 * has none of its own.
 */
import type { Colour } from '../scene/shapes.ts';

export interface Palette {
  readonly colour: (name: Colour) => string;
  readonly sans: string;
  readonly mono: string;
}

/** Reads each property once; request a new palette when the theme may have changed. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const known = new Map<Colour, string>();
  return {
    colour: (name) => {
      const held = known.get(name);
      if (held !== undefined) return held;
      const value = read(name);
      known.set(name, value);
      return value;
    },
    sans: read('font'),
    mono: read('font-mono'),
  };
}
