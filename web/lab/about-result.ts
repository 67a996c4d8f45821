/** What the card of a result says of the two scenarios themselves, whatever their figures are. */
import type { Catalogue } from '../core/simulation.ts';
import { readScenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';
import { whyAlike } from './alike.ts';
import { changesOf } from './changes.ts';
import { whyFewer } from './fewer.ts';
import { placementOf } from './placement.ts';
import { whyRefused } from './refusal.ts';
import type { AboutResult, Result } from './result.ts';

export function aboutResult(catalogue: Catalogue, result: Result): AboutResult {
  const { before, after, comparison } = result;
  const [was, is] = [before?.scenario, after?.scenario];
  const isPair = was !== undefined && is !== undefined;
  const placed = (text: string | undefined) =>
    text === undefined ? undefined : placementOf(catalogue, readScenario(text));
  return {
    changes: isPair ? changesOf(catalogue, was, is) : [],
    trouble: troubleWith(catalogue, result),
    reasons: isPair ? whyFewer(catalogue, was, is, comparison?.differences ?? []) : [],
    why: isPair ? whyAlike(catalogue, was, is, comparison?.differences ?? []) : [],
    where: { before: placed(was), after: placed(is) },
    firstSeed: readScenario(is ?? '{}').seed ?? 1,
  };
}

function troubleWith(catalogue: Catalogue, { before, after }: Result): string | undefined {
  if (after?.refused !== undefined)
    return m.lab_result_refused({ why: whyRefused(catalogue, after.scenario, after.refused) });
  if (before?.refused === undefined) return undefined;
  const why = whyRefused(catalogue, before.scenario, before.refused);
  return m.lab_result_refused_before({ why });
}
