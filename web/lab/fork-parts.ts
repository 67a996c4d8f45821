/**
 * The handles of a simulated run: what can be done or changed at each part of the host. Only what applies is
 * offered.
 */
import type { Glossary } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import type { Catalogue, FaultKind, Setting } from '../core/simulation.ts';
import { PARTS, type ForkPart } from '../session/forks.svelte.ts';
import type { Scenario } from '../session/scenario.ts';
import { faultsFor } from './faults.ts';
import { settingsFor } from './form.ts';
import { groupsOf } from './places.ts';

/** Kinds of faults where the things are; those of frames are the packet's. */
const KINDS: Readonly<Record<string, ForkPart>> = {
  steal_cpu: 'cpus',
  set_ring: 'nic',
  pin_interrupts: 'nic',
  pin_queue: 'nic',
  stop_task: 'processes',
};

export interface Offer {
  readonly part: ForkPart;
  /** What can be done at a moment. */
  readonly kinds: readonly FaultKind[];
  /** What can be changed from the start. */
  readonly settings: readonly Setting[];
}

/** What is offered at each part; parts at which nothing applies are left out. */
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

/** A packet as something can be done to it on the link. */
export interface FramePacket {
  readonly name: string;
  /** The moment of the run at which it comes into memory or leaves to the NIC. */
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
