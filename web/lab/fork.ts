/**
 * A fork: the scenario of a run with one thing more that goes wrong at a moment of it. Up to that moment
 * both runs are the same, event for event.
 */
import type { Catalogue, FaultKind } from '../core/simulation.ts';
import { readScenario, writeScenario, type Scenario } from '../session/scenario.ts';
import { faultOf, faultsFor } from './faults.ts';

export interface Forkable {
  readonly scenario: Scenario;
  /** What can be done to it at that moment. */
  readonly kinds: readonly FaultKind[];
  /** Microseconds from the start of the simulation. */
  readonly atUs: number;
}

/** The moment is one of the simulation's own time, in nanoseconds. */
export function forkableAt(catalogue: Catalogue, text: string, at: number): Forkable {
  const scenario = readScenario(text);
  const hasRoom = scenario.faults.length < catalogue.mostFaults;
  return {
    scenario,
    kinds: hasRoom ? faultsFor(catalogue, scenario.workload) : [],
    atUs: Math.max(0, Math.floor(at / 1000)),
  };
}

/** The scenario of the fork, as JSON text; `numbers` take the place of what is usual. */
export function forked(
  { scenario, atUs }: Forkable,
  kind: FaultKind,
  numbers: Readonly<Record<string, number>> = {},
): string {
  const usual = faultOf(kind, atUs);
  const fault = { ...usual, arguments: { ...usual.arguments, ...numbers } };
  return writeScenario({ ...scenario, faults: [...scenario.faults, fault] });
}
