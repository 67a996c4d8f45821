/**
 * A text that is too long for its room is set smaller, by as little as need be. The element that is
 * the room reads `--fit` (1 or less) into the size of its texts; what is in it may be taller than it.
 */
import type { Attachment } from 'svelte/attachments';

/** Smaller than the last nobody could read. */
const SHARES = [1, 0.94, 0.88, 0.82, 0.76, 0.7];

/** Heights are fractions of a pixel, and sums of them are not exact. */
const HAIR = 0.5;

/** @param text read anew whenever it changes; the size is chosen for it */
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
