/**
 * The faults of a scenario in the Lab's form: the kinds that a workload allows, a new fault, a changed or
 * removed one, and obvious errors in one.
 */
import { m } from '../words/generated/messages.js';
import type { Catalogue, FaultArgument, FaultKind } from '../core/simulation.ts';
import { harmless } from '../session/harmless.ts';
import type { Fault, Scenario } from '../session/scenario.ts';
import { formatRoundNanos } from '../numbers/format.ts';
import { problemOfNumber, type Problem } from './bounds.ts';
import { cpuCount } from './placement.ts';

export function faultsFor({ faults }: Catalogue, workload: string): readonly FaultKind[] {
  return faults.filter(({ appliesTo }) => appliesTo.includes(workload));
}

/** A field of a fault as the core names it in a refusal: `faults.0.us`. */
export function fieldOf(index: number, name: string): string {
  return `faults.${index}.${name}`;
}

/** A fault of this kind with default arguments, at a time in nanoseconds from the start. */
export function faultOf(kind: FaultKind, at: number): Fault {
  const numbers = kind.arguments.map(({ name, usual }) => [name, usual] as const);
  const [atUs, atNs] = [Math.floor(at / 1000), Math.floor(at % 1000)];
  return { atUs, atNs, isSent: false, kind: kind.name, arguments: Object.fromEntries(numbers) };
}

/** The scenario with an additional fault in the middle of the run. */
export function withNewFault(scenario: Scenario, kind: FaultKind): Scenario {
  const atUs = Math.round((scenario.durationUs ?? 0) / 2);
  return { ...scenario, faults: [...scenario.faults, faultOf(kind, atUs * 1000)] };
}

/** The scenario with one fault replaced, or removed for `undefined`. */
export function withFault(scenario: Scenario, index: number, fault: Fault | undefined): Scenario {
  const put = fault === undefined ? [] : [fault];
  return { ...scenario, faults: scenario.faults.toSpliced(index, 1, ...put) };
}

/** An argument of a fault, with the bounds of the scenario's machine. */
export function boundsIn(
  catalogue: Catalogue,
  scenario: Scenario,
  argument: FaultArgument,
): FaultArgument {
  const count = argument.name === 'cpu' ? cpuCount(catalogue, scenario) : undefined;
  return count === undefined ? argument : { ...argument, max: count - 1 };
}

export function problemsOfFaults(catalogue: Catalogue, scenario: Scenario): readonly Problem[] {
  const kinds = faultsFor(catalogue, scenario.workload);
  const most = scenario.durationUs ?? catalogue.duration.max;
  return scenario.faults.flatMap(({ atUs, kind, arguments: numbers }, index) => {
    const known = kinds.find(({ name }) => name === kind);
    const field = (name: string) => fieldOf(index, name);
    const problems = [
      problemOfKind(catalogue, field('do'), kind, known),
      problemOfMoment(field('at_us'), atUs, most),
      ...(known?.arguments ?? []).map((argument) =>
        problemOfArgument(
          field(argument.name),
          numbers[argument.name],
          boundsIn(catalogue, scenario, argument),
        ),
      ),
    ];
    return problems.filter((problem) => problem !== undefined);
  });
}

function problemOfKind(
  { faults }: Catalogue,
  field: string,
  kind: string,
  known: FaultKind | undefined,
): Problem | undefined {
  if (known !== undefined) return undefined;
  const isFault = faults.some(({ name }) => name === kind);
  return [field, isFault ? m.lab_fault_idle() : m.lab_fault_unknown({ name: harmless(kind) })];
}

function problemOfMoment(field: string, atUs: number, most: number): Problem | undefined {
  if (0 <= atUs && atUs <= most && Number.isInteger(atUs)) return undefined;
  return [field, m.lab_within_run({ end: formatRoundNanos(most * 1000) })];
}

function problemOfArgument(
  field: string,
  value: number | undefined,
  bounds: FaultArgument,
): Problem | undefined {
  if (value === undefined) return [field, m.lab_number_missing()];
  return problemOfNumber(field, value, bounds);
}
