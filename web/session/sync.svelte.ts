/**
 * What the state is to the world outside of Svelte: the frame loop, the address bar, the root
 * element's theme. Called once, while the app's component starts; each effect
 * names what it keeps in step.
 */
import { untrack } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';
import { applyTextSize, applyTheme } from '../ui/theme.ts';
import { currentLocale } from '../words/locale.svelte.ts';
import type { Address } from './address.svelte.ts';
import type { Ringside } from './context.ts';

/** From one view of the moment to another. */
const TURN_MS = 320;

export function syncOutside(ringside: Ringside, address: Address): void {
  const { session, playhead, view, settings, clock } = ringside;

  $effect(() => () => clock.stop());

  // The frame loop: it sleeps until there is something to show.
  $effect(() => {
    const isBehind = session.run !== undefined && !session.isUpToDate;
    if (playhead.isRunning || isBehind) clock.wake();
  });

  // Who reads in a window over the film misses nothing of it.
  $effect(() => playhead.cover(view.isCovered || session.tooLarge !== undefined));

  // The theme on the root element, before anything below reads the new colours; paper is light.
  const print = new MediaQuery('print');
  $effect.pre(() => applyTheme(print.current ? 'light' : settings.choices.theme));

  // What is read aloud is read in the language that is spoken.
  $effect.pre(() => {
    document.documentElement.lang = currentLocale();
  });

  // The size of all texts, and whether they are for the hall, on the root element.
  $effect.pre(() => applyTextSize(settings.textScale, settings.choices.isHall));

  // The way from one view of the moment to the next, by the frame loop.
  let before = view.stageView;
  $effect(() => {
    const { stageView } = view;
    const from = before;
    before = stageView;
    if (from === stageView || untrack(() => session.shown) === undefined) return;
    view.setTurn({ from, share: 0 });
    clock.glide(TURN_MS, (share) => view.setTurn(share < 1 ? { from, share } : undefined));
  });

  // The address bar: not while film runs, for then it would never be quiet.
  $effect(() => {
    if (!playhead.isRunning && address.fragment !== '') untrack(() => address.changed());
  });
}
