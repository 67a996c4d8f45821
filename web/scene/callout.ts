/**
 * The label of the selected packet, placed beside it where it covers no other text and as few packets as
 * possible.
 */
import type { Entries } from './entries.ts';
import type { Layout } from './layout.ts';
import type { LabelShape, Measure, Rect, Shape, View } from './shapes.ts';
import { formatLength } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { fitted } from './text.ts';

export function calloutOf(
  at: Rect,
  entries: Entries,
  shapes: readonly Shape[],
  layout: Layout,
  measure: Measure,
  view: View,
): LabelShape | undefined {
  const entry = [...entries.live, ...entries.ended].find(({ packet }) => packet === view.selected);
  if (entry === undefined) return undefined;
  const size = layout.textSize * 1.05;
  const name = view.selectedLabel ?? m.describe_packet({ packet: entry.name });
  const full = `${name} · ${formatLength(entry.bytes)}`;
  const text = fitted(full, layout.width * 0.8, measure, size, true, true);
  const width = measure(text, size, true, true) + 12 * layout.scale;
  const height = layout.lineHeight + 4 * layout.scale;
  const texts = shapes.filter(({ kind }) => kind === 'label' || kind === 'pill').map(boxOf);
  const packets = shapes
    .filter(({ kind }) => kind === 'capsule' || kind === 'stack' || kind === 'stream')
    .map(boxOf);

  let best: Rect | undefined;
  let bestCost = Infinity;
  for (const candidate of candidates(at, width, height, layout)) {
    const cost =
      1000 * overlaps(candidate, texts) +
      20 * overlaps(candidate, packets) +
      Math.hypot(candidate.x - at.x, candidate.y - at.y) / 100;
    if (cost < bestCost) [best, bestCost] = [candidate, cost];
  }
  if (best === undefined) return undefined;
  return {
    kind: 'label',
    text,
    size,
    colour: 'ink',
    align: 'center',
    isBold: true,
    isMono: true,
    isPlate: true,
    rect: best,
    thing: { kind: 'packet', packet: entry.packet, piece: entry.piece },
  };
}

/** Candidate places: beside the packet, then above and below, at increasing distances. */
function candidates(at: Rect, width: number, height: number, layout: Layout): readonly Rect[] {
  const gap = 7 * layout.scale;
  const middle = at.y + (at.height - height) / 2;
  const starts = [at.x + at.width + gap, at.x - width - gap, at.x, at.x + at.width - width];
  const rows = [0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6].map((step) => middle + (step * height) / 2);
  const placed = rows.flatMap((y) =>
    starts.map((x): Rect => ({ x: clamp(x, 4, layout.width - width - 4), y, width, height })),
  );
  return placed.filter(
    (rect) => rect.y >= 2 && rect.y + height <= layout.height - 2 && overlaps(rect, [at]) === 0,
  );
}

export function overlaps(rect: Rect, others: readonly Rect[]): number {
  let count = 0;
  for (const other of others) {
    const isApart =
      rect.x >= other.x + other.width ||
      other.x >= rect.x + rect.width ||
      rect.y >= other.y + other.height ||
      other.y >= rect.y + rect.height;
    if (!isApart) count += 1;
  }
  return count;
}

function boxOf({ rect }: Shape): Rect {
  return rect;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
