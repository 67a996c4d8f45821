/** Where fewer or more of something take part and each does what it did before: that explains the whole. */
import type { Comparison, Difference } from '../core/figures.ts';
import type { Catalogue } from '../core/simulation.ts';
import type { Scenario } from '../session/scenario.ts';
import { formatCount, formatNumber } from '../ui/format.ts';
import { m } from '../words/generated/messages.js';
import { ofRun, valueOf } from './figures.ts';
import { connectionsOf, nicsOf } from './placement.ts';

/** Within this part of what it was, each does as much as before. */
const AS_MUCH = 0.05;

export function whyFewer(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
  comparison: Comparison,
): readonly string[] {
  return [...whyOfShares(comparison), ...whyOfWhole(catalogue, was, is, comparison.differences)];
}

/** A share of the CPUs is one of more or fewer of them. */
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
  // A NIC that is left without a connection takes no part: of both the NIC is what was full.
  return nics.length > 0 ? nics : of(connectionsOf, m.lab_why_connections);
}
