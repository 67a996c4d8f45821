/**
 * Lets an element float above another, over everything else on the page: a popover, so that no
 * box around it cuts it off. Where there is no room above, it stands at the foot of the page.
 */
import type { Attachment } from 'svelte/attachments';

const GAP = 8;
/** Less room above than this is not worth having. */
const LEAST = 260;

/** The element needs `popover="manual"` and a fixed position. */
export function floatAbove(anchor: () => Element | undefined): Attachment<HTMLElement> {
  return (element) => {
    const place = () => {
      const box = anchor()?.getBoundingClientRect();
      if (box === undefined) return;
      const room = box.top - 2 * GAP;
      const isAbove = room >= LEAST;
      element.style.bottom = `${isAbove ? innerHeight - box.top + GAP : GAP}px`;
      const page = document.documentElement.clientWidth;
      const rightmost = page - element.offsetWidth - GAP;
      element.style.right = `${Math.max(GAP, Math.min(page - box.right, rightmost))}px`;
      element.style.maxHeight = `${isAbove ? Math.min(room, innerHeight * 0.6) : innerHeight * 0.55}px`;
    };
    element.showPopover();
    place();
    addEventListener('resize', place);
    addEventListener('scroll', place, { passive: true });
    return () => {
      removeEventListener('resize', place);
      removeEventListener('scroll', place);
    };
  };
}
