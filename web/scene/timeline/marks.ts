/**
 * A packet in the lanes: the time from its first event to its last as a tint over all rows, and each of its
 * sojourns under the lane of its CPU: filled for service, hollow for waiting, connected where the packet
 * moved to another CPU.
 */
import type { Journey, StayRow } from '../../core/journeys.ts';
import { CPU_LANE, type PlacedRow } from './rows.ts';
import { plumb, type LaneShape } from './shapes.ts';
import { xAt, type Viewport } from './stretch.ts';

/** Minimum width of a sojourn, in pixels. */
const LEAST = 2;

export type Emphasis = 'selected' | 'hovered';

/** The tint, drawn below everything else. */
export function spanShapes(
  journey: Pick<Journey, 'start' | 'end'>,
  view: Viewport,
  height: number,
  emphasis: Emphasis,
): readonly LaneShape[] {
  if (journey.end < view.from || view.to < journey.start) return [];
  const x0 = Math.max(0, xAt(view, journey.start));
  const x1 = Math.min(view.width, Math.max(xAt(view, journey.end), x0 + LEAST));
  const alpha = emphasis === 'selected' ? 0.16 : 0.08;
  return [
    { kind: 'bands', fill: 'packet', isHatched: false, alpha, y: 0, height, spans: [x0, x1] },
  ];
}

export function stayShapes(
  journey: Pick<Journey, 'stays'>,
  view: Viewport,
  rows: readonly PlacedRow[],
  emphasis: Emphasis,
): readonly LaneShape[] {
  const rowOf = (cpu: number) => rows.find(({ row }) => row.kind === 'cpu' && row.cpu === cpu);
  const colour = emphasis === 'selected' ? 'ink' : 'ink-muted';
  return journey.stays.flatMap((stay, at): readonly LaneShape[] => {
    const placed = rowOf(stay.cpu);
    if (placed === undefined || stay.leave < view.from || view.to < stay.enter) return [];
    const x = Math.max(0, xAt(view, stay.enter));
    const x1 = Math.min(view.width, Math.max(xAt(view, stay.leave), x + LEAST));
    const box: LaneShape = {
      kind: 'frame',
      colour,
      isFilled: isWork(stay),
      x,
      y: marksTop(placed),
      width: Math.max(x1 - x, LEAST),
      height: CPU_LANE.marks,
    };
    const next = journey.stays[at + 1];
    const target = next === undefined ? undefined : rowOf(next.cpu);
    if (target === undefined || target === placed || next?.piece !== stay.piece) return [box];
    const edge = xAt(view, stay.leave);
    if (edge < 0 || view.width < edge) return [box];
    const tops = [marksTop(placed), marksTop(target)];
    return [box, plumb(edge, Math.min(...tops), Math.max(...tops) + CPU_LANE.marks, colour)];
  });
}

function isWork({ service, wait }: StayRow): boolean {
  return service >= wait;
}

function marksTop({ y }: PlacedRow): number {
  return y + CPU_LANE.top + CPU_LANE.height + CPU_LANE.gap;
}
