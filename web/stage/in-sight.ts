/**
 * Keeps the packet that the eye is with in sight where a stage is higher than its room, on a phone: it is scrolled to
 * when it leaves what is seen, and left alone while one looks elsewhere and it stands still.
 */
import type { PacketId } from '../core/core.ts';
import type { Shape } from '../scene/shapes.ts';

/** @param room the height of what is seen, in px */
export function inSight(shapes: readonly Shape[], packet: PacketId | undefined, room: number) {
  const place = shapes.find((shape) => shape.kind === 'capsule' && shape.packet === packet)?.rect;
  return (element: HTMLElement) => {
    if (place === undefined) return;
    const { scrollTop } = element;
    const isSeen = scrollTop <= place.y && place.y + place.height <= scrollTop + room;
    if (!isSeen) element.scrollTop = place.y + (place.height - room) / 2;
  };
}
