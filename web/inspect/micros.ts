/**
 * Times of one journey in a column: all in microseconds, with as many decimals as the record has, so that
 * they can be compared and added up at a glance.
 */
import type { Nanos } from '../core/core.ts';
import { formatDecimals, formatMoment } from '../numbers/format.ts';

export type FormatMicros = (nanos: Nanos) => string;

/** No decimals if the record has whole microseconds, else one, or three if one would show a time as zero. */
export function microsFormat(times: readonly Nanos[]): FormatMicros {
  const isWhole = times.every((nanos) => nanos % 1000 === 0);
  const isTiny = times.some((nanos) => nanos > 0 && nanos < 100);
  const decimals = isWhole ? 0 : isTiny ? 3 : 1;
  return (nanos) => formatDecimals(nanos / 1000, decimals);
}

/** A time of the run, for a column too narrow for its nanoseconds. */
export function momentToMicros(nanos: Nanos, duration: Nanos): string {
  const moment = formatMoment(nanos, duration);
  return moment.replace(/[.,\u202f]\d{3}(?=\u00a0)/, '');
}
