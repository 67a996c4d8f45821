/**
 * Marking a range by a drag across the lanes: a draft while the pointer is down, the range when
 * it is let go, nothing after a press that did not move.
 */
import { dragGesture } from '../gesture/drag.ts';
import type { Nanos, Stretch } from '../core/core.ts';

export interface RangeGesture {
  readonly isMarking: (event: PointerEvent) => boolean;
  readonly momentAt: (x: number) => Nanos;
  readonly onDraft: (range: Stretch | undefined) => void;
  readonly onDone: (range: Stretch | undefined) => void;
}

export function rangeGesture({ isMarking, momentAt, onDraft, onDone }: RangeGesture) {
  let draft: Stretch | undefined;
  const set = (range: Stretch | undefined) => {
    draft = range;
    onDraft(range);
  };
  return dragGesture({
    isOurs: isMarking,
    onDrag: (x, startX, isMoved) => {
      const [from, to] = [momentAt(Math.min(x, startX)), momentAt(Math.max(x, startX))];
      set(isMoved && from < to ? { from, to } : undefined);
    },
    onEnd: () => onDone(draft),
    onCancel: () => set(undefined),
  });
}
