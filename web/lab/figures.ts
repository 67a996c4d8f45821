/**
 * The Lab's presentation of figures: which are on the card, their names, their formats, and their links.
 */
import type {
  Comparison,
  Difference,
  Figure,
  Figures,
  Part,
  Quantity,
  Unit,
} from '../core/figures.ts';
import { DEFAULT_VIEW, serialiseViewState } from '../session/view-state.ts';
import type { Table } from '../ui/csv.ts';
import {
  formatBitRate,
  formatBytes,
  formatCount,
  formatNanos,
  formatNumber,
  formatShare,
} from '../numbers/format.ts';
import { contextWord, placeWord } from '../words/kernel-words.ts';
import { m } from '../words/generated/messages.js';

/** The figures of the whole run on a card, in this order, as far as the run has them. */
export const ON_CARD: readonly Quantity[] = [
  'throughput',
  'packet_rate',
  'latency_median',
  'latency_p99',
  'response_median',
  'response_p99',
  'transaction_rate',
  'round_trip',
  'dropped',
  'busy',
  'cpu_each',
  'interrupt_rate',
  'frames_each_interrupt',
  'lines_each',
  'lock_each',
  'hops_each',
];

/** Parts on the card below their whole: what CPU time was spent on, why packets were dropped. */
const PARTS_ON_CARD: Readonly<Partial<Record<Quantity, Part['kind']>>> = {
  cpu_each: 'context',
  dropped: 'reason',
};

/** The figures that belong on a card, in its order. */
export function onCard<T extends Part & { readonly quantity: Quantity }>(
  all: readonly T[],
): readonly T[] {
  return ON_CARD.flatMap((wanted) =>
    all.filter(
      ({ quantity, kind }) =>
        quantity === wanted && (kind === 'run' || kind === PARTS_ON_CARD[quantity]),
    ),
  );
}

/** The card's figures that differ beyond noise, the largest difference first, if the verdict has no outcome. */
export function stillDiffers(all: readonly Difference[]): readonly Difference[] {
  const part = ({ before, change }: Difference) => Math.abs(change.mean / before.mean);
  return onCard(all)
    .filter(({ isNoise }) => !isNoise)
    .toSorted((a, b) => part(b) - part(a));
}

const NAMES: Readonly<Record<Quantity, () => string>> = {
  throughput: m.figure_throughput,
  packet_rate: m.figure_packet_rate,
  payload_each: m.figure_payload_each,
  latency_median: m.figure_latency_median,
  latency_p99: m.figure_latency_p99,
  latency_mean: m.figure_latency_mean,
  response_median: m.figure_response_median,
  response_p99: m.figure_response_p99,
  response_wait: m.figure_response_wait,
  transaction_rate: m.figure_transaction_rate,
  round_trip: m.figure_round_trip,
  dropped: m.figure_dropped,
  busy: m.figure_busy,
  cpu_each: m.figure_cpu_each,
  function_each: m.figure_function_each,
  calls_each: m.figure_calls_each,
  fetch_each: m.figure_fetch_each,
  lines_each: m.figure_lines_each,
  memory_each: m.figure_memory_each,
  lock_each: m.figure_lock_each,
  probes_each: m.figure_probes_each,
  bystanders_each: m.figure_bystanders_each,
  hops_each: m.figure_hops_each,
  interrupt_rate: m.figure_interrupt_rate,
  frames_each_interrupt: m.figure_frames_each_interrupt,
  frames_each_poll: m.figure_frames_each_poll,
  merged: m.figure_merged,
  lost_on_link: m.figure_lost_on_link,
  retransmitted: m.figure_retransmitted,
  switches_each: m.figure_switches_each,
  wait_each: m.figure_wait_each,
  service_each: m.figure_service_each,
};

/** Fractions of a whole, written in percent. */
const SHARES: ReadonlySet<Quantity> = new Set([
  'dropped',
  'busy',
  'merged',
  'lost_on_link',
  'retransmitted',
]);

export const nameOf = (quantity: Quantity): string => NAMES[quantity]();

/** The part of the run that a figure is about, as text; empty for the whole run. */
export function partOf({ kind, name }: Part): string {
  if (kind === 'station') return placeWord(name);
  if (kind === 'context') return contextWord(name);
  return name;
}

export function valueOf(quantity: Quantity, unit: Unit, value: number): string {
  switch (unit) {
    case 'bit/s':
      return formatBitRate(value / 8);
    case '1/s':
      return m.figure_a_second({ count: formatCount(Math.round(value)) });
    case 'B':
      return formatBytes(value);
    case 'ns':
      return formatNanos(value);
    case '1':
      return SHARES.has(quantity) ? formatShare(value, 1) : formatNumber(value);
  }
}

