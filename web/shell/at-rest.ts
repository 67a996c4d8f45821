/**
 * Marks an element as at rest while nobody points: what is only for the hand, as buttons over a stage on a
 * wall, is not shown there (`.at-hand` in ui/base.css).
 */

/** For so long a pointer that has stopped may go on. */
const PATIENCE_MS = 3000;

/** Keeps `data-at-rest` on an element, but for some time after the pointer moved over it; returns its end. */
export function atRest(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => element.toggleAttribute('data-at-rest', true);
  const wake = () => {
    element.toggleAttribute('data-at-rest', false);
    clearTimeout(timer);
    timer = setTimeout(rest, PATIENCE_MS);
  };
  rest();
  element.addEventListener('pointermove', wake);
  element.addEventListener('pointerdown', wake);
  return () => {
    clearTimeout(timer);
    element.removeEventListener('pointermove', wake);
    element.removeEventListener('pointerdown', wake);
    element.toggleAttribute('data-at-rest', false);
  };
}
