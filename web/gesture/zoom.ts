/**
 * Zoom and pan of a stretch along x: wheel and pinch at the pointer, drag, and the wheel turned
 * sideways. Reports stretches as numbers; who owns the stretch decides, and is asked for it anew
 * before each gesture, so that keys, links and gestures never disagree. Pointer work is
 * d3-zoom's.
 */
import { select } from 'd3-selection';
import { zoom, ZoomTransform, type D3ZoomEvent } from 'd3-zoom';
import type { Attachment } from 'svelte/attachments';

export interface Zoomable {
  readonly from: number;
  readonly to: number;
  /** The whole goes from 0 to here. */
  readonly whole: number;
  /** Nothing shorter than this is shown. */
  readonly shortest: number;
  readonly width: number;
}

export interface ZoomGesture {
  readonly current: () => Zoomable;
  /** Drags that are not for panning: with another key or in another mode. */
  readonly isOther: (event: MouseEvent | TouchEvent) => boolean;
  readonly onZoom: (from: number, to: number) => void;
  readonly onActive: (isActive: boolean) => void;
}

/** A press that moves less than this is a click. */
const CLICK_DISTANCE = 4;

export function zoomGesture(gesture: ZoomGesture): Attachment<HTMLElement> {
  return (element) => {
    /** d3 keeps its state here, and reads it at the start of each gesture. */
    const node = element as HTMLElement & { __zoom?: ZoomTransform };
    const behaviour = zoom<HTMLElement, unknown>()
      .clickDistance(CLICK_DISTANCE)
      .filter((event: MouseEvent | TouchEvent | WheelEvent) => {
        const now = gesture.current();
        if (!(now.to > now.from) || !(now.width > 0)) return false;
        // The fingers that are down already count from the state they began with.
        if (!('touches' in event) || event.touches.length === 1) node.__zoom = transformOf(now);
        const { width, whole, shortest } = now;
        behaviour
          .extent([
            [0, 0],
            [width, 1],
          ])
          .translateExtent([
            [0, -Infinity],
            [width, Infinity],
          ])
          .scaleExtent([1, Math.max(1, whole / shortest)]);
        if (event.type === 'wheel') return !isSideways(event as WheelEvent);
        const isPrimary = !('button' in event) || event.button === 0;
        return isPrimary && !event.ctrlKey && !gesture.isOther(event);
      })
      .on('start', ({ sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) =>
        gesture.onActive(isEvent(sourceEvent)),
      )
      .on('zoom', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => {
        const { width, whole } = gesture.current();
        const { from, to } = stretchOf(transform, width, whole);
        gesture.onZoom(from, to);
      })
      .on('end', () => gesture.onActive(false));

    const pan = (event: WheelEvent) => {
      // At the deepest zoom d3 lets the wheel through, and the page would scroll.
      if (isSideways(event) || event.deltaY < 0) event.preventDefault();
      if (!isSideways(event)) return;
      const { from, to, whole, width } = gesture.current();
      const pixels = (event.deltaX === 0 ? event.deltaY : event.deltaX) * PIXELS[event.deltaMode]!;
      const wanted = from + (pixels / width) * (to - from);
      const start = Math.min(Math.max(wanted, 0), whole - (to - from));
      gesture.onZoom(start, start + (to - from));
    };

    const selection = select<HTMLElement, unknown>(element).call(behaviour);
    selection.on('dblclick.zoom', null);
    element.addEventListener('wheel', pan, { passive: false });
    return () => {
      element.removeEventListener('wheel', pan);
      selection.on('.zoom', null);
    };
  };
}

/** A wheel's line and page in pixels, by `deltaMode`. */
const PIXELS: readonly number[] = [1, 20, 400];

/** Ctrl with the wheel is how browsers tell a pinch on a touch pad. */
function isSideways({ deltaX, deltaY, shiftKey, ctrlKey }: WheelEvent): boolean {
  return !ctrlKey && (shiftKey || Math.abs(deltaX) > Math.abs(deltaY));
}

function isEvent(source: unknown): boolean {
  return source !== null && source !== undefined;
}

/** d3's picture of a stretch: the whole across the width, enlarged and shifted. */
export function transformOf({ from, to, whole, width }: Zoomable): ZoomTransform {
  const k = whole / (to - from);
  return new ZoomTransform(k, (-from / whole) * width * k, 0);
}

export function stretchOf(
  { k, x }: Pick<ZoomTransform, 'k' | 'x'>,
  width: number,
  whole: number,
): { readonly from: number; readonly to: number } {
  const length = whole / k;
  const from = Math.min(Math.max((-x / (width * k)) * whole, 0), whole - length);
  return { from, to: from + length };
}
