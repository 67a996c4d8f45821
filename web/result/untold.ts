/** What of a card a recording does not tell, and what would have to be recorded for it. */
import type { Figures, Quantity } from '../core/figures.ts';
import { ON_CARD } from '../lab/figures.ts';
import { m } from '../words/generated/messages.js';

/** Why a recording may not tell it. What is counted of packets alone is always told. */
const WHY: Readonly<Partial<Record<Quantity, () => string>>> = {
  throughput: m.untold_read,
  packet_rate: m.untold_read,
  latency_median: m.untold_read,
  latency_p99: m.untold_read,
  response_median: m.untold_response,
  round_trip: m.untold_round_trip,
  dropped: m.untold_packets,
  busy: m.untold_tasks,
  cpu_each: m.untold_tasks,
  interrupt_rate: m.untold_interrupts,
  frames_each_interrupt: m.untold_frames,
  lines_each: m.untold_lines,
  lock_each: m.untold_locks,
  hops_each: m.untold_packets,
};

export interface Untold {
  readonly quantity: Quantity;
  readonly why: string;
}

export function untoldOf({ all }: Figures): readonly Untold[] {
  const isTold = (quantity: Quantity) =>
    all.some((figure) => figure.quantity === quantity && figure.kind === 'run');
  return ON_CARD.flatMap((quantity) => {
    const why = WHY[quantity];
    return why === undefined || isTold(quantity) ? [] : [{ quantity, why: why() }];
  });
}

/** Of the card, what the one tells and the other does not. */
export function toldAlone({ all }: Figures, other: Figures): readonly Quantity[] {
  const untold = untoldOf(other);
  return ON_CARD.filter(
    (quantity) =>
      untold.some((one) => one.quantity === quantity) &&
      all.some((figure) => figure.quantity === quantity && figure.kind === 'run'),
  );
}
