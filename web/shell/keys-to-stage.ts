/**
 * Gives the keys back to the stage after a choice with the pointer: a view's tab or a radio button that keeps
 * the focus would keep Space and the arrows, too. Whoever came to it by the keyboard keeps the native keys.
 */
const CHOSEN = '.stage [role=tab], .stage input[type=radio], .transport input[type=radio]';

export function keysToStage(screen: HTMLElement): () => void {
  function give({ target, detail }: MouseEvent): void {
    // A click that a key made counts no presses.
    if (detail === 0 || !(target instanceof Element) || target.closest(CHOSEN) === null) return;
    screen.querySelector<HTMLElement>('section.stage')?.focus({ preventScroll: true });
  }
  screen.addEventListener('click', give);
  return () => screen.removeEventListener('click', give);
}
