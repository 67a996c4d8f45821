/**
 * A drag along x, told in pixels from the element's left edge: where it began, where it is,
 * and whether it has ended. For handles and for marking a range; the pointer is held, so that it
 * may leave the element. Escape, or a second finger, breaks it off.
 */
import type { Attachment } from 'svelte/attachments';

export interface DragGesture {
  /** Whether this press begins a drag of ours. */
  readonly isOurs: (event: PointerEvent) => boolean;
  /** `isMoved` tells a drag from a press that stayed where it was. */
  readonly onDrag: (x: number, startX: number, isMoved: boolean) => void;
  readonly onEnd: (isMoved: boolean) => void;
  readonly onCancel?: () => void;
  /** The element whose left edge is 0; the one it is attached to, if none is given. */
  readonly origin?: () => Element | null | undefined;
}

const CLICK_DISTANCE = 4;

export function dragGesture(gesture: DragGesture): Attachment<HTMLElement> {
  return (element) => {
    let pointer: number | undefined;
    let startX = 0;
    let isMoved = false;

    const xOf = (event: PointerEvent) =>
      event.clientX - (gesture.origin?.() ?? element).getBoundingClientRect().left;

    const down = (event: PointerEvent) => {
      if (pointer !== undefined) {
        cancel();
        return;
      }
      if (event.button !== 0 || !gesture.isOurs(event)) return;
      pointer = event.pointerId;
      startX = xOf(event);
      isMoved = false;
      element.setPointerCapture(pointer);
      gesture.onDrag(startX, startX, false);
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointer) return;
      const x = xOf(event);
      isMoved ||= Math.abs(x - startX) >= CLICK_DISTANCE;
      gesture.onDrag(x, startX, isMoved);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== pointer) return;
      pointer = undefined;
      gesture.onEnd(isMoved);
    };
    const cancel = () => {
      if (pointer === undefined) return;
      if (element.hasPointerCapture(pointer)) element.releasePointerCapture(pointer);
      pointer = undefined;
      gesture.onCancel?.();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || pointer === undefined) return;
      event.stopPropagation();
      cancel();
    };

    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', cancel, { signal });
    element.ownerDocument.addEventListener('keydown', key, { signal, capture: true });
    return () => listeners.abort();
  };
}