/** The signed change from one side to the other: in percent, for shares in percentage points. */
export function changeOf({ quantity, before, change }: Difference): string {
  const sign = change.mean > 0 ? '+' : '−';
  if (SHARES.has(quantity))
    return m.figure_points({ points: `${sign}${formatNumber(Math.abs(change.mean) * 100)}` });
  if (before.mean === 0) return m.figure_new();
  const part = change.mean / before.mean;
  if (isManifold(part)) return `× ${formatNumber(1 + part)}`;
  const share = formatShare(Math.abs(part), 1);
  // Too small to have a direction.
  return Math.abs(part) < 0.001 ? share : `${sign}${share}`;
}

/** A change to at least twice the value is written as a factor. */
const isManifold = (part: number) => part >= 1;

/** The difference of a figure of the whole run, as opposed to one of its parts. */
export const ofRun = (
  differences: readonly Difference[],
  quantity: Quantity,
): Difference | undefined =>
  differences.find((one) => one.quantity === quantity && one.kind === 'run');

/** Whether the verdict is that nothing differs. */
export const isAlike = ({ outcomes }: Pick<Comparison, 'outcomes'>): boolean =>
  outcomes.every(({ saying }) => saying.code.startsWith('verdict.alike'));

/** How far seeds move a figure, in the unit of its values; `undefined` if that is negligible. */
export function spreadIn(
  { quantity, unit }: { readonly quantity: Quantity; readonly unit: Unit },
  amount: number | undefined,
): string | undefined {
  const written = (value: number) =>
    SHARES.has(quantity)
      ? m.figure_points({ points: formatNumber(value * 100) })
      : valueOf(quantity, unit, value);
  return amount === undefined || written(amount) === written(0) ? undefined : written(amount);
}

/**
 * The half width of the change's interval, written like the change; `undefined` after a single run, or if
 * all runs agree.
 */
export function spreadOf(one: Difference): string | undefined {
  const { halfWidth } = one.change;
  if (halfWidth === undefined || halfWidth === 0) return undefined;
  if (SHARES.has(one.quantity) || one.before.mean === 0) return spreadIn(one, halfWidth);
  const spread = Math.abs(halfWidth / one.before.mean);
  return isManifold(one.change.mean / one.before.mean)
    ? formatNumber(spread)
    : formatShare(spread, 1);
}

/** Whether both sides have the same value in every run. */
export const isEqual = ({ change }: Difference): boolean =>
  change.mean === 0 && (change.halfWidth ?? 0) === 0;

/** Why a difference counts as noise. */
export function whyNoise(one: Difference): string {
  const change = changeOf(one);
  const { mean, halfWidth } = one.change;
  if (halfWidth === undefined) return m.figure_noise_single({ change });
  const spread = spreadOf(one) ?? formatShare(0, 1);
  return Math.abs(mean) > halfWidth
    ? m.figure_noise_small({ change, spread })
    : m.figure_noise_chance({ change, spread });
}

const isIt = (a: Part & { quantity: Quantity }, b: Part & { quantity: Quantity }) =>
  a.quantity === b.quantity && a.kind === b.kind && a.name === b.name;

/** The figure of a run that a sentence or a row is about. */
export function figureOf(
  figures: Figures | undefined,
  wanted: Part & { readonly quantity: Quantity },
): Figure | undefined {
  return figures?.all.find((figure) => isIt(figure, wanted));
}

/** The link to where a figure of a scenario's first run can be seen; `undefined` if it cannot. */
export function seenAt(scenario: string, figure: Figure | undefined): string | undefined {
  if (figure?.packet === undefined || figure.time === undefined) return undefined;
  const { packet, time } = figure;
  const view = {
    ...DEFAULT_VIEW,
    scenario,
    place: 'stage',
    packet,
    time,
    isFollowing: true,
  } as const;
  return `#${serialiseViewState(view)}`;
}

/** All figures of one run, for a spreadsheet. */
export function tableOf(figures: Figures): Table {
  const rows = figures.all.map(({ quantity, name, unit, value }) => [quantity, name, value, unit]);
  return { columns: ['figure', 'of', 'value', 'unit'], rows };
}

/** All figures of both sides, with the half widths of their intervals. */
export function comparedTable(differences: readonly Difference[]): Table {
  return {
    columns: [
      'figure',
      'of',
      'unit',
      'before',
      'before_99',
      'after',
      'after_99',
      'change',
      'change_99',
      'noise',
    ],
    rows: differences.map(({ quantity, name, unit, before, after, change, isNoise }) => [
      ...[quantity, name, unit],
      ...[before, after, change].flatMap(({ mean, halfWidth }) => [mean, halfWidth]),
      isNoise ? 'yes' : 'no',
    ]),
  };
}
