/**
 * Explains a difference by fewer or more CPUs, NICs or connections in use, each with the same load as
 * before.
 */
import type { Comparison, Difference } from '../core/figures.ts';
import type { Catalogue } from '../core/simulation.ts';
import type { Scenario } from '../session/scenario.ts';
import { formatCount, formatNumber } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';
import { ofRun, valueOf } from './figures.ts';
import { connectionsOf, nicsOf } from './placement.ts';

/** Relative change up to which the load counts as the same. */
const AS_MUCH = 0.05;

export function whyFewer(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
  comparison: Comparison,
): readonly string[] {
  return [...whyOfShares(comparison), ...whyOfWhole(catalogue, was, is, comparison.differences)];
}

/** The share of all CPUs' time refers to more or fewer CPUs. */
function whyOfShares({ cpus, work }: Comparison): readonly string[] {
  if (work === undefined) return [];
  return [
    m.lab_why_cpus({
      ...{ before: formatCount(cpus[0]), after: formatCount(cpus[1]) },
      ...{ wasWork: formatNumber(work[0]), isWork: formatNumber(work[1]) },
    }),
  ];
}

function whyOfWhole(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
  differences: readonly Difference[],
): readonly string[] {
  const whole = ofRun(differences, 'throughput');
  if (whole === undefined || whole.isNoise) return [];
  const of = (count: (scenario: Scenario) => number, say: typeof m.lab_why_nics) => {
    const [first, now] = [count(was), count(is)];
    const [each, eachNow] = [whole.before.mean / first, whole.after.mean / now];
    if (first === now || Math.abs(eachNow / each - 1) > AS_MUCH) return [];
    const text = valueOf(whole.quantity, whole.unit, eachNow);
    return [say({ before: formatCount(first), after: formatCount(now), each: text })];
  };
  const nics = of((scenario) => nicsOf(catalogue, scenario), m.lab_why_nics);
  // A NIC without a connection is not in use; of both explanations the NIC is the bottleneck.
  return nics.length > 0 ? nics : of(connectionsOf, m.lab_why_connections);
}
