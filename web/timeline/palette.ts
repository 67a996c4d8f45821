/**
 * The colours and the type of the theme that is on, for a canvas, which knows no custom
 * properties. Whoever reads it draws anew when the theme changes.
 */
import { createSubscriber } from 'svelte/reactivity';
import type { LaneColour } from '../scene/timeline/shapes.ts';

export interface Palette {
  readonly colour: (name: LaneColour) => string;
  readonly font: string;
}

/** `theme.ts` sets the theme as an attribute of the root element. */
const themeChanges = createSubscriber((update) => {
  const observer = new MutationObserver(update);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
});

/** Lanes are labelled at the smallest size of the page. */
const FONT_SIZE = 12;

export function paletteOf(element: Element): Palette {
  themeChanges();
  const style = getComputedStyle(element);
  const known = new Map<LaneColour, string>();
  return {
    font: `500 ${FONT_SIZE}px ${style.fontFamily}`,
    colour: (name) => {
      const value = known.get(name) ?? style.getPropertyValue(`--${name}`).trim();
      known.set(name, value);
      return value;
    },
  };
}
