/**
 * Models for tests of the scene: `machineOf({ held: [[0, 0, 23]] })` and the like, with all
 * that is not given empty.
 */
import type { MachineColumns, MachineInfo } from '../../core/machine.ts';

/** A recording. */
export const NO_MACHINE: MachineInfo = {
  caches: [],
  cacheLines: 0,
  lineBytes: 64,
  objects: [],
  mostLines: [],
  clockKhz: 0,
  locks: [],
  timers: [],
  tellsStates: false,
  hasTasks: false,
  longestSlice: 0,
  hasProbeCosts: false,
};

type Rows = readonly (readonly number[])[];

export interface MachineGiven {
  /** Cache, object, lines; of them modified, exclusive, shared; and invalidated. */
  readonly held?: Rows;
  /** From, to, lines, cycles, and the same just now. */
  readonly flows?: Rows;
  /** From, to, object, lines, cycles, when. */
  readonly moves?: Rows;
  /** CPU, lines, cycles. */
  readonly fills?: Rows;
  /** CPU, packet, start, end, interrupted, from, lines and cycles moved, lines and cycles filled. */
  readonly copies?: Rows;
  /** Lock, holder. */
  readonly locks?: Rows;
  /** Lock, CPU, since when. */
  readonly spins?: Rows;
  /** For each CPU: task, what is left of its slice, whom it preempted, when. */
  readonly tasks?: Rows;
  /** CPU, task, since when, why, by whom, place, standing, amount. */
  readonly waits?: Rows;
  /** Since when, until when, frames held. */
  readonly timers?: Rows;
  /** CPU, nanoseconds, just now, probes. */
  readonly costs?: Rows;
}

export function machineOf(given: MachineGiven): MachineColumns {
  const columns = (rows: Rows = []) => {
    const at = (place: number) => rows.map((row) => row[place] ?? 0);
    return {
      u16: (place: number) => Uint16Array.from(at(place)),
      u32: (place: number) => Uint32Array.from(at(place)),
      f64: (place: number) => Float64Array.from(at(place)),
    };
  };
  const [held, flows, moves] = [columns(given.held), columns(given.flows), columns(given.moves)];
  const [fills, locks, spins] = [columns(given.fills), columns(given.locks), columns(given.spins)];
  const [tasks, waits] = [columns(given.tasks), columns(given.waits)];
  const copies = columns(given.copies);
  const [timers, costs] = [columns(given.timers), columns(given.costs)];
  return {
    held: {
      cache: held.u16(0),
      object: held.u16(1),
      lines: held.u32(2),
      modified: held.u32(3),
      exclusive: held.u32(4),
      shared: held.u32(5),
      invalidated: held.u32(6),
    },
    flows: {
      from: flows.u16(0),
      to: flows.u16(1),
      lines: flows.f64(2),
      cycles: flows.f64(3),
      recentLines: flows.f64(4),
      recentCycles: flows.f64(5),
    },
    moves: {
      from: moves.u16(0),
      to: moves.u16(1),
      object: moves.u16(2),
      lines: moves.u32(3),
      cycles: moves.u32(4),
      at: moves.f64(5),
    },
    fills: { cpu: fills.u16(0), lines: fills.f64(1), cycles: fills.f64(2) },
    copies: {
      cpu: copies.u16(0),
      packet: copies.u32(1),
      start: copies.f64(2),
      end: copies.f64(3),
      interrupted: copies.f64(4),
      from: copies.u16(5),
      movedLines: copies.u32(6),
      movedCycles: copies.u32(7),
      filledLines: copies.u32(8),
      filledCycles: copies.u32(9),
    },
    locks: { lock: locks.u32(0), holder: locks.u16(1) },
    spins: { lock: spins.u32(0), cpu: spins.u16(1), since: spins.f64(2) },
    lockWaits: 0,
    lockWaited: 0,
    tasks: {
      pid: tasks.u32(0),
      left: tasks.f64(1),
      preempted: tasks.u32(2),
      preemptedAt: tasks.f64(3),
    },
    waits: {
      cpu: waits.u16(0),
      pid: waits.u32(1),
      since: waits.f64(2),
      why: Uint8Array.from(waits.u16(3)),
      by: waits.u32(4),
      place: waits.u16(5),
      standing: Uint8Array.from(waits.u16(6)),
      amount: waits.f64(7),
    },
    timers: { since: timers.f64(0), until: timers.f64(1), held: timers.u32(2) },
    costs: { cpu: costs.u16(0), nanos: costs.f64(1), recent: costs.f64(2), probes: costs.f64(3) },
  };
}

/** A moment of a recording. */
export const NOTHING = machineOf({});
