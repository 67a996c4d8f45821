/**
 * Faults as text: each kind with its name and description, and a scenario's fault with its arguments and
 * its time.
 */
import type { Catalogue, FaultArgument } from '../core/simulation.ts';
import { harmless } from '../session/harmless.ts';
import { momentOf, type Fault } from '../session/scenario.ts';
import { formatCount, formatMoment, formatRoundNanos } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';

const NAMES: Readonly<Record<string, () => string>> = {
  drop_frame: m.fault_drop_frame,
  duplicate_frame: m.fault_duplicate_frame,
  delay_frame: m.fault_delay_frame,
  reorder_frame: m.fault_reorder_frame,
  damage_frame: m.fault_damage_frame,
  steal_cpu: m.fault_steal_cpu,
  set_ring: m.fault_set_ring,
  pin_interrupts: m.fault_pin_interrupts,
  pin_queue: m.fault_pin_queue,
  stop_task: m.fault_stop_task,
};

const ABOUT: Readonly<Record<string, () => string>> = {
  drop_frame: m.fault_drop_frame_about,
  duplicate_frame: m.fault_duplicate_frame_about,
  delay_frame: m.fault_delay_frame_about,
  reorder_frame: m.fault_reorder_frame_about,
  damage_frame: m.fault_damage_frame_about,
  steal_cpu: m.fault_steal_cpu_about,
  set_ring: m.fault_set_ring_about,
  pin_interrupts: m.fault_pin_interrupts_about,
  pin_queue: m.fault_pin_queue_about,
  stop_task: m.fault_stop_task_about,
};

/** The title of a kind of fault; for an unknown one its word in the scenario, made harmless. */
export function faultName({ faults }: Catalogue, kind: string): string {
  const known = faults.find(({ name }) => name === kind);
  return known === undefined ? harmless(kind) : (NAMES[kind]?.() ?? known.title);
}

/** The description of a kind of fault, in a sentence. */
export function faultAbout({ faults }: Catalogue, kind: string): string {
  const known = faults.find(({ name }) => name === kind);
  return known === undefined ? '' : (ABOUT[kind]?.() ?? known.about);
}

const ARGUMENTS: Readonly<Record<string, (value: { value: string }) => string>> = {
  us: m.fault_for_us,
  cpu: m.fault_on_cpu,
  pid: m.fault_of_pid,
  queue: m.fault_of_queue,
  descriptors: m.fault_to_descriptors,
  behind: m.fault_behind_frames,
};

/** `Take a CPU away (CPU 0, 500 µs) at 2 ms`. */
export function faultText(catalogue: Catalogue, fault: Fault): string {
  const known = catalogue.faults.find(({ name }) => name === fault.kind);
  const values = (known?.arguments ?? []).map(({ name, title, unit }) => {
    const value = formatCount(fault.arguments[name] ?? 0);
    const plain = name === 'pid' ? String(fault.arguments[name] ?? 0) : value;
    return ARGUMENTS[name]?.({ value: plain }) ?? `${title} ${value} ${unit}`.trimEnd();
  });
  const told = fault.isSent ? [m.fault_sent(), ...values] : values;
  const inside = told.length === 0 ? '' : ` (${told.join(', ')})`;
  const what = `${faultName(catalogue, fault.kind)}${inside}`;
  const moment = momentOf(fault);
  const at = fault.atNs === 0 ? formatRoundNanos(moment) : formatMoment(moment, moment);
  return m.lab_fault_when({ what, at });
}

/** The label of a kind's argument in the form. */
export function argumentName(kind: string, { name, title, unit }: FaultArgument): string {
  if (name === 'us') return kind === 'delay_frame' ? m.fault_by_us() : m.fault_long_us();
  return ASKED[name]?.() ?? (unit === '' ? title : `${title}, ${unit}`);
}

const ASKED: Readonly<Record<string, () => string>> = {
  cpu: m.fault_which_cpu,
  pid: m.fault_which_process,
  queue: m.fault_which_queue,
  descriptors: m.fault_how_many_descriptors,
  behind: m.fault_behind_how_many,
};
