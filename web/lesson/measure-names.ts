/**
 * The page's names of measures, used above columns of values.
 */
import { m } from '../words/generated/messages.js';
import type { Measure, MeasureName, Term } from './format/fact.ts';

const NAMES: Readonly<Record<MeasureName, (asks: readonly string[]) => string>> = {
  throughput: () => m.measure_throughput(),
  'bytes-delivered': () => m.measure_bytes_delivered(),
  packets: () => m.measure_packets(),
  delivered: () => m.measure_delivered(),
  merged: () => m.measure_merged(),
  dropped: () => m.measure_dropped(),
  transmitted: () => m.measure_transmitted(),
  interrupts: () => m.measure_interrupts(),
  polls: () => m.measure_polls(),
  cpus: () => m.measure_cpus(),
  'lines-crossed': () => m.measure_lines_crossed(),
  'lock-waits': () => m.measure_lock_waits(),
  'lock-wait': () => m.measure_lock_wait(),
  'max-depth': ([queue = '']) => m.measure_max_depth({ queue }),
  'busy-share': ([cpu = '', context = '']) => m.measure_busy_share({ cpu, context }),
  'median-stay': ([station = '']) => m.measure_median_stay({ station }),
  took: ([packet = '']) => m.measure_took({ packet }),
  service: ([packet = '']) => m.measure_service({ packet }),
  waited: ([packet = '']) => m.measure_waited({ packet }),
  stay: ([packet = '', station = '']) => m.measure_stay({ packet, station }),
  'longest-stay': ([packet = '']) => m.measure_longest_stay({ packet }),
  'first-cpu': ([packet = '']) => m.measure_first_cpu({ packet }),
  'last-cpu': ([packet = '']) => m.measure_last_cpu({ packet }),
  fragments: ([packet = '']) => m.measure_fragments({ packet }),
  verdict: ([packet = '']) => m.measure_verdict({ packet }),
  between: ([from = '', to = '']) => m.measure_between({ from, to }),
};

/** `Throughput`; for a quotient, both names with a slash between them. */
export function nameOf({ over, under, text }: Term): string {
  if (over.kind !== 'measure') return text;
  const name = measureName(over);
  return under?.kind === 'measure' ? `${name} / ${measureName(under)}` : name;
}

function measureName({ name, asks }: Measure): string {
  return NAMES[name](asks);
}
