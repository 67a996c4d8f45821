/**
 * Where on the page a figure of the run on the stage, or of the one beside it, comes from: a packet at a moment,
 * the list of the packets that were counted, or the view in which its cause is drawn.
 */
import type { Figure, Quantity } from '../core/figures.ts';
import type { Nanos, PacketId } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import type { Patch } from '../session/view-changes.ts';

export type Way =
  | { readonly kind: 'packet'; readonly packet: PacketId; readonly time: Nanos }
  /** The same in the run that stands beside it, at a moment of their common clock. */
  | { readonly kind: 'beside'; readonly packet: PacketId; readonly time: Nanos }
  /** What is put into the view: a panel, a view of the stage. */
  | { readonly kind: 'look'; readonly patch: Patch }
  /** The same, a list of packets: the first of them says most of it. */
  | { readonly kind: 'list'; readonly patch: Patch; readonly quantity: Quantity };

/** The table of packets with none of the filters that may be set. */
const PACKETS: Patch = {
  panel: 'inspect',
  ...{ flow: undefined, socket: undefined, cpu: undefined, verdict: undefined },
  ...{ dropReason: undefined, direction: undefined, duration: undefined, began: undefined },
};

/** Where what is counted of the whole run is seen. */
const LOOKS: Readonly<Partial<Record<Quantity, Patch>>> = {
  throughput: { ...PACKETS, verdict: 'delivered', sort: 'start', isDescending: false },
  packet_rate: { ...PACKETS, verdict: 'delivered', sort: 'start', isDescending: false },
  payload_each: { ...PACKETS, verdict: 'delivered', sort: 'bytes', isDescending: true },
  latency_mean: { ...PACKETS, verdict: 'delivered', sort: 'duration', isDescending: true },
  dropped: { ...PACKETS, verdict: 'dropped', sort: 'start', isDescending: false },
  merged: { ...PACKETS, verdict: 'merged', sort: 'start', isDescending: false },
  wait_each: { ...PACKETS, verdict: 'delivered', sort: 'wait', isDescending: true },
  service_each: { ...PACKETS, verdict: 'delivered', sort: 'service', isDescending: true },
  hops_each: { ...PACKETS, sort: 'cpus', isDescending: true },
  busy: { isTimelineOpen: true },
  interrupt_rate: { isTimelineOpen: true },
  frames_each_interrupt: { isTimelineOpen: true },
  frames_each_poll: { isTimelineOpen: true },
  cpu_each: { panel: 'profile' },
  function_each: { panel: 'profile' },
  calls_each: { panel: 'profile' },
  probes_each: { panel: 'profile' },
  lines_each: { stageView: 'caches' },
  fetch_each: { stageView: 'caches' },
  memory_each: { stageView: 'caches' },
  lock_each: { stageView: 'locks' },
  switches_each: { stageView: 'scheduler' },
  bystanders_each: { stageView: 'scheduler' },
};

/** The moment of a packet where the core knows one, else what is counted; nothing where no view has it. */
export function wayTo({ quantity, packet, time, value }: Figure): Way | undefined {
  if (packet !== undefined && time !== undefined) return { kind: 'packet', packet, time };
  // Of what never happened there is nothing to see.
  if (value === 0) return undefined;
  const patch = LOOKS[quantity];
  if (patch === undefined) return undefined;
  return patch.panel === 'inspect' ? { kind: 'list', patch, quantity } : { kind: 'look', patch };
}

type Lasts = Pick<Journey, 'start' | 'end' | 'stays' | 'longestWait'>;

const MOMENTS: Readonly<Partial<Record<Quantity, (journey: Lasts) => Nanos | undefined>>> = {
  dropped: ({ end }) => end,
  merged: ({ end }) => end,
  wait_each: ({ stays, longestWait = -1 }) => stays[longestWait]?.enter,
  hops_each: ({ stays }) =>
    stays.find(({ cpu }, at) => at > 0 && cpu !== stays[at - 1]?.cpu)?.enter,
};

/** When in the journey of a packet of such a list what is counted there happens; else its beginning. */
export function momentIn(quantity: Quantity, journey: Lasts): Nanos {
  return MOMENTS[quantity]?.(journey) ?? journey.start;
}

/**
 * The same for the run beside the stage. Views of the stage show both runs; the table of packets is of the first
 * one alone.
 *
 * @param onClock the moment of the common clock at a time of that run; nothing where the first one is over
 */
export function wayBeside(
  figure: Figure,
  onClock: (time: Nanos) => Nanos | undefined,
): Way | undefined {
  const way = wayTo(figure);
  if (way?.kind === 'list') return undefined;
  if (way?.kind !== 'packet') return way;
  const time = onClock(way.time);
  return time === undefined ? undefined : { kind: 'beside', packet: way.packet, time };
}
