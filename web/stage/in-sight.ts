/**
 * Keeps the followed packet, or the one that the told film is about, in sight on a
 * stage that is higher than its room, as on a phone: scrolls to it when it leaves
 * the visible part, but not while the user looks elsewhere and it stands still.
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
