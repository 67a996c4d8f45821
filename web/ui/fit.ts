/**
 * Reduces the size of a text that is too long for its room, by as little as necessary. The element that is
 * the room uses `--fit` (1 or less) in the size of its texts; its content may be taller than it.
 */
import type { Attachment } from 'svelte/attachments';

/** The size factors tried; a text smaller than the last would be illegible. */
const SHARES = [1, 0.94, 0.88, 0.82, 0.76, 0.7];

/** Tolerance in pixels: heights are fractional, and their sums are not exact. */
const HAIR = 0.5;

/** @param text read so that the size is chosen anew whenever it changes */
export function fitted(text: () => unknown): Attachment<HTMLElement> {
  return (room) => {
    text();
    const fit = () => {
      for (const share of SHARES) {
        room.style.setProperty('--fit', `${share}`);
        const height = room.firstElementChild?.getBoundingClientRect().height ?? 0;
        if (height <= room.getBoundingClientRect().height + HAIR) return;
      }
    };
    const sizes = new ResizeObserver(fit);
    sizes.observe(room);
    fit();
    return () => sizes.disconnect();
  };
}
