/**
 * The possible changes to a simulated run at each part of the host. Only those that apply are offered.
 */
import type { Glossary } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import type { Catalogue, FaultKind, Setting } from '../core/simulation.ts';
import { PARTS, type ForkPart } from '../session/forks.svelte.ts';
import type { Scenario } from '../session/scenario.ts';
import { faultsFor } from './faults.ts';
import { settingsFor } from './form.ts';
import { groupsOf } from './places.ts';

/** The part of the host of each kind of fault; faults of frames belong to the packet. */
const KINDS: Readonly<Record<string, ForkPart>> = {
  steal_cpu: 'cpus',
  set_ring: 'nic',
  pin_interrupts: 'nic',
  pin_queue: 'nic',
  stop_task: 'processes',
};

export interface Offer {
  readonly part: ForkPart;
  /** Faults possible at a time. */
  readonly kinds: readonly FaultKind[];
  /** Settings that can be changed from the start. */
  readonly settings: readonly Setting[];
}

/** The changes offered at each part; parts without any are omitted. */
export function offersOf(catalogue: Catalogue, scenario: Scenario): readonly Offer[] {
  const groups = groupsOf(settingsFor(catalogue, scenario));
  const hasRoom = scenario.faults.length < catalogue.mostFaults;
  const all = hasRoom ? faultsFor(catalogue, scenario.workload) : [];
  return PARTS.map((part) => ({
    part,
    kinds: all.filter(({ name, isOfFrame }) => (isOfFrame ? 'packet' : KINDS[name]) === part),
    settings: groups.find(({ id }) => id === part)?.settings ?? [],
  })).filter(({ kinds, settings }) => kinds.length + settings.length > 0);
}

/** A packet to which a fault on the link can be applied. */
export interface FramePacket {
  readonly name: string;
  /** The time of the run at which it is in memory or leaves to the NIC. */
  readonly at: number;
  readonly isSent: boolean;
}

export function frameOf(journey: Journey, { probes }: Glossary): FramePacket {
  const { name, direction, start, events } = journey;
  const leaves = events.findLast(({ probe }) => probes[probe]?.name === 'net_dev_xmit');
  return direction === 'rx'
    ? { name, at: start, isSent: false }
    : { name, at: leaves?.time ?? start, isSent: true };
}
