/** What the card of a result says of the two scenarios themselves, whatever their figures are. */
import type { Catalogue } from '../core/simulation.ts';
import { readScenario } from '../session/scenario.ts';
import { whyAlike } from './alike.ts';
import { changesOf } from './changes.ts';
import { placementOf } from './placement.ts';
import { whyRefused } from './refusal.ts';
import type { AboutResult, Result } from './result.ts';

export function aboutResult(catalogue: Catalogue, result: Result): AboutResult {
  const { before, after, comparison } = result;
  const [was, is] = [before?.scenario, after?.scenario];
  const isPair = was !== undefined && is !== undefined;
  const refused = [after, before].find((side) => side?.refused !== undefined);
  const placed = (text: string | undefined) =>
    text === undefined ? undefined : placementOf(catalogue, readScenario(text));
  return {
    changes: isPair ? changesOf(catalogue, was, is) : [],
    trouble:
      refused?.refused === undefined
        ? undefined
        : whyRefused(catalogue, refused.scenario, refused.refused),
    why: isPair ? whyAlike(catalogue, was, is, comparison?.differences ?? []) : [],
    where: { before: placed(was), after: placed(is) },
    firstSeed: readScenario(is ?? '{}').seed ?? 1,
  };
}
