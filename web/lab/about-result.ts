/** The result card's texts about the two scenarios themselves, independent of their figures. */
import type { Catalogue } from '../core/simulation.ts';
import { readScenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';
import { whyAlike } from './alike.ts';
import { changesBetween, titleIn } from './changes.ts';
import { whyFewer } from './fewer.ts';
import { placementOf } from './placement.ts';
import { whyRefused } from './refusal.ts';
import type { AboutResult, Result } from './result.ts';

export function aboutResult(catalogue: Catalogue, result: Result): AboutResult {
  const { before, after, comparison } = result;
  const [was, is] = [before, after].map((side) => side && readScenario(side.scenario));
  const differences = comparison?.differences ?? [];
  const isPair = was !== undefined && is !== undefined;
  return {
    on:
      is &&
      m.lab_result_on({
        machine: titleIn(catalogue.machines, is.machine),
        kernel: titleIn(catalogue.kernels, is.kernel),
      }),
    changes: isPair ? changesBetween(catalogue, was, is) : [],
    trouble: troubleWith(catalogue, result),
    reasons: isPair && comparison ? whyFewer(catalogue, was, is, comparison) : [],
    why: isPair ? whyAlike(catalogue, was, is, differences) : [],
    where: {
      before: was && placementOf(catalogue, was),
      after: is && placementOf(catalogue, is),
    },
    firstSeed: is?.seed ?? 1,
  };
}

function troubleWith(catalogue: Catalogue, { before, after }: Result): string | undefined {
  if (after?.refused !== undefined)
    return m.lab_result_refused({ why: whyRefused(catalogue, after.scenario, after.refused) });
  if (before?.refused === undefined) return undefined;
  const why = whyRefused(catalogue, before.scenario, before.refused);
  return m.lab_result_refused_before({ why });
}
