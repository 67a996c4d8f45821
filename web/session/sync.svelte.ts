/**
 * Connects the state to the world outside of Svelte: the animation loop, the address bar, the root
 * element's theme. Called once, while the app's component starts; each effect names what it keeps in step.
 */
import { untrack } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';
import { applyTextSize, applyTheme } from '../ui/theme.ts';
import { currentLocale } from '../words/locale.svelte.ts';
import type { Address } from './address.svelte.ts';
import type { Ringside } from './context.ts';

/** Duration in ms of the transition from one stage view to another. */
const TURN_MS = 320;

export function syncOutside(ringside: Ringside, address: Address): void {
  const { session, playhead, view, settings, clock } = ringside;

  $effect(() => () => clock.stop());

  // The animation loop, which sleeps until there is something to show.
  $effect(() => {
    if (playhead.isRunning || session.isToDraw) clock.wake();
  });

  // A window over the film stops it, so that the viewer misses nothing.
  $effect(() => playhead.cover(view.isCovered || session.tooLarge !== undefined));

  // The theme on the root element, set before any component reads the new colours; print is light.
  const print = new MediaQuery('print');
  $effect.pre(() => applyTheme(print.current ? 'light' : settings.choices.theme));

  // Screen readers use the language of the page.
  $effect.pre(() => {
    document.documentElement.lang = currentLocale();
  });

  // Text size and lecture hall mode, on the root element.
  $effect.pre(() => applyTextSize(settings.textScale, settings.isHall));

  // The transition from one stage view to the next, by the animation loop.
  let before = view.stageView;
  $effect(() => {
    const { stageView } = view;
    const from = before;
    before = stageView;
    if (from === stageView || untrack(() => session.shown) === undefined) return;
    view.setTurn({ from, share: 0 });
    clock.glide(TURN_MS, (share) => view.setTurn(share < 1 ? { from, share } : undefined));
  });

  // The address bar: the step of a lesson at once, as a reload returns to it.
  $effect(() => {
    if (view.lesson !== undefined) untrack(() => address.changed());
  });

  // The address bar, but not while film runs, when it would change all the time.
  $effect(() => {
    if (!playhead.isRunning && address.fragment !== '') untrack(() => address.changed());
  });
}
