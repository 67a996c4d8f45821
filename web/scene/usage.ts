/**
 * The parts of the stack that a run uses: the stations, by CPU, that any packet visits. The layout leaves
 * the rest out.
 */
import type { Opened, Visit } from '../core/core.ts';
import { NO_CPU } from '../core/core.ts';
import { busiest } from './columns.ts';
import { onceOfBoth } from './once.ts';
import { LANES } from './rows.ts';
import type { LaneSpec, SlotSpec } from './rows.ts';
import type { Words } from './words.ts';

export interface Usage {
  /** Names of the stations that any packet visits. */
  readonly stations: ReadonlySet<string>;
  /** Ids of the lanes that contain any of them. */
  readonly lanes: ReadonlySet<string>;
  /** Whether any body of a lane has a title above it. */
  readonly hasTitle: (lane: LaneSpec) => boolean;
  /** The rails that a CPU needs. */
  readonly ways: (cpu: number) => { readonly rx: boolean; readonly tx: boolean };
  /** The slots of a lane that a CPU needs, among those given. */
  readonly slotsAt: (cpu: number, specs: readonly SlotSpec[]) => readonly SlotSpec[];
  readonly drops: (cpu: number, spec: SlotSpec) => number;
}

export const usageOf = onceOfBoth((run: Opened, words: Words): Usage => {
  const home = busiest(run);
  const byCpu = new Map<number, Map<string, Visit>>();
  const stations = new Set<string>();
  for (const visit of run.visits) {
    const name = words.glossary.stations[visit.station]?.name;
    if (name === undefined) continue;
    const cpu = visit.cpu === NO_CPU ? home : visit.cpu;
    const own = byCpu.get(cpu) ?? new Map<string, Visit>();
    byCpu.set(cpu, own.set(name, visit));
    stations.add(name);
  }
  const isUsed = (spec: SlotSpec) => spec.stations.some((name) => stations.has(name));
  const lanes = new Set(
    LANES.filter(({ id, rx, tx }) => id === 'process' || [...rx, ...tx].some(isUsed)).map(
      ({ id }) => id,
    ),
  );
  const slotsAt = (cpu: number, specs: readonly SlotSpec[]) =>
    specs.filter((spec) => spec.stations.some((name) => byCpu.get(cpu)?.has(name) === true));
  return {
    stations,
    lanes,
    slotsAt,
    hasTitle: ({ id, rx, tx }) =>
      id === 'process' || [...rx, ...tx].some((spec) => spec.kind !== 'work' && isUsed(spec)),
    ways: (cpu) => ({
      rx: LANES.some(({ rx }) => slotsAt(cpu, rx).length > 0),
      tx: LANES.some(({ tx }) => slotsAt(cpu, tx).length > 0),
    }),
    drops: (cpu, spec) =>
      spec.stations.reduce((sum, name) => sum + (byCpu.get(cpu)?.get(name)?.drops ?? 0), 0),
  };
});
