/**
 * What a model knows that belongs to no single CPU: the timer that delays an interrupt, at the ring, and
 * the sums over all probes and locks, above the names of the rows.
 */
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import type { Layout, Slot } from '../layout.ts';
import type { Measure, Shape, Thing } from '../shapes.ts';
import { formatCount, formatNanos, formatShare } from '../../numbers/format.ts';
import { m } from '../../words/generated/messages.js';
import { firstFitting } from '../text.ts';
import { written } from './texts.ts';

/** A timer that is armed. */
export interface Armed {
  readonly timer: number;
  readonly device: string;
  readonly left: number;
  /** The remaining fraction of its time, 0 to 1. */
  readonly share: number;
  readonly held: number;
}

/** The armed timers, the next to expire first. */
export function armedTimers(frame: Frame, run: Opened): readonly Armed[] {
  const { timers } = frame.machine;
  return run.machine.timers
    .flatMap((device, timer): readonly Armed[] => {
      const until = timers.until[timer] ?? -1;
      const since = timers.since[timer] ?? -1;
      if (until < 0) return [];
      const left = Math.max(0, until - frame.time);
      const share = until > since ? Math.min(1, left / (until - since)) : 0;
      return [{ timer, device, left, share, held: timers.held[timer] ?? 0 }];
    })
    .sort((a, b) => a.left - b.left || a.timer - b.timer);
}

/** Appended to a ring's title while its interrupt is delayed. */
export function timerTexts({ left, held }: Armed): readonly string[] {
  const time = formatNanos(left);
  const due = left === 0 ? m.stage_timer_due() : m.stage_timer_in({ time });
  const short = left === 0 ? m.stage_timer_due_short() : m.stage_timer_in_short({ time });
  return [m.stage_timer_held({ due, frames: formatCount(held) }), due, short];
}

/** The remaining time as a bar above the ring that shrinks. */
export function timerBar(slot: Slot, armed: Armed, scale: number): Shape {
  const width = slot.titleRect.width * 0.5;
  const rect = { x: slot.titleRect.x, y: slot.body.y - 2 * scale, width, height: 2 * scale };
  return {
    kind: 'strip',
    rect,
    bands: [{ x: rect.x, width: width * armed.share, height: 1, fill: 'hardirq' }],
    thing: { kind: 'timer', timer: armed.timer },
  };
}

/** The cost of all probes, in total and within the linger. */
export function probeSums(frame: Frame, linger: number) {
  const { costs } = frame.machine;
  const total = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0);
  const recent = total(costs.recent);
  const elapsed = Math.max(1, Math.min(linger, frame.time)) * Math.max(1, costs.cpu.length);
  return {
    nanos: total(costs.nanos),
    probes: total(costs.probes),
    recent,
    share: linger > 0 ? recent / elapsed : 0,
  };
}

/** Placed in the corner above the names of the rows, which is empty otherwise. */
export function sumShapes(
  frame: Frame,
  run: Opened,
  linger: number,
  layout: Layout,
  measure: Measure,
): readonly Shape[] {
  if (layout.isCompact) return [];
  const { scale, lineHeight, textSize } = layout;
  const x = 0.6 * textSize;
  const room = layout.gutter - x - 0.3 * textSize;
  const lines: { readonly texts: readonly string[]; readonly thing: Thing }[] = [];
  if (run.machine.hasProbeCosts) {
    const { nanos, share, recent } = probeSums(frame, linger);
    const thing: Thing = { kind: 'costs' };
    lines.push(
      { texts: [m.machine_probes()], thing },
      { texts: [m.stage_took({ time: formatNanos(nanos) }), formatNanos(nanos)], thing },
      {
        texts: [
          m.stage_now({ what: `${formatShare(share, 1)} (${formatNanos(recent)})` }),
          m.stage_now({ what: formatShare(share, 1) }),
        ],
        thing,
      },
    );
  }
  if (run.machine.locks.length > 0) {
    const { lockWaits, lockWaited } = frame.machine;
    const thing: Thing = { kind: 'locks' };
    lines.push(
      { texts: [m.stage_lock_waits(), m.stage_locks()], thing },
      { texts: [m.stage_so_far({ count: formatCount(lockWaits) })], thing },
      { texts: [m.stage_spun({ time: formatNanos(lockWaited) }), formatNanos(lockWaited)], thing },
    );
  }
  const top = layout.columns[0]?.head.y ?? 0;
  const bottom = layout.lanes[0]?.rect.y ?? 0;
  return lines.flatMap(({ texts, thing }, at): readonly Shape[] => {
    const text = firstFitting(texts, room, measure, textSize);
    const y = top + at * (lineHeight + scale);
    if (text === '' || y + lineHeight > bottom) return [];
    return [written({ text, x, y, thing }, layout, measure)];
  });
}
